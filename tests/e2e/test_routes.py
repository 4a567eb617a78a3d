"""Routes of several steps by a foreign client: each is given what the one before brought, the end is as promised."""

import json
import os
import subprocess
from typing import Any

import pytest

from tests.e2e.running_demo import ROOT, Demo
from tests.e2e.test_foreign_clients import balance, chain_of
from tests.node_program import bundled

SERVICE_SHARE = 1000
WANTS: tuple[dict[str, Any], ...] = (
    {"from": "sbxa", "to": "sbxb", "origin": "DAI", "destination": "WBTC", "amount": "500" + "0" * 18,
     "bridges": "ACROSS", "steps": 3, "through": "USDC"},
    {"from": "sbxb", "to": "sbxa", "origin": "USDC", "destination": "WBTC", "amount": "700000000",
     "bridges": "ACROSS", "steps": 2, "through": "USDC"},
    {"from": "sbxs", "to": "sbxb", "origin": "DAI", "destination": "USDC", "amount": "50000000000",
     "bridges": "RELAY,SYMBIOSIS", "steps": 2, "through": "USDC"},
    {"from": "sbxs", "to": "sbxb", "origin": "SOL", "destination": "WBTC", "amount": "2000000000",
     "bridges": "ACROSS", "steps": 3, "through": "USDC"},
)  # fmt: skip
EXACT_WANTS: tuple[dict[str, Any], ...] = tuple(
    {**want, "amount": amount, "tradeType": "EXACT_OUTPUT"}
    for want, amount in zip(WANTS, ("1000000", "1000000", "50000000", "500000"), strict=True)
)[: None if "EXACT_OUTPUTS" in os.environ else 1]
"""All of them in `make campaign`."""
NATIVE_WAY: dict[str, Any] = {**WANTS[0], "through": "ETH"}
"""The native asset is on its way, of which the wallet also pays gas."""


def travelled(demo: Demo, want: dict[str, Any]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Have the client go a whole way; return the route as it was planned, and what each step did."""
    script = ROOT / "tests" / "e2e" / "route.mjs"
    command = ["node", str(bundled(script)), str(demo.folder / "sandbox.json"), json.dumps(want)]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=180, check=False)
    assert result.returncode == 0, result.stderr
    found = json.loads(result.stdout)
    return found["route"], found["told"]


@pytest.mark.parametrize(
    "want", [*WANTS, NATIVE_WAY], ids=lambda want: f"{want['from']}.{want['origin']}-{want['through']}-{want['to']}"
)
def test_a_route_arrives_with_its_minimum(demo: Demo, want: dict[str, Any]) -> None:
    route, steps = travelled(demo, {"payer": 5, "receiver": 6, "fee": 0.01, **want})
    kinds = [step["type"] for step in route["steps"]]
    assert (route["routeKind"], kinds.count("bridge"), len(kinds)) == ("multistep", 1, want["steps"])
    assert int(steps[-1]["received"]) >= int(route["minOutputAmount"]) > 0
    for step in steps:
        assert int(step["received"]) >= int(step["populated"]["estimate"]["toAmountMin"])
        assert step["record"] == {"status": "success", "sourceTxHash": step["hash"]}
        simulated = step["populated"]["estimate"].get("simulatedToAmount")
        assert simulated in (None, step["received"])


@pytest.mark.parametrize("want", EXACT_WANTS, ids=lambda want: f"{want['from']}-{want['to']}")
def test_a_route_to_an_output_brings_it(demo: Demo, want: dict[str, Any]) -> None:
    """The last step brings what was asked for, and the first takes what was planned."""
    route, steps = travelled(demo, {"payer": 5, "receiver": 6, "fee": 0.01, **want})
    assert (len(steps), int(route["minOutputAmount"]) >= int(want["amount"])) == (want["steps"], True)
    assert int(steps[-1]["received"]) >= int(want["amount"])
    assert int(steps[-1]["populated"]["estimate"]["toAmountMin"]) >= int(want["amount"])
    assert route["inputAmount"] == route["steps"][0]["action"]["fromAmount"]
    # Of SOL the wallet also pays the network's fee.
    assert 0 <= int(steps[0]["spent"]) - int(route["inputAmount"]) <= (20_000 if want["origin"] == "SOL" else 0)
    for step, before in zip(steps[1:], steps, strict=False):
        assert int(step["spent"]) <= int(before["received"])
    assert int(route["expectedSurplus"]) == int(route["outputAmount"]) - int(want["amount"])


@pytest.mark.parametrize("want", [WANTS[0], NATIVE_WAY], ids=lambda want: want["through"])
def test_fees_are_taken_once_and_on_the_first_step(demo: Demo, want: dict[str, Any]) -> None:
    route, (first, *later) = travelled(demo, {"payer": 4, "receiver": 7, "fee": 0.01, **want})
    amount = int(WANTS[0]["amount"])
    assert int(first["integratorFee"]) == amount // 100
    assert charged(first["populated"]) == amount // 100 + amount // SERVICE_SHARE
    assert first["spent"] == str(amount)
    for number, step in enumerate(later, 1):
        assert (step["integratorFee"], charged(step["populated"])) == ("0", 0)
        assert step["populated"]["estimate"]["quoteFromAmount"] == step["spent"] == steps_received(first, later, number)
        assert "fee" not in step["populated"]["execution"]["quoteRequest"]
        assert "fee" not in route["steps"][number]["execution"]["quoteRequest"]


def test_a_step_that_says_nothing_of_the_one_before_is_a_fault(demo: Demo) -> None:
    _, (first, *later) = travelled(demo, {"payer": 3, "receiver": 7, **WANTS[1]})
    assert first["early"] is None
    for step in later:
        assert step["early"] == [
            "context.previousStepReceivedAmount is missing: give the amount that the previous step delivered"
        ]


def test_nothing_of_a_route_stays_on_the_way(demo: Demo) -> None:
    """Who signs a step in the middle has afterwards what was there before."""
    payer = demo.sandbox["accounts"]["evm"][2]["address"]
    places = [(chain_of(demo, "sbxa"), "USDC"), (chain_of(demo, "sbxb"), "USDC"), (chain_of(demo, "sbxb"), "WBTC")]

    def held() -> list[int]:
        return [balance(chain, chain["tokens"][symbol]["address"], payer) for chain, symbol in places]

    before = held()
    travelled(demo, {"payer": 2, "receiver": 6, **WANTS[0]})
    assert held() == before


def charged(step: dict[str, Any]) -> int:
    return sum(int(item["amount"]) for item in step["estimate"]["fees"]["breakdown"] if item["type"] == "app")


def steps_received(first: dict[str, Any], later: list[dict[str, Any]], number: int) -> str:
    """What the step before brought."""
    received: str = [first, *later][number - 1]["received"]
    return received
