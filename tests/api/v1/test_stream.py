"""Quotes as a stream: each adapter as it answers, then the answer, over a real socket."""

import asyncio
import json
from typing import Any

import aiohttp
import pytest

from rhumbline.domain.errors import AdaptersFailed, NoAvailableQuotes, RhumblineError, StoreUnavailable
from rhumbline.domain.quote import Refusal
from rhumbline.domain.route import Estimate, FeeBreakdown
from tests.api.api_service import KEY, TOKENS, UNKNOWN_KEY, ApiService
from tests.api.conftest import Client
from tests.api.wire.test_quote_request import GOOD

STREAM = "/v1/quotes/stream"
ESTIMATE = Estimate("ONCHAIN", 2_000_000, 1_990_000, TOKENS[0], FeeBreakdown((), 0, complete=True))
REFUSAL = Refusal("RELAY", "no_route", "has no route", 5)


def read(text: str) -> list[tuple[str, dict[str, Any]]]:
    """Read events as the standard says: blank lines part them."""
    blocks = [dict(line.split(": ", 1) for line in block.splitlines()) for block in text.split("\n\n") if block]
    return [(block["event"], json.loads(block["data"])) for block in blocks]


async def test_each_adapter_then_the_answer(client: Client, api_service: ApiService) -> None:
    api_service.told = [ESTIMATE, REFUSAL]
    answer = await client.ask(STREAM, GOOD)
    quoted = await client.ask("/v1/quotes", GOOD)
    assert (answer.status, answer.headers["content-type"]) == (200, "text/event-stream; charset=utf-8")
    assert (answer.headers["cache-control"], answer.headers["x-accel-buffering"]) == ("no-store", "no")
    for name in ("x-request-id", "x-ratelimit-remaining", "access-control-allow-origin"):
        assert name in answer.headers
    (first, quote), (second, refusal), last = read(answer.text)
    total = {"amount": "0", "currencySymbol": "USDC", "currencyAddress": TOKENS[0].address, "chainId": 1, "decimals": 6}
    assert (first, quote) == (
        "quote",
        {
            "adapter": "ONCHAIN",
            "outputAmount": "2000000",
            "minOutputAmount": "1990000",
            "fees": {"total": total, "breakdown": []},
        },
    )
    assert (second, refusal) == ("refusal", {"adapter": "RELAY", "kind": "no_route", "reason": "has no route"})
    assert last == ("answer", quoted.json)


async def test_nothing_is_held_back_and_who_goes_away_ends_the_work(client: Client, api_service: ApiService) -> None:
    api_service.told, api_service.lets = [ESTIMATE], asyncio.Event()
    api_service.admission.at_once = 1
    async with asyncio.timeout(10), aiohttp.ClientSession() as session:
        async with session.get(client.url + STREAM, params=GOOD) as response:
            block = await response.content.readuntil(b"\n\n")
            assert read(block.decode())[0][0] == "quote"
            assert not api_service.ended.is_set()
            response.close()
        await api_service.ended.wait()
        with await api_service.admission.enter("the next one"):
            pass
    assert not api_service.lets.is_set()


@pytest.mark.parametrize(
    ("failure", "status", "code", "retry_ms"),
    [
        (NoAvailableQuotes("There is no route", {"adapters": []}), 422, "NO_AVAILABLE_QUOTES", None),
        (RuntimeError("a secret"), 500, "UNKNOWN", None),
        (AdaptersFailed("A node does not answer"), 502, "ADAPTER_INTERNAL", 3000),
        (StoreUnavailable("The store does not answer"), 503, "UNKNOWN", 5000),
    ],
)
async def test_a_failure_is_the_last_event(
    client: Client, api_service: ApiService, failure: Exception, status: int, code: str, retry_ms: int | None
) -> None:
    """What passes says when to ask again, as the header of a plain answer does."""
    api_service.told, api_service.failure = [REFUSAL], failure
    answer = await client.ask(STREAM, GOOD)
    plain = await client.ask("/v1/quotes", GOOD)
    assert answer.status == 200
    (_, _), (name, error) = read(answer.text)
    assert (name, error["statusCode"], error["code"]) == ("error", status, code)
    if isinstance(failure, RhumblineError):
        assert {**error, "path": ""} == {**plain.json, "path": ""}
    assert error["path"].startswith(STREAM + "?")
    told = [int(line.removeprefix("retry: ")) for line in answer.text.splitlines() if line.startswith("retry: ")]
    assert told == ([] if retry_ms is None else [retry_ms])
    assert plain.headers.get("retry-after") == (None if retry_ms is None else str(retry_ms // 1000))
    assert "secret" not in answer.text


async def test_parameters_keys_and_limits_are_those_of_quotes(client: Client, api_service: ApiService) -> None:
    wrong = {**GOOD, "amount": "1.5"}
    faulty, plain = await client.ask(STREAM, wrong), await client.ask("/v1/quotes", wrong)
    assert (faulty.status, faulty.json["details"]) == (400, plain.json["details"])
    left = [int(each.headers["X-RateLimit-Remaining"]) for each in (faulty, plain)]
    assert left[0] - left[1] == 1
    assert (await client.ask(STREAM, GOOD, headers={"x-api-key": UNKNOWN_KEY})).headers["x-api-key-status"] == "invalid"
    await client.ask(STREAM, GOOD, headers={"x-api-key": KEY})
    assert api_service.asked[-1].integrator == "Acme"
    api_service.store_down = True
    assert (await client.ask(STREAM, GOOD, headers={"x-api-key": KEY})).status == 503
    assert (await client.ask(STREAM, GOOD, method="POST")).status == 405


async def test_its_head_has_no_body(client: Client, api_service: ApiService) -> None:
    answer = await client.ask(STREAM, GOOD, method="HEAD")
    assert (answer.status, answer.text) == (200, "")
    assert answer.headers["content-type"].startswith("text/event-stream")
