"""Why a request was answered as it was, in words for agents, and what an agent is told without a key or a trail."""

from typing import Any

import pytest

from rhumbline_client.mcp.arguments import ExplainAsked
from rhumbline_client.mcp.explain_tools import explain
from rhumbline_client.mcp.failures import ToolFailure
from rhumbline_client.mcp.service import Service
from tests.clients.python.mcp.answers import ID, TIME, WETH
from tests.clients.python.scripted_service import Reply, ScriptedService, error

REQUEST = f"GET /v1/requests/{ID}"
PART: dict[str, Any] = {
    "originToken": {"chainId": 1, "address": "0x" + "c1" * 20, "symbol": "USDC", "decimals": 6},
    "destinationToken": {"chainId": 1, "address": WETH, "symbol": "WETH", "decimals": 18},
    "amount": "2500000",
    "chosen": "ONCHAIN",
    "adapters": [
        {"adapter": "ONCHAIN", "verdict": "chosen", "why": "is best", "outputAmount": "15" + "0" * 17, "quoteMs": 7},
        {"adapter": "RELAY", "verdict": "refused", "why": "has no\u202e route", "kind": "no_route"},
        {"adapter": "ACROSS", "verdict": "not_asked", "why": "does not swap on one chain", "kind": "unsupported"},
    ],
}
KEPT: dict[str, Any] = {
    "requestId": "mine", "endpoint": "/v1/quotes", "timestamp": TIME, "durationMs": 71, "status": 200, "answers": [],
    "parts": [PART],
}  # fmt: skip


async def test_each_adapter_has_its_reason(service: Service, answering: ScriptedService) -> None:
    answering.replies[REQUEST] = [Reply(body={"requests": [KEPT, {**KEPT, "requestId": "older"}]})]
    found = await explain(service, ExplainAsked(request_id=ID))
    (part,) = found.parts
    assert (found.request_id, part.amount, part.chosen) == ("mine", "2.5", "ONCHAIN")
    assert [each.output for each in part.adapters] == ["1.5", None, None]
    assert found.in_words() == "ONCHAIN was chosen. RELAY refused: has no route"


async def test_a_refused_request_says_why(service: Service, answering: ScriptedService) -> None:
    refused = {**KEPT, "status": 503, "code": "UNKNOWN", "message": "Quoting is paused", "parts": []}
    answering.replies[REQUEST] = [Reply(body={"requests": [refused]})]
    assert (await explain(service, ExplainAsked(request_id=ID))).in_words() == "Status 503: Quoting is paused."


async def test_an_unknown_request_and_a_missing_key_are_told_apart(
    service: Service, answering: ScriptedService
) -> None:
    answering.replies[REQUEST] = [error(404, "NOT_FOUND")]
    with pytest.raises(ToolFailure, match="Nothing is kept of 0x"):
        await explain(service, ExplainAsked(request_id=ID))
    body = {**error(401, "VALIDATION_ERROR").body, "details": {"errorCode": "API_KEY_MISSING"}}
    answering.replies[REQUEST] = [Reply(401, body)]
    with pytest.raises(ToolFailure, match="its owner sets RHUMBLINE_API_KEY where it is started"):
        await explain(service, ExplainAsked(request_id=ID))
