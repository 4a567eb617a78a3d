"""A transfer that fails is given back to whom the request named, as a published client finds out; and is told so."""

import json
import subprocess
import urllib.request
from typing import Any

import pytest

from tests.e2e.running_demo import ROOT, Demo
from tests.e2e.test_foreign_clients import get
from tests.e2e.test_published_clients import question, waited
from tests.node_program import bundled

AMOUNT = 500_000_000


def tell(demo: Demo, bridge: str, **behaviour: str) -> None:
    url = demo.sandbox["emulators"][bridge] + "/_control"
    urllib.request.urlopen(url, json.dumps(behaviour).encode(), timeout=20).close()


@pytest.mark.parametrize(("bridge", "bought", "trade"), [
    ("RELAY", "USDC", "EXACT_INPUT"), ("NEAR_INTENTS", "USDC", "EXACT_INPUT"), ("ACROSS", "USDC", "EXACT_INPUT"),
    ("SYMBIOSIS", "USDC", "EXACT_INPUT"), ("MAYAN", "USDC", "EXACT_INPUT"), ("MAYAN_SWIFT", "USDC", "EXACT_INPUT"),
    ("MAYAN_WORMHOLE", "WETH", "EXACT_INPUT"), ("RELAY", "USDC", "EXACT_OUTPUT"),
])  # fmt: skip
def test_the_named_wallet_gets_the_tokens_back(demo: Demo, bridge: str, bought: str, trade: str) -> None:
    want = {"payer": 4, "there": "sbxb", "destination": bought, "tradeType": trade}
    told = failed_transfer(demo, "refund.mjs", bridge, want)
    assert told["refundTo"][2:].lower() in told["quote"]["calldata"]["data"]
    seen = status_path(demo, told)
    if bridge != "ACROSS":
        # Across's refund counts once the deposit's deadline has passed, in hours.
        waited(lambda: get(demo, seen), lambda answer: answer[1]["status"] == "refunded")


@pytest.mark.parametrize("bridge", ["RELAY", "NEAR_INTENTS", "MAYAN_SWIFT"])
def test_the_named_wallet_on_solana_gets_the_tokens_back(demo: Demo, bridge: str) -> None:
    told = failed_transfer(demo, "solana_refund.mjs", bridge, {"from": "sbxs", "to": "sbxa", "payer": 6, "receiver": 4})
    waited(lambda: get(demo, status_path(demo, told)), lambda answer: answer[1]["status"] == "refunded")


def failed_transfer(demo: Demo, script: str, bridge: str, want: dict[str, object]) -> dict[str, Any]:
    """A client's transfer of USDC that the bridge gives back to account 7; the one that paid has nothing of it."""
    want = {"origin": "USDC", "destination": "USDC", "amount": str(AMOUNT), "refunded": 7, "bridge": bridge, **want}
    program = bundled(ROOT / "tests" / "e2e" / script)
    command = ["node", str(program), str(demo.folder / "sandbox.json"), json.dumps(want)]
    tell(demo, bridge, outcome="refund")
    try:
        result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    finally:
        tell(demo, bridge)
    assert result.returncode == 0, result.stderr
    told: dict[str, Any] = json.loads(result.stdout)
    # The service's fee was taken before; the wallet that paid gets nothing back.
    sent = int(told["quote"]["inputAmount"])
    assert (told["refunded"], told["paid"]) == (str(sent - sent // 1000), str(sent))
    assert sent > AMOUNT if want.get("tradeType") == "EXACT_OUTPUT" else sent == AMOUNT
    assert told["quote"]["refundTo"] == told["refundTo"]
    return told


def status_path(demo: Demo, told: dict[str, Any]) -> str:
    """Return the path of the transfer's public status, which has the named wallet."""
    path = f"/v1/status/{told['quote']['transactionId']}"
    _, seen = waited(lambda: get(demo, path), lambda answer: answer[0] == 200)
    assert seen["refundTo"] == told["refundTo"]
    return path


def test_bridges_that_cannot_be_held_to_it_are_not_asked(demo: Demo) -> None:
    named = demo.sandbox["accounts"]["evm"][6]["address"]
    asked = question(demo, "USDC", "USDC", AMOUNT, "sbxb", refundTo=named, includeBridges="MAYAN_MCTP,GASZIP")
    status, error = get(demo, "/v1/quotes", **asked)
    assert (status, error["code"]) == (422, "NO_AVAILABLE_QUOTES")
    told = [each for each in error["details"]["message"] if "cannot refund a named address" in each]
    assert [each.partition(":")[0] for each in told] == ["GASZIP", "MAYAN_MCTP"]
    assert "whoever makes the deposit" in told[0]
    assert "paid to the receiver on the destination" in told[1]


def test_a_lie_about_the_refund_wins_nothing(demo: Demo) -> None:
    """Each bridge alone, whose upstream answers an order or calldata that refunds a stranger: it is refused."""
    named = demo.sandbox["accounts"]["evm"][6]["address"]
    for bridge in ("RELAY", "NEAR_INTENTS", "ACROSS", "SYMBIOSIS"):
        tell(demo, bridge, lie="other_refund")
        try:
            asked = question(demo, "USDC", "USDC", AMOUNT, "sbxb", refundTo=named, includeBridges=bridge)
            status, answer = get(demo, "/v1/quotes", **asked)
        finally:
            tell(demo, bridge)
        # Across's deposits are built here: of its API's only terms are taken, unless there is a key.
        assert status == 502 or (bridge == "ACROSS" and named[2:].lower() in answer["calldata"]["data"]), answer
