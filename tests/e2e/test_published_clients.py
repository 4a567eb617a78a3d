"""Requests as published clients send them: numbers as browsers print them, placeholders before a wallet is connected,
pages that hold no key, and programs that send what was answered, untouched."""

import json
import subprocess
import time
import urllib.request
from collections.abc import Callable
from typing import Any

import pytest

from tests.e2e.running_demo import ROOT, Demo
from tests.e2e.test_foreign_clients import NATIVE, address, chain_of, get, rpc, send, swap
from tests.node_program import bundled

PLACEHOLDERS = [
    NATIVE,
    "0x0000000000000000000000000000000000000001",
    "0x000000000000000000000000000000000000dEaD",
    "0xdEAD000000000000000042069420694206942069",
]


def question(
    demo: Demo, origin: str, destination: str, amount: int, there: str = "sbxa", **more: str
) -> dict[str, str]:
    here, other = chain_of(demo, "sbxa"), chain_of(demo, there)
    return {
        "senderAddress": demo.sandbox["accounts"]["evm"][2]["address"],
        "originChainId": str(here["id"]),
        "destinationChainId": str(other["id"]),
        "amount": str(amount),
        "originCurrency": address(here, origin),
        "destinationCurrency": address(other, destination),
        **more,
    }


def waited(read: Callable[[], Any], done: Callable[[Any], bool], seconds: float = 40) -> Any:
    deadline = time.monotonic() + seconds
    while not done(found := read()):
        assert time.monotonic() < deadline, found
        time.sleep(0.2)
    return found


@pytest.mark.parametrize("slippage", ["0.0034712345678901235", "1.2345678901234567e-7", "1e-30", "0.005"])
def test_numbers_as_browsers_print_them(demo: Demo, slippage: str) -> None:
    wrap = question(demo, "ETH", "WETH", 10**17, slippage=slippage)
    assert get(demo, "/v1/quotes", **wrap)[0] == 200
    name = demo.sandbox["integrator"]["name"]
    share = "0.0034712345678901235"
    status, quote = get(demo, "/v1/quotes", **question(demo, "ETH", "USDC", 10**18, integrator=name, fee=share))
    assert status == 200
    apps = [int(item["amount"]) for item in quote["fees"]["breakdown"] if item["type"] == "app"]
    assert 34712345678901235 * 10**18 // 10**19 in apps, "rounded down, to the last digit"


@pytest.mark.parametrize("slippage", ["NaN", "Infinity", "1_0", "1e400", "0x1", "0." + "1" * 63])
def test_numbers_that_are_none(demo: Demo, slippage: str) -> None:
    status, error = get(demo, "/v1/quotes", **question(demo, "ETH", "WETH", 10**17, slippage=slippage))
    assert (status, error["code"]) == (400, "VALIDATION_ERROR")
    assert error["details"]["message"][0].startswith("slippage ")


@pytest.mark.parametrize("there", ["sbxa", "sbxb"])
@pytest.mark.parametrize("receiver", PLACEHOLDERS)
def test_prices_before_a_wallet_is_connected(demo: Demo, there: str, receiver: str) -> None:
    """Answered, and refused on chain by whoever signs it nevertheless."""
    asked = question(demo, "ETH", "USDC", 10**18, there, receiverAddress=receiver)
    status, quote = get(demo, "/v1/quotes", **asked)
    assert status == 200, quote
    chain, calldata = chain_of(demo, "sbxa"), quote["calldata"]
    assert calldata["to"] == chain["contracts"]["diamond"]
    assert quote["simulation"]["executionStatus"] == "SUCCESS"
    with pytest.raises(AssertionError, match="revert"):
        rpc(chain, "eth_call", {"from": asked["senderAddress"], **calldata}, "latest")
    nobody = get(demo, "/v1/quotes", **{**asked, "senderAddress": receiver})
    assert nobody[0] == 200, "\n".join(nobody[1]["details"]["message"])


def test_a_native_transfer_takes_the_fee(demo: Demo) -> None:
    name = demo.sandbox["integrator"]["name"]
    status, quote = get(demo, "/v1/quotes", **question(demo, "ETH", "ETH", 10**18, "sbxb", integrator=name, fee="0.01"))
    assert status == 200, quote
    assert quote["calldata"]["to"] == chain_of(demo, "sbxa")["contracts"]["diamond"]
    assert "10000000000000000" in [item["amount"] for item in quote["fees"]["breakdown"] if item["type"] == "app"]
    assert "warnings" not in quote


def test_an_amount_that_is_named_as_enough_is(demo: Demo) -> None:
    asked = question(demo, "USDC", "USDC", 1, "sbxb")
    status, error = get(demo, "/v1/quotes", **asked)
    assert (status, error["code"]) == (422, "AMOUNT_TOO_LOW"), error
    assert get(demo, "/v1/quotes", **{**asked, "amount": error["details"]["minimum"]})[0] == 200


def test_a_page_follows_what_an_ethers_program_sent(demo: Demo) -> None:
    """The program sends what was answered; a page without a key sees it by the ID that the answer named."""
    want = {"chain": "sbxa", "origin": "ETH", "destination": "USDC", "amount": str(10**17), "payer": 4, "fee": "0.01"}
    script = ROOT / "tests" / "e2e" / "client.mjs"
    command = ["node", str(bundled(script)), str(demo.folder / "sandbox.json"), json.dumps(want)]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert result.returncode == 0, result.stderr
    told = json.loads(result.stdout)
    path = f"/v1/status/{told['quote']['transactionId']}"
    _, seen = waited(lambda: get(demo, path), lambda answer: answer[0] == 200)
    assert (seen["status"], seen["sourceTxHash"]) == ("success", told["transactionHash"])
    assert seen["outputAmountRaw"] == told["gained"]
    with urllib.request.urlopen(demo.sandbox["base_url"] + path, timeout=20) as response:
        assert response.headers["access-control-allow-origin"] == "*"
    assert get(demo, path[:-1])[0] == 404
    key = demo.sandbox["integrator"]["api_key"]
    own = f"/v1/transactions/{told['quote']['transactionId']}"
    _, record = waited(lambda: get(demo, own, key), lambda answer: answer[1].get("sourceGasFee") is not None)
    assert record["sourceNetwork"] == record["destNetwork"] == chain_of(demo, "sbxa")["name"]
    assert record["integratorFee"]["token"] == "ETH"
    for name in ("inputToken", "outputToken", "integratorFee", "sourceGasFee"):
        assert float(record[name]["amountUsd"]) > 0, name


def test_a_transfer_is_followed_to_its_end_without_a_key(demo: Demo) -> None:
    status, quote = get(demo, "/v1/quotes", **question(demo, "ETH", "USDC", 10**17, "sbxb"))
    assert status == 200
    account = demo.sandbox["accounts"]["evm"][2]
    calldata = quote["calldata"]
    path = f"/v1/status/{quote['transactionId']}"
    assert get(demo, path)[0] == 404
    send(
        chain_of(demo, "sbxa"),
        account["private_key"],
        calldata["to"],
        calldata["value"],
        calldata["data"],
        quote["gas"],
    )
    _, seen = waited(lambda: get(demo, path), lambda answer: answer[1].get("status") == "success")
    assert seen["destTxHash"]
    assert int(seen["outputAmountRaw"]) >= int(quote["minOutputAmount"])
    assert seen["outputToken"]["symbol"] == "USDC"


def test_what_lists_leave_out_is_there(demo: Demo) -> None:
    chains = get(demo, "/v1/chains", chainTypes="evm")[1]["chains"]
    tokens = get(demo, "/v1/tokens", chainTypes="Evm")[1]
    tools = get(demo, "/v1/tools")[1]
    listed = [token for rows in tokens.values() for token in rows] + [chain["nativeToken"] for chain in chains]
    assert all(chain["blockExplorerUrls"] for chain in chains)
    assert all(token["coinKey"] for token in listed)
    for each in (*listed, *chains, *tools["exchanges"], *tools["bridges"]):
        assert each["logoURI"], each
    with urllib.request.urlopen(listed[0]["logoURI"], timeout=20) as response:
        assert response.headers["content-type"] == "image/svg+xml"


def test_a_batch_and_a_foreign_name(demo: Demo) -> None:
    chain = chain_of(demo, "sbxa")
    status, found = get(demo, "/v1/prices", tokens=f"{chain['id']}:USDC,777:{NATIVE},{chain['id']}:NOPE")
    assert (status, len(found["prices"])) == (200, 3)
    key = demo.sandbox["integrator"]["api_key"]
    for name in ("rival", "some one", "x" * 40):
        assert get(demo, "/v1/transactions", key, integrator=name)[0] == 403


def test_the_fee_of_a_swap_is_exact_with_a_long_share(demo: Demo) -> None:
    share = "0.012345678901234567"
    _, _, _, fee = swap(demo, "sbxa", "ETH", "DAI", 10**17 + 7, 2, 3, fee=share)
    assert fee == 12345678901234567 * (10**17 + 7) // 10**18


def test_a_viem_program_gets_what_it_asked_for_of_answers_that_are_signed(demo: Demo) -> None:
    """An exact output, of a pair whose price it has seen: both answers are the service's, and nobody else's."""
    wanted = 3 * 10**16
    want = {"origin": "USDC", "destination": "WETH", "amount": str(wanted), "payer": 6}
    script = ROOT / "tests" / "e2e" / "exact.mts"
    command = ["node", str(bundled(script)), str(demo.folder / "sandbox.json"), json.dumps(want)]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert result.returncode == 0, result.stderr[-1500:]
    told = json.loads(result.stdout)
    quote, price = told["quote"], told["price"]
    assert int(told["gained"]) >= wanted
    assert int(told["paid"]) <= int(quote["inputAmount"])
    assert told["believed"] is False, "of an answer that was changed on its way"
    assert (price["indicative"], price["inputAmount"]) == (True, quote["inputAmount"])
    assert abs(int(price["outputAmount"]) * 100 // int(quote["outputAmount"]) - 100) <= 1
