"""What requests came to, as pages show it: whole spans, endpoints, and bounds of latency."""

from datetime import timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.accounts.request_history import RequestHistory, Span, quantile_ms
from rhumbline.accounts.request_store import RequestWriter
from rhumbline.accounts.request_tally import BOUNDS_MS, Count, RequestTally
from rhumbline.domain.account import ApiClient, Integrator
from tests.api.api_service import ACME
from tests.clocks import Clock
from tests.portal_fixture import BEGIN

QUOTES, TOKENS = "/v1/quotes", "/v1/tokens"


@pytest.fixture
async def history(store_engine: AsyncEngine, clock: Clock) -> RequestHistory:
    """A request three hours, three days, thirty and eighty days ago, and several now."""
    tally = RequestTally(clock)
    writer = RequestWriter(store_engine, tally, clock)
    other = ApiClient(Integrator("Other", None, None, BEGIN), 5)
    for days, hours in ((80, 0), (29, 0), (3, 0), (0, 3), (0, 0)):
        clock.now = BEGIN - timedelta(days=days, hours=hours)
        tally.add(ApiClient(ACME, 1), QUOTES, 200, 0.02)
        tally.add(other, QUOTES, 500, 9.0)
        await writer.write()
    tally.add(ApiClient(ACME, 2), QUOTES, 422, 0.2, "NO_AVAILABLE_QUOTES", "first")
    tally.add(ApiClient(ACME, 2), TOKENS, 503, 3.0, "UNKNOWN", "second")
    await writer.write()
    return RequestHistory(store_engine, clock)


@pytest.mark.parametrize(
    ("span", "parts", "sums"),
    [
        (Span.HOUR, 60, (3, 1, 1)),
        (Span.DAY, 24, (4, 1, 1)),
        (Span.WEEK, 7, (5, 1, 1)),
        (Span.MONTH, 30, (6, 1, 1)),
        (Span.QUARTER, 90, (7, 1, 1)),
    ],
)
async def test_a_span_is_whole(history: RequestHistory, span: Span, parts: int, sums: tuple[int, int, int]) -> None:
    found = (await history.of("Acme", span)).parts
    assert len(found) == parts
    assert tuple(sum(getattr(part, name) for part in found) for name in ("requests", "refused", "failed")) == sums
    steps = {later.start - earlier.start for earlier, later in pairwise(found)}
    assert len(steps) == 1
    assert found[-1].start <= BEGIN < found[-1].start + steps.pop()
    assert (found[-1].refused, found[-1].failed) == (1, 1)


async def test_endpoints_are_told_apart(history: RequestHistory) -> None:
    quotes, tokens = (await history.of("Acme", Span.DAY)).endpoints
    assert (quotes.endpoint, quotes.requests, quotes.refused, quotes.failed) == (QUOTES, 3, 1, 0)
    assert (quotes.median_ms, quotes.p95_ms, quotes.slowest_ms) == (25, 250, 200)
    assert quotes.statuses == ((200, 2), (422, 1))
    assert (tokens.endpoint, tokens.requests, tokens.failed, tokens.median_ms) == (TOKENS, 1, 1, 5000)


async def test_one_key_is_shown_alone(history: RequestHistory) -> None:
    assert [use.requests for use in (await history.of("Acme", Span.DAY, 1)).endpoints] == [2]
    assert [use.requests for use in (await history.of("Acme", Span.DAY, 2)).endpoints] == [1, 1]
    assert (await history.of("Acme", Span.DAY, 5)).endpoints == (), "another integrator's key has nothing here"
    assert [each.request_id for each in await history.latest_failures("Acme", 5, 2)] == ["second", "first"]
    assert await history.latest_failures("Acme", 5, 1) == ()


async def test_others_see_nothing_of_it(history: RequestHistory) -> None:
    assert (await history.of("Nobody", Span.QUARTER)).endpoints == ()
    assert {use.failed for use in (await history.of("Other", Span.DAY)).endpoints} == {2}
    assert await history.latest_failures("acme", 5) == ()


@given(st.lists(st.floats(min_value=0, max_value=30), min_size=1, max_size=200), st.integers(1, 100))
def test_a_quantile_is_an_upper_bound(seconds: list[float], percent: int) -> None:
    count = Count()
    for each in seconds:
        count.add(each)
    bound = quantile_ms(count.latencies, percent)
    rank = -(-len(seconds) * percent // 100)
    true_ms = sorted(seconds)[rank - 1] * 1000
    below = [each for each in BOUNDS_MS if bound is None or each < bound]
    assert bound is None or true_ms <= bound * (1 + 1e-9)
    assert not below or true_ms >= below[-1] * (1 - 1e-9), "and the next smaller one is none"
