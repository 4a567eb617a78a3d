"""What published clients swap and bridge is on the scorecards: on the endpoint, on the status page, and in its JSON."""

import itertools
import json
import subprocess
import urllib.request
from collections.abc import Callable
from typing import Any

from tests.e2e.running_demo import ROOT, Demo
from tests.e2e.test_foreign_clients import chain_of, get, send
from tests.e2e.test_published_clients import question, waited
from tests.node_program import bundled


def found_card(demo: Demo, quote: dict[str, Any], there: str) -> Callable[[], dict[str, Any]]:
    """Read the card of an answer's adapter; each look asks for other days, so that none is a kept answer."""
    ends = chain_of(demo, "sbxa")["id"], chain_of(demo, there)["id"]
    days = itertools.count(1)

    def look() -> dict[str, Any]:
        asked = {"days": str(next(days) % 90 + 1), "adapters": quote["adapter"]}
        status, answer = get(demo, "/v1/scorecards", **asked, sourceChainId=str(ends[0]), destChainId=str(ends[1]))
        assert status == 200, answer
        none: dict[str, Any] = {"executions": {"completed": 0}}
        return next(iter(answer["scorecards"]), none)

    return look


def with_completed(more: int) -> Callable[[dict[str, Any]], bool]:
    return lambda card: bool(card["executions"]["completed"] >= more)


def test_swaps_and_transfers_are_scored(demo: Demo) -> None:
    want = {"chain": "sbxa", "origin": "ETH", "destination": "USDC", "amount": str(10**17), "payer": 4}
    script = ROOT / "tests" / "e2e" / "client.mjs"
    command = ["node", str(bundled(script)), str(demo.folder / "sandbox.json"), json.dumps(want)]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert result.returncode == 0, result.stderr
    told = json.loads(result.stdout)
    swap = told["quote"]
    card = waited(found_card(demo, swap, "sbxa"), with_completed(1))
    assert card["requests"]["asked"] >= card["requests"]["answered"] >= card["requests"]["won"] >= 1
    assert card["executions"]["measured"] >= 1
    assert card["executions"]["takenSeconds"] is None
    # Nobody else traded in between.
    assert int(told["gained"]) == int(swap["outputAmount"])
    assert card["executions"]["deviationBps"] == "0"

    status, transfer = get(demo, "/v1/quotes", **question(demo, "ETH", "USDC", 10**17, "sbxb"))
    assert status == 200, transfer
    account, call = demo.sandbox["accounts"]["evm"][2], transfer["calldata"]
    send(chain_of(demo, "sbxa"), account["private_key"], call["to"], call["value"], call["data"], transfer["gas"])
    card = waited(found_card(demo, transfer, "sbxb"), with_completed(1))
    assert card["requests"]["won"] >= 1
    assert card["executions"]["senders"] >= 1

    both = {swap["adapter"], transfer["adapter"]}
    waited(
        lambda: {each["adapter"] for each in get(demo, "/status.json")[1]["scorecards"]}, lambda found: found >= both
    )
    with urllib.request.urlopen(demo.sandbox["base_url"] + "/status", timeout=20) as response:
        assert "Scorecards of the last seven days" in response.read().decode()
    # Two senders say nothing that ranks.
    assert get(demo, "/v1/scorecards")[1]["trackRecords"] == []
