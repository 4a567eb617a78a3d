"""How exchanges and bridges did, as an agent is told: the busiest first, and no more than it asked for."""

from typing import Any

import pytest

from rhumbline_client.mcp.arguments import ScoresAsked
from rhumbline_client.mcp.failures import ToolFailure
from rhumbline_client.mcp.score_tools import scorecards
from rhumbline_client.mcp.service import Service
from tests.clients.python.mcp.answers import TIME
from tests.clients.python.scripted_service import Reply, ScriptedService

SCORES = "GET /v1/scorecards"


def card(adapter: str, executed: int) -> dict[str, Any]:
    return {
        "day": "2026-11-28", "adapter": adapter, "sourceChainId": 1, "destChainId": 1,
        "requests": {"asked": 9, "answered": 8, "built": 7, "won": 3, "refusals": {"slippage": 1}},
        "executions": {
            "executed": executed, "completed": executed, "failed": 0, "senders": 1, "measured": executed,
            "deviationBps": "-1.5", "promisedSeconds": 60, "takenSeconds": 55,
        },
    }  # fmt: skip


def told(*cards: dict[str, Any]) -> Reply:
    record = {
        "adapter": "ACROSS", "sourceChainId": 1, "destChainId": 1, "senders": 20, "valueUsd": "20000",
        "shortfallBps": "0.5", "lateSeconds": 3, "costBps": "0.55",
    }  # fmt: skip
    body = {
        "readAt": TIME, "complete": True, "scorecards": list(cards), "mostCostBps": "5", "trackRecords": [record],
    }  # fmt: skip
    return Reply(body=body)


async def test_the_busiest_come_first(
    service: Service, answering: ScriptedService, monkeypatch: pytest.MonkeyPatch
) -> None:
    given, whole = {}, service.client.scorecards

    async def seen(**more: Any) -> Any:
        given.update(more)
        return await whole(**more)

    monkeypatch.setattr(service.client, "scorecards", seen)
    answering.replies[SCORES] = [told(card("RELAY", 1), card("ACROSS", 4), card("MAYAN", 0))]
    asked = ScoresAsked(from_chain="eth", to_chain="eth", tools=["ACROSS", "RELAY", "MAYAN"], limit=2)
    found = await scorecards(service, asked)
    assert ([each.tool for each in found.scorecards], found.found) == (["ACROSS", "RELAY"], 3)
    first = found.scorecards[0]
    assert (first.deviation_bps, first.taken_seconds, first.refusals) == ("-1.5", 55, {"slippage": 1})
    assert (found.track_records[0].cost_bps, found.most_cost_bps) == ("0.55", "5")
    assert "ACROSS 1 to 1: 8 of 9 answered, 4 completed, 0 failed" in found.in_words()
    assert given == {"days": 7, "adapters": asked.tools, "source_chain_id": 1, "dest_chain_id": 1}


async def test_a_chain_that_is_not_known_is_named(service: Service) -> None:
    with pytest.raises(ToolFailure, match=r"^to_chain: no chain is called 'mars'"):
        await scorecards(service, ScoresAsked(to_chain="mars"))
