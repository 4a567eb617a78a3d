"""Services that fail, break off, or are of another version than the client."""

import json
import random
from collections.abc import AsyncIterator
from typing import Any

import pytest

from rhumbline_client import (
    AdapterInternal,
    AsyncRhumbline,
    EndpointMissing,
    RateLimited,
    Retries,
    ServiceError,
    TimedOut,
    UnexpectedAnswer,
    Unreachable,
)
from rhumbline_client.version import VERSION
from tests.api.reference.write_document import default_document
from tests.clients.python.scripted_service import Reply, ScriptedService, error, scripted
from tests.clients.python.test_client import ASKED

TOOLS = "GET /v1/tools"
DOCUMENT = default_document()
NONE: dict[str, Any] = {"exchanges": [], "bridges": []}
ID = "0x" + "ab" * 32
STATUS = f"GET /v1/status/{ID}"
AT_ONCE = Retries(first=0.0)


@pytest.fixture
async def service() -> AsyncIterator[ScriptedService]:
    async with scripted() as running:
        yield running


def client_of(service: ScriptedService, retries: Retries = AT_ONCE) -> AsyncRhumbline:
    return AsyncRhumbline(service.url, "rl_live_acme", retries=retries)


@pytest.mark.parametrize(
    "failure",
    [
        error(429, "RATE_LIMIT", retry_after="0"),
        error(503, "UNKNOWN", retry_after="0"),
        error(502, "ADAPTER_INTERNAL", retry_after="0"),
        Reply(503, b"<html>a proxy</html>"),
        Reply(breaks=True),
    ],
    ids=["429", "503", "ADAPTER_INTERNAL", "a proxy", "a broken connection"],
)
async def test_a_read_that_failed_for_a_while_is_repeated(service: ScriptedService, failure: Reply) -> None:
    service.replies = {TOOLS: [failure, failure, Reply(body=NONE)]}
    async with client_of(service) as client:
        assert (await client.tools()).bridges == []
    assert service.asked == [TOOLS] * 3
    assert all(agent.startswith(f"rhumbline-client/{VERSION} ") for agent in service.agents)


async def test_it_is_not_repeated_for_ever(service: ScriptedService) -> None:
    service.replies = {TOOLS: [error(429, "RATE_LIMIT", retry_after="0")]}
    async with client_of(service) as client:
        with pytest.raises(RateLimited):
            await client.tools()
    assert service.asked == [TOOLS] * AT_ONCE.attempts


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (error(429, "RATE_LIMIT", retry_after="7200"), RateLimited),
        (error(500, "UNKNOWN"), ServiceError),
        (error(422, "A_NEW_CODE"), ServiceError),
        (Reply(502, b"bad gateway"), ServiceError),
        (Reply(302, b"", {"location": "http://127.0.0.1:1/"}), ServiceError),
        (Reply(200, b"<html>"), UnexpectedAnswer),
    ],
)
async def test_what_does_not_pass_is_raised_at_once(
    service: ScriptedService, reply: Reply, kind: type[Exception]
) -> None:
    service.replies = {TOOLS: [reply]}
    async with client_of(service) as client:
        with pytest.raises(kind) as raised:
            await client.tools()
    assert service.asked == [TOOLS]
    if isinstance(raised.value, RateLimited):
        assert raised.value.retry_after == 7200


async def test_what_changes_something_is_sent_once(service: ScriptedService) -> None:
    add = "POST /v1/webhooks"
    for failure in (error(503, "UNKNOWN", retry_after="0"), Reply(breaks=True)):
        service.replies, service.asked = {add: [failure]}, []
        async with client_of(service) as client:
            with pytest.raises((ServiceError, Unreachable)):
                await client.webhooks.add("https://example.com/hooks")
        assert service.asked == [add]


def test_pauses_double_and_heed_what_the_service_says() -> None:
    random.seed(1)
    retries = Retries(attempts=5, first=1.0, longest=10.0)
    broken = Unreachable("x")
    waits = [retries.pause(attempt, broken) for attempt in range(1, 6)]
    assert waits[-1] is None
    assert all(2**n <= (wait or 0) <= 2**n * 1.2 for n, wait in enumerate(waits[:-1]))
    asked = AdapterInternal(502, {"code": "ADAPTER_INTERNAL"}, {"retry-after": "9"})
    assert 9 <= (retries.pause(1, asked) or 0) <= 10.8
    for header in ("11", "1e9"):
        assert retries.pause(1, AdapterInternal(502, {}, {"retry-after": header})) is None
    for header in ("Wed, 21 Oct 2026 07:28:00 GMT", "NaN", "-1", ""):
        assert AdapterInternal(502, {}, {"retry-after": header}).retry_after is None


def older_document() -> dict[str, Any]:
    document = DOCUMENT
    return {**document, "paths": {path: each for path, each in document["paths"].items() if "stream" not in path}}


def status(value: str) -> dict[str, Any]:
    example = DOCUMENT["components"]["schemas"]["TrackedTransaction"]["examples"][0]
    names = DOCUMENT["components"]["schemas"]["PublicStatus"]["properties"]
    return {name: example.get(name) for name in names} | {"status": value, "outputAmountRaw": "7"}


async def test_an_older_service_is_followed_by_asking(
    service: ScriptedService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rhumbline_client.changes.POLLS", (0.0,))
    service.replies = {
        "GET /openapi.json": [Reply(body=older_document())],
        STATUS: [
            error(404, "NOT_FOUND"),
            Reply(body=status("bridge_pending")),
            Reply(body=status("bridge_pending")),
            error(404, "NOT_FOUND"),
            Reply(body=status("bridge_pending")),
            Reply(breaks=True),
            Reply(body=status("success")),
        ],
    }
    async with client_of(service, Retries(attempts=1)) as client:
        told = [(each.type, each.status.status) async for each in client.follow(ID)]
    assert told == [
        ("transaction.seen", "bridge_pending"),
        ("transaction.withdrawn", "bridge_pending"),
        ("transaction.seen", "bridge_pending"),
        ("transaction.final", "success"),
    ]
    assert service.asked.count("GET /openapi.json") == 1
    assert service.asked.count(f"{STATUS}/stream") == 1


async def test_following_ends_in_time(service: ScriptedService) -> None:
    async with client_of(service) as client:
        with pytest.raises(TimedOut, match="follow it again"):
            await client.wait(ID, within=0.2)


async def test_what_an_older_service_lacks_is_said(service: ScriptedService) -> None:
    quote = DOCUMENT["components"]["schemas"]["QuoteResponse"]["examples"][0]
    service.replies = {
        "GET /openapi.json": [Reply(body=older_document())],
        "GET /v1/quotes": [Reply(body=quote)],
        "GET /v1/chains": [Reply(body={"chains": [{"key": "eth", "id": 1}]})],
    }
    async with client_of(service) as client:
        with pytest.raises(EndpointMissing, match="no GET /v1/transactions/stream: it is older than this client"):
            await anext(client.transactions.stream())
        (only,) = [each async for each in client.quote_stream(**ASKED)]
        assert only.adapter == quote["adapter"]
        with pytest.raises(UnexpectedAnswer, match=r"chains\.0\.served: Field required"):
            await client.chains()


async def test_what_a_newer_service_adds_is_kept(service: ScriptedService) -> None:
    newer = {**status("teleported"), "colour": "blue", "outputToken": None}
    service.replies = {STATUS: [Reply(body=newer)]}
    async with client_of(service) as client:
        found = await client.status(ID)
    assert (found.status, found.model_extra) == ("teleported", {"colour": "blue"})


@pytest.mark.parametrize("amount", [1.5, "1.5", "1e9", "", True, "9" * 101, "٣", None])
async def test_an_amount_that_is_none_is_no_answer(service: ScriptedService, amount: object) -> None:
    quote = DOCUMENT["components"]["schemas"]["QuoteResponse"]["examples"][0]
    text = json.dumps({**quote, "inputAmount": amount}).encode()
    service.replies = {"GET /v1/quotes": [Reply(200, text, {"content-type": "application/json"})]}
    async with client_of(service) as client:
        with pytest.raises(UnexpectedAnswer, match="inputAmount"):
            await client.quote(**ASKED)
