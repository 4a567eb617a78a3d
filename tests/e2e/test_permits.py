"""One signature and one transaction, from wallets that have approved nothing: by published clients and by ours."""

import json
import os
import subprocess
from typing import Any

import pytest
from eth_abi.abi import encode
from eth_account import Account
from eth_utils.crypto import keccak

from rhumbline_client import Rhumbline
from rhumbline_client.evm import EvmSender
from rhumbline_client.models import QuoteResponse, Step
from tests.e2e.running_demo import ROOT, Demo
from tests.e2e.test_foreign_clients import address, balance, chain_of, get, rpc, send
from tests.node_program import bundled

AMOUNT = 30_000_000
PERMIT2 = "0x000000000022D473030F116dDEE9F6B43aC78BA3"


def words(signature: str, *values: str | int) -> str:
    types = ["address" if isinstance(each, str) else "uint256" for each in values]
    return "0x" + (keccak(text=signature)[:4] + encode(types, values)).hex()


def allowance(chain: dict[str, Any], token: str, owner: str) -> int:
    asked = {"to": token, "data": words("allowance(address,address)", owner, chain["contracts"]["diamond"])}
    return int(rpc(chain, "eth_call", asked, "latest"), 16)


def nonce(chain: dict[str, Any], owner: str) -> int:
    return int(rpc(chain, "eth_getTransactionCount", owner, "latest"), 16)


def ready(demo: Demo, payer: int, symbol: str) -> tuple[dict[str, Any], dict[str, str], str]:
    """A wallet that has approved the Diamond nothing, and Permit2 for a token that has no permits."""
    chain, account = chain_of(demo, "sbxa"), demo.sandbox["accounts"]["evm"][payer]
    token = address(chain, symbol)
    gas = {"gasPrice": rpc(chain, "eth_gasPrice"), "gasLimit": hex(100_000)}
    steps = [(chain["contracts"]["diamond"], 0)]
    if symbol != "USDC":
        steps += [(PERMIT2, 0), (PERMIT2, 2**256 - 1)]
    for spender, amount in steps:
        send(chain, account["private_key"], token, "0x0", words("approve(address,uint256)", spender, amount), gas)
    assert allowance(chain, token, account["address"]) == 0
    return chain, account, token


def check(
    demo: Demo, chain: dict[str, Any], owner: str, token: str, before: tuple[int, int], done: dict[str, Any]
) -> None:
    """One transaction, exactly the amount, and the record of it."""
    paid, sent = balance(chain, token, owner), nonce(chain, owner)
    assert (before[0] - paid, sent - before[1]) == (AMOUNT, 1)
    assert allowance(chain, token, owner) == 0
    receipt = rpc(chain, "eth_getTransactionReceipt", done["transactionHash"])
    assert receipt["status"] == "0x1"
    assert any(done["quote"]["transactionId"] in log["topics"] for log in receipt["logs"])
    for _ in range(200):
        status, record = get(demo, f"/v1/status/{done['quote']['transactionId']}")
        if status == 200 and record["status"] == "success":
            return
        subprocess.run(["sleep", "0.1"], check=True)
    raise AssertionError("not tracked")


@pytest.mark.parametrize(
    ("library", "symbol"),
    [("ethers", "USDC"), ("ethers", "USDT"), ("viem", "USDC"), ("viem", "USDT"), ("ours", "USDT"), ("step", "USDC")],
)
def test_javascript_swaps_by_a_signature(demo: Demo, library: str, symbol: str) -> None:
    chain, account, token = ready(demo, 4, symbol)
    owner = account["address"]
    before = balance(chain, token, owner), nonce(chain, owner)
    want = {
        "library": library, "chain": "sbxa", "origin": symbol, "destination": "WETH", "amount": str(AMOUNT), "payer": 4,
    }  # fmt: skip
    program = bundled(ROOT / "tests" / "e2e" / "permit.mts")
    command = ["node", str(program), str(demo.folder / "sandbox.json"), json.dumps(want)]
    environment = {**os.environ, "no_proxy": "127.0.0.1"}
    run = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    check(demo, chain, owner, token, before, json.loads(run.stdout))


@pytest.mark.parametrize(("symbol", "by_step"), [("USDC", False), ("USDT", False), ("USDC", True)])
def test_python_swaps_by_a_signature(demo: Demo, symbol: str, *, by_step: bool) -> None:
    """By eth-account, through our client: a quote, or the step of a route."""
    chain, account, token = ready(demo, 5, symbol)
    owner = account["address"]
    before = balance(chain, token, owner), nonce(chain, owner)
    asked: Any = {
        "sender_address": owner, "origin_chain_id": chain["id"], "destination_chain_id": chain["id"], "amount": AMOUNT,
        "origin_currency": token, "destination_currency": address(chain, "WETH"),
    }  # fmt: skip
    answer: QuoteResponse | Step
    with Rhumbline(demo.sandbox["base_url"]) as rhumbline:
        if by_step:
            planned = rhumbline.routes(**asked)[0].steps[0]
            answer = rhumbline.step_transaction(planned, sender_address=owner, receiver_address=owner, permits=True)
        else:
            answer = rhumbline.quote(**asked, permits=True)
    assert answer.permit is not None
    with EvmSender(chain["rpc_url"], Account.from_key(account["private_key"]), chain["id"], poll=0.1) as sender:
        sent = sender.execute(answer)
        assert sender.execute(answer).hash == sent.hash, "the same quote again is the same transaction"
    done = {"quote": {"transactionId": answer.transaction_id}, "transactionHash": sent.hash}
    check(demo, chain, owner, token, before, done)


def test_a_wallet_without_typed_data_approves(demo: Demo) -> None:
    chain, account, token = ready(demo, 5, "USDC")
    local = Account.from_key(account["private_key"])

    class Plain:
        address = local.address
        sign_transaction = staticmethod(local.sign_transaction)

    before = nonce(chain, local.address)
    with Rhumbline(demo.sandbox["base_url"]) as rhumbline:
        quote = rhumbline.quote(
            sender_address=local.address, origin_chain_id=chain["id"], destination_chain_id=chain["id"], amount=AMOUNT,
            origin_currency=token, destination_currency=address(chain, "WETH"), permits=True,
        )  # fmt: skip
    with EvmSender(chain["rpc_url"], Plain(), chain["id"], poll=0.1) as sender:
        sender.execute(quote)
    assert nonce(chain, local.address) - before == 2
