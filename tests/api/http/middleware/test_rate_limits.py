"""The limits as a client sees them, over HTTP against the whole application."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import aiohttp
import pytest

from rhumbline.accounts.counters import Limiter, LocalCounters
from rhumbline.domain.account import ApiClient
from rhumbline.domain.clock import system_clock
from tests.api.api_service import ACME, KEY, NOW, UNKNOWN_KEY, ApiService
from tests.api.limited_service import OTHER, QUOTE, TIERS, Answer, Watch, ask, ask_in, limited_app, moored


@pytest.fixture
def api_service() -> ApiService:
    return ApiService()


@pytest.fixture
def watch() -> Watch:
    return Watch()


@pytest.fixture
async def url(api_service: ApiService, watch: Watch) -> AsyncIterator[str]:
    async with moored(limited_app(api_service, Limiter(TIERS, LocalCounters(watch)))) as url:
        yield url


async def use_up(url: str, path: str, times: int, headers: dict[str, str] | None = None) -> list[Answer]:
    async with aiohttp.ClientSession() as session:
        return [await ask_in(session, url, path, headers=headers) for _ in range(times)]


async def test_without_a_key_the_201st_request_is_refused_and_the_other_scope_is_open(url: str, watch: Watch) -> None:
    passed = await use_up(url, OTHER, 200)
    ends = "2026-11-21T14:00:00.124Z"
    assert [answer.limits for answer in passed] == [("200", str(left), ends) for left in range(199, -1, -1)]
    assert {answer.status for answer in passed} == {200}

    watch.move(minutes=90)
    refused = await ask(url, "/v1/tools?chains=1")
    assert refused.status == 429
    assert refused.limits == ("200", "0", ends)
    assert refused.headers["Retry-After"] == "1800"
    assert refused.headers["Content-Type"] == "application/json"
    assert refused.headers["Cache-Control"] == "no-store"
    assert refused.headers["Access-Control-Allow-Origin"] == "*"
    assert refused.headers["X-Request-Id"]
    assert refused.json == {
        "statusCode": 429,
        "code": "RATE_LIMIT",
        "message": f"More than 200 requests in 2 hours: try again after {ends}, "
        "or send an API key in the header x-api-key",
        "timestamp": "2026-03-04T05:06:07.089Z",
        "path": "/v1/tools?chains=1",
    }
    quote = await ask(url, QUOTE)
    assert (quote.status, quote.remaining) == (400, 199)


@pytest.mark.parametrize("path", [QUOTE, "/v1/advanced/routes", "/v1/advanced/stepTransaction"])
async def test_all_that_quotes_counts_together(url: str, path: str) -> None:
    await use_up(url, QUOTE, 3)
    assert (await ask(url, path)).remaining == 196
    assert (await ask(url, OTHER)).remaining == 199


async def test_a_refused_request_moves_nothing(url: str, watch: Watch) -> None:
    await use_up(url, OTHER, 200)
    for _ in range(12):
        watch.move(minutes=9, seconds=59)
        assert (await ask(url)).status == 429
    watch.move(seconds=11.998)
    last = await ask(url)
    assert (last.status, last.headers["Retry-After"]) == (429, "1")
    watch.move(milliseconds=3)
    assert (await ask(url)).remaining == 199


async def test_a_window_begins_with_the_first_request_not_with_the_clock(url: str, watch: Watch) -> None:
    watch.now = datetime(2026, 11, 21, 13, 59, 59, 999_000, UTC)
    assert (await ask(url)).headers["X-RateLimit-Reset"] == "2026-11-21T15:59:59.999Z"
    watch.move(seconds=2)
    assert (await ask(url)).remaining == 198


async def test_every_answer_carries_the_headers(url: str, api_service: ApiService) -> None:
    paths = [OTHER, "/v1/none", "/v1", "/v1/transactions", "/v1/prices?tokens=x", QUOTE, "/v1/tokens?chains=nowhere"]
    for path in paths:
        for method in ("GET", "HEAD", "POST", "OPTIONS"):
            answer = await ask(url, path, method=method)
            assert len(answer.limits) == 3, (path, method, answer.status)
    api_service.store_down = True
    unsettled = await ask(url, "/v1/transactions", x_api_key=KEY)
    assert (unsettled.status, unsettled.limits[0]) == (503, "200")
    api_service.store_down = False
    api_service.failure = RuntimeError("a fault of ours")
    wallet = "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045"
    broken = await ask(
        url,
        f"{QUOTE}?senderAddress={wallet}&originChainId=1&destinationChainId=1&amount=1"
        "&originCurrency=0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"
        "&destinationCurrency=0xdAC17F958D2ee523a2206206994597C13D831ec7",
    )
    assert (broken.status, broken.limits[0]) == (500, "200")


async def test_health_documents_and_preflights_are_not_counted(url: str) -> None:
    for path in ("/health", "/v1/health", "/health/live", "/health/ready", "/docs", "/openapi.json", "/", "/v10"):
        answer = await ask(url, path)
        assert not [name for name in answer.headers if name.lower().startswith("x-ratelimit")], path
    preflight = await ask(
        url, QUOTE, method="OPTIONS", origin="https://app.example", access_control_request_method="GET"
    )
    assert preflight.status == 204
    assert "X-RateLimit-Limit" not in preflight.headers
    assert (await ask(url, QUOTE)).remaining == 199
    assert (await ask(url)).remaining == 199


async def test_a_key_has_its_own_count_and_a_window_of_a_minute(
    url: str, api_service: ApiService, watch: Watch
) -> None:
    await use_up(url, OTHER, 200)
    known = (await use_up(url, OTHER, 200, {"x-api-key": KEY}))[-1]
    assert known.limits == ("200", "0", "2026-11-21T12:01:00.124Z")
    refused = await ask(url, x_api_key=KEY)
    assert (refused.status, refused.headers["Retry-After"]) == (429, "60")
    assert "send an API key" not in refused.json["message"]
    assert refused.json["message"].startswith("More than 200 requests in 1 minute: ")
    api_service.key_owner = ApiClient(ACME, 2)
    assert (await ask(url, x_api_key=KEY)).remaining == 199
    watch.move(seconds=61)
    api_service.key_owner = ApiClient(ACME, 1)
    assert (await ask(url, x_api_key=KEY)).remaining == 199
    assert (await ask(url)).status == 429


async def test_a_custom_limit_holds_for_its_scope(url: str, api_service: ApiService) -> None:
    api_service.key_owner = replace(api_service.key_owner, quote_limit=3, other_limit=None)
    passed = await use_up(url, QUOTE, 3, {"x-api-key": KEY})
    assert [answer.limits[:2] for answer in passed] == [("3", "2"), ("3", "1"), ("3", "0")]
    assert (await ask(url, QUOTE, x_api_key=KEY)).status == 429
    assert (await ask(url, OTHER, x_api_key=KEY)).limits[:2] == ("200", "199")
    api_service.key_owner = replace(api_service.key_owner, quote_limit=1000)
    raised = await ask(url, QUOTE, x_api_key=KEY)
    assert (raised.status, raised.limits[:2]) == (400, ("1000", "995"))


async def test_a_failed_key_counts_for_the_address(url: str) -> None:
    await use_up(url, OTHER, 2)
    wrong = await ask(url, x_api_key=UNKNOWN_KEY)
    assert (wrong.remaining, wrong.headers["X-Api-Key-Status"]) == (197, "invalid")
    await use_up(url, OTHER, 197, {"x-api-key": UNKNOWN_KEY})
    refused = await ask(url, x_api_key="another")
    assert (refused.status, refused.headers["X-Api-Key-Status"]) == (429, "invalid")
    assert (await ask(url, "/v1/transactions", x_api_key=UNKNOWN_KEY)).status == 429


async def test_many_at_once_are_counted_each(url: str) -> None:
    async with aiohttp.ClientSession() as session:
        answers = await asyncio.gather(*(ask_in(session, url) for _ in range(250)))
    assert sorted(answer.status for answer in answers) == [200] * 200 + [429] * 50
    assert sorted(answer.remaining for answer in answers if answer.status == 200) == list(range(200))


async def test_the_true_clock_dates_the_reset(api_service: ApiService) -> None:
    async with moored(limited_app(api_service, Limiter(TIERS, LocalCounters(system_clock)))) as url:
        began = datetime.now(UTC)
        ends = datetime.fromisoformat((await ask(url)).headers["X-RateLimit-Reset"])
        assert began + timedelta(hours=2) <= ends <= datetime.now(UTC) + timedelta(hours=2, milliseconds=1)
        assert ends > NOW


async def test_a_forwarded_address_counts_only_from_a_trusted_proxy(api_service: ApiService, watch: Watch) -> None:
    limiter = Limiter(TIERS, LocalCounters(watch))
    app = limited_app(api_service, limiter)
    async with moored(app, ["10.0.0.0/8"]) as stranger, moored(app, ["127.0.0.1"]) as trusted, moored(app) as nobody:
        for url in (stranger, nobody):
            for host in ("203.0.113.1", "203.0.113.2"):
                await ask(url, x_forwarded_for=host)
        assert (await ask(stranger)).remaining == 195
        first = await ask(trusted, x_forwarded_for="203.0.113.1")
        assert first.remaining == 199
        assert (await ask(trusted, x_forwarded_for="198.51.100.7, 203.0.113.1")).remaining == 198
        assert (await ask(trusted, x_forwarded_for="203.0.113.1:4711, 127.0.0.1")).remaining == 197
        assert (await ask(trusted, x_forwarded_for="203.0.113.2")).remaining == 199


async def test_forwarded_ipv6_addresses_count_by_their_64(api_service: ApiService, watch: Watch) -> None:
    async with moored(limited_app(api_service, Limiter(TIERS, LocalCounters(watch))), ["127.0.0.1"]) as url:
        left = [
            (await ask(url, x_forwarded_for=host)).remaining
            for host in (
                "2001:db8:1:2::1",
                "2001:db8:1:2:ffff:ffff:ffff:ffff",
                "[2001:0DB8:1:2::7]:443",
                "2001:db8:1:3::1",
                "::ffff:203.0.113.1",
                "203.0.113.1",
                "::ffff:203.0.113.2",
            )
        ]
    assert left == [199, 198, 197, 199, 199, 198, 199]
