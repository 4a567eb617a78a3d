"""Clients of Solana of others take what the service answers: they decode, sign and send it, and the chains have it."""

import json
import subprocess
import time
from typing import Any

import pytest

from tests.e2e.running_demo import ROOT, Demo
from tests.e2e.test_foreign_clients import get

LARGEST = 1232
SWAPS = (
    {"to": "sbxs", "origin": "USDC", "destination": "WETH", "amount": "123456789", "fee": "0.01"},
    {"to": "sbxs", "origin": "SOL", "destination": "USDT", "amount": "1500000001", "fee": "0.01"},
)
TRANSFERS = (
    {"to": "sbxa", "origin": "USDC", "destination": "USDC", "amount": "234567891", "fee": "0.01"},
    {"to": "sbxb", "origin": "USDC", "destination": "USDC", "amount": "99000000"},
)
KINDS = {"solana_web3.mjs": 5, "solana_kit.mjs": 6}
"""Scripts, and the account of each."""


def told(demo: Demo, script: str, want: dict[str, object]) -> dict[str, Any]:
    where = ROOT / "tests" / "e2e" / script
    command = ["node", str(where), str(demo.folder / "sandbox.json"), json.dumps(want)]
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


def recorded(demo: Demo, transaction_id: str) -> tuple[str, str]:
    """Wait for the record of a transaction to end; return how it ended, and its signature."""
    key, deadline = demo.sandbox["integrator"]["api_key"], time.monotonic() + 60
    while time.monotonic() < deadline:
        status, record = get(demo, f"/v1/transactions/{transaction_id}", key)
        if status == 200 and record["status"] != "bridge_pending":
            return record["status"], record["sourceTxHash"]
        time.sleep(0.1)
    raise AssertionError(f"no record of {transaction_id}")
