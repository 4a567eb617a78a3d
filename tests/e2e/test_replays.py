"""One delivery is one record's: who sends its call again, and pays its own sender, gets nothing told as delivered."""

import time
from collections.abc import Callable
from typing import Any

from eth_abi.abi import encode
from eth_utils.crypto import keccak

from tests.e2e.running_demo import Demo
from tests.e2e.test_foreign_clients import address, balance, chain_of, get, send

AMOUNT = 1_000_000_000


def quoted(demo: Demo, payer: dict[str, str]) -> dict[str, Any]:
    """A transfer through NEAR Intents, as anybody may ask for it in an integrator's name."""
    here, there = chain_of(demo, "sbxa"), chain_of(demo, "sbxb")
    status, quote = get(
        demo,
        "/v1/quotes",
        senderAddress=payer["address"],
        originChainId=str(here["id"]),
        destinationChainId=str(there["id"]),
        amount=str(AMOUNT),
        originCurrency=address(here, "USDC"),
        destinationCurrency=address(there, "USDC"),
        integrator=demo.sandbox["integrator"]["name"],
        includeBridges="NEAR_INTENTS",
    )
    assert status == 200, quote
    return quote


def sent(demo: Demo, payer: dict[str, str], quote: dict[str, Any], data: str) -> str:
    chain = chain_of(demo, "sbxa")
    approval = keccak(text="approve(address,uint256)")[:4] + encode(
        ["address", "uint256"], [quote["approvalAddress"], AMOUNT]
    )
    send(chain, payer["private_key"], address(chain, "USDC"), "0x0", "0x" + approval.hex(), quote["gas"])
    calldata = quote["calldata"]
    receipt = send(chain, payer["private_key"], calldata["to"], calldata["value"], data, quote["gas"])
    return str(receipt["transactionHash"])


def record(demo: Demo, tx_hash: str, until: Callable[[dict[str, Any] | None], bool]) -> dict[str, Any] | None:
    """The record of a transaction once it is what a test waits for, or what it is after a minute and a half."""
    key, end = demo.sandbox["integrator"]["api_key"], time.monotonic() + 90
    while True:
        status, body = get(demo, f"/v1/transactions/{tx_hash}", key)
        found = body if status == 200 else None
        if until(found) or time.monotonic() > end:
            return found
        time.sleep(0.25)


def test_a_delivery_cannot_be_had_again(demo: Demo) -> None:
    """Five calls under one genuine ID, whose operation pays the caller in place of the deposit address."""
    chain, payer = chain_of(demo, "sbxa"), demo.sandbox["accounts"]["evm"][6]
    quote = quoted(demo, payer)
    genuine = sent(demo, payer, quote, quote["calldata"]["data"])
    first = record(demo, genuine, lambda found: found is not None and found["status"] == "success")
    assert first is not None
    assert (first["status"], first["protocol"]) == ("success", "NEAR_INTENTS")
    assert first["destTxHash"] is not None
    deposit, own = (text[2:].lower() for text in (quote["bridgeScan"]["transferId"], payer["address"]))
    assert quote["calldata"]["data"].count(deposit) == 1
    held = balance(chain, address(chain, "USDC"), payer["address"])
    replayed = [sent(demo, payer, quote, quote["calldata"]["data"].replace(deposit, own)) for _ in range(5)]
    # All that they cost is the service's fee.
    assert balance(chain, address(chain, "USDC"), payer["address"]) == held - 5 * (AMOUNT // 1000)
    # A genuine transfer after them: when it is listed, all before it have been looked at.
    another = quoted(demo, payer)
    last = sent(demo, payer, another, another["calldata"]["data"])
    assert record(demo, last, lambda found: found is not None) is not None
    records = [
        record(demo, tx_hash, lambda found: found is None or found["status"] == "unknown") for tx_hash in replayed
    ]
    assert [found is not None for found in records] == [True, True, False, False, False]
    for found in records[:2]:
        assert found is not None
        assert (found["status"], found["statusSource"]) == ("unknown", "unknown")
        assert (found["destTxHash"], found["outputToken"], found["rawBridgeStatus"]) == (None, None, None)
    by_id = record(demo, quote["transactionId"], lambda found: True)
    assert by_id is not None
    assert (by_id["sourceTxHash"], by_id["status"]) == (genuine, "success")
    assert record(demo, last, lambda found: found is not None and found["status"] == "success") is not None
