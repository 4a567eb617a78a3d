"""Clients of Solana of others take what the service answers: they decode, sign and send it, and the chains have it."""

import json
import subprocess
import time
from base64 import b64encode
from typing import Any

import pytest
from solders.keypair import Keypair

from rhumbline.gateways.svm.address import associated_token_address
from rhumbline.gateways.svm.instructions import CreateTokenAccount, TokenTransfer
from rhumbline.gateways.svm.messages import compile_v0, serialise
from rhumbline.gateways.svm.programs import SPL
from tests.e2e.running_demo import ROOT, Demo
from tests.e2e.test_exact_output import held
from tests.e2e.test_foreign_clients import get, rpc
from tests.node_program import bundled

LARGEST = 1232
LOOKS = 600
SWAPS = (
    {"to": "sbxs", "origin": "USDC", "destination": "WETH", "amount": "123456789", "fee": "0.01"},
    {"to": "sbxs", "origin": "SOL", "destination": "USDT", "amount": "1500000001", "fee": "0.01"},
)
TRANSFERS = (
    {"to": "sbxa", "origin": "USDC", "destination": "USDC", "amount": "234567891", "fee": "0.01"},
    {"to": "sbxb", "origin": "USDC", "destination": "USDC", "amount": "99000000"},
)
SPONSOR, AMOUNT = 7, 87_654_321
KINDS = {"solana_web3.mjs": 5, "solana_kit.mjs": 6}
"""Scripts, and the account of each."""


def told(demo: Demo, script: str, want: dict[str, object]) -> dict[str, Any]:
    where = ROOT / "tests" / "e2e" / script
    command = ["node", str(bundled(where)), str(demo.folder / "sandbox.json"), json.dumps(want)]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=90, check=False)
    assert result.returncode == 0, result.stderr
    found: dict[str, Any] = json.loads(result.stdout)
    return found


@pytest.mark.parametrize("want", [*SWAPS, *TRANSFERS], ids=lambda want: f"{want['to']}-{want['origin']}")
@pytest.mark.parametrize("script", KINDS)
def test_what_is_promised_arrives(demo: Demo, script: str, want: dict[str, str]) -> None:
    account = demo.sandbox["accounts"]["svm"][KINDS[script]]["address"]
    found = told(demo, script, {"from": "sbxs", "payer": KINDS[script], "receiver": 4, **want})
    quote = found["quote"]
    assert found["error"] is None
    assert found["payer"] == account
    assert found["size"] == quote["transactionSize"]["raw"] <= LARGEST
    assert int(found["gained"]) >= int(quote["minOutputAmount"]) > 0
    if want["to"] == "sbxs":
        assert found["gained"] == quote["simulation"]["simulatedOutputAmount"]
    assert int(found["integratorFee"]) == (int(want["amount"]) // 100 if "fee" in want else 0)
    assert recorded(demo, quote["transactionId"]) == ("success", found["signature"])


@pytest.mark.parametrize("destination", ["USDT", "SOL"])
@pytest.mark.parametrize("script", KINDS)
def test_a_wallet_without_a_lamport_trades_by_two_signatures(demo: Demo, script: str, destination: str) -> None:
    """Another wallet pays for it, at the priority and with the tip that it chose, and no more than was said."""
    sponsor = demo.sandbox["accounts"]["svm"][SPONSOR]
    wallet = Keypair()
    give(demo, Keypair.from_base58_string(sponsor["private_key"]), str(wallet.pubkey()), AMOUNT)
    before = lamports(demo, sponsor["address"])
    want = {
        "from": "sbxs", "to": "sbxs", "origin": "USDC", "destination": destination, "amount": str(AMOUNT),
        "key": str(wallet), "sender": str(wallet.pubkey()), "sponsor": SPONSOR, "priority": "60000", "jitoTip": "5000",
    }  # fmt: skip
    found = told(demo, script, want)
    quote, chosen = found["quote"], found["quote"]["solana"]
    assert found["error"] is None
    assert found["payer"] == sponsor["address"]
    assert chosen["signers"] == [sponsor["address"], str(wallet.pubkey())]
    assert found["size"] == quote["transactionSize"]["raw"] <= LARGEST
    assert found["gained"] == quote["simulation"]["simulatedOutputAmount"]
    assert 59_990 <= int(chosen["priorityFee"]) <= 60_000
    assert before - lamports(demo, sponsor["address"]) == int(chosen["feePayerCost"])
    assert lamports(demo, str(wallet.pubkey())) == (int(found["gained"]) if destination == "SOL" else 0)
    paid = [int(item["amount"]) for item in quote["fees"]["breakdown"] if item.get("paidBy") == sponsor["address"]]
    assert sum(paid) == int(chosen["feePayerCost"])
    assert recorded(demo, quote["transactionId"]) == ("success", found["signature"])


def test_an_exact_output_is_paid_for_by_two(demo: Demo) -> None:
    """The wallet pays the input and no more, the sponsor the rest; the receiver has what was asked for."""
    sponsor = demo.sandbox["accounts"]["svm"][SPONSOR]
    wallet, wanted = Keypair(), AMOUNT // 2
    give(demo, Keypair.from_base58_string(sponsor["private_key"]), str(wallet.pubkey()), AMOUNT)
    before = lamports(demo, sponsor["address"])
    want = {
        "from": "sbxs", "to": "sbxs", "origin": "USDC", "destination": "USDT", "amount": str(wanted),
        "tradeType": "EXACT_OUTPUT", "key": str(wallet), "sender": str(wallet.pubkey()), "sponsor": SPONSOR,
        "priority": "high", "jitoTip": "5000",
    }  # fmt: skip
    found = told(demo, "solana_kit.mjs", want)
    quote = found["quote"]
    assert found["error"] is None
    assert int(found["gained"]) >= int(quote["minOutputAmount"]) >= wanted
    left = held(solana(demo), solana(demo)["tokens"]["USDC"]["address"], str(wallet.pubkey()))
    assert AMOUNT - left == int(quote["inputAmount"])
    assert before - lamports(demo, sponsor["address"]) == int(quote["solana"]["feePayerCost"])


def give(demo: Demo, payer: Keypair, owner: str, amount: int) -> None:
    """Give a wallet USDC, in an account that the payer makes."""
    mint, own = solana(demo)["tokens"]["USDC"]["address"], str(payer.pubkey())
    made = CreateTokenAccount.of(own, owner, mint, SPL)
    source = associated_token_address(own, mint, SPL)
    paid = TokenTransfer(SPL, source, made.account, own, amount, mint, 6)
    blockhash = rpc(solana(demo), "getLatestBlockhash")["value"]["blockhash"]
    message = compile_v0(own, [made.encode(), paid.encode()], [], blockhash)
    signed = serialise(message, [own], {own: bytes(payer.sign_message(message))})
    signature = rpc(solana(demo), "sendTransaction", b64encode(signed).decode(), {"encoding": "base64"})
    for _ in range(LOOKS):
        found = rpc(solana(demo), "getSignatureStatuses", [signature])["value"][0] or {}
        if found.get("confirmationStatus") not in (None, "processed"):
            return
        time.sleep(0.05)
    raise AssertionError(f"{signature} is not confirmed")


def lamports(demo: Demo, address: str) -> int:
    found: int = rpc(solana(demo), "getBalance", address, {"commitment": "confirmed"})["value"]
    return found


def solana(demo: Demo) -> Any:
    return next(chain for chain in demo.sandbox["chains"] if chain["type"] == "SVM")


def recorded(demo: Demo, transaction_id: str) -> tuple[str, str]:
    """Wait for the record of a transaction to end; return how it ended, and its signature."""
    key, deadline = demo.sandbox["integrator"]["api_key"], time.monotonic() + 60
    while time.monotonic() < deadline:
        status, record = get(demo, f"/v1/transactions/{transaction_id}", key)
        if status == 200 and record["status"] != "bridge_pending":
            return record["status"], record["sourceTxHash"]
        time.sleep(0.1)
    raise AssertionError(f"no record of {transaction_id}")
