"""One guard a host: what any kind of call learns of the host holds for all kinds, and for no other host."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from structlog.testing import capture_logs

from rhumbline.domain.errors import NodeUnavailable, NoRoute, UpstreamFailed
from rhumbline.domain.metrics import NoMetrics
from rhumbline.domain.service_status import UpstreamState
from rhumbline.gateways.upstreams.guard.budget import Purpose, Spared
from rhumbline.gateways.upstreams.guard.call import Errand, UpstreamCall
from rhumbline.gateways.upstreams.guard.guard import RECENTLY_S, GuardRules, NotAsked, UpstreamGuard
from rhumbline.gateways.upstreams.guard.guards import UpstreamGuards, host_and_port
from rhumbline.gateways.upstreams.spec import failure_of
from rhumbline.gateways.upstreams.upstream import (
    UNTOLD_REST_S,
    Upstream,
    UpstreamError,
    UpstreamRefused,
    UpstreamSpared,
    open_upstream,
)
from rhumbline.pricing.source import SourceUnavailable
from rhumbline.pricing.sources.answers import ask
from tests.adapters.exchanges.recorded import Recorded, recorded_upstream
from tests.clocks import Seconds
from tests.virtual_time import in_virtual_time

REST = "is not asked: it limits our rate"
USED_UP = "is not asked: its budget of calls is used up for the moment"
PAUSED = "is paused after failing several times in a row"


@asynccontextmanager
async def behind(watch: Seconds, **rules: Any) -> AsyncIterator[tuple[Upstream, Recorded]]:
    guard = UpstreamGuard("toy", GuardRules(**rules), now=watch)
    async with recorded_upstream() as recorded, open_upstream("toy", recorded.url, guard=guard) as upstream:
        recorded.says("/x", {})
        yield upstream, recorded


async def asked(upstream: Upstream, purpose: Purpose, patience_s: float = 1.0) -> str:
    """How a call of an adapter's ends that makes one request."""

    async def work() -> str:
        try:
            await upstream.get("/x")
        except (UpstreamRefused, UpstreamSpared) as error:
            raise failure_of(error) from error
        return "answered"

    try:
        return await UpstreamCall(purpose, patience_s).run(work)
    except UpstreamFailed as error:
        return error.reason


@pytest.mark.parametrize("first", list(Purpose))
@pytest.mark.parametrize(("told", "rest_s"), [({"retry-after": "30"}, 30.0), ({}, UNTOLD_REST_S)])
async def test_a_429_of_any_kind_of_call_rests_all_kinds(first: Purpose, told: dict[str, str], rest_s: float) -> None:
    watch = Seconds()
    async with behind(watch) as (upstream, recorded):
        recorded.says("/x", {}, 429)
        recorded.headers.update(told)
        assert await asked(upstream, first) == "limits our rate"
        recorded.says("/x", {})
        assert [await asked(upstream, purpose) for purpose in Purpose] == [REST] * 4
        watch.now += rest_s - 0.1
        assert [await asked(upstream, purpose) for purpose in Purpose] == [REST] * 4
        assert len(recorded.asked) == 1
        watch.now += 0.2
        assert [await asked(upstream, purpose) for purpose in Purpose] == ["answered"] * 4


@pytest.mark.parametrize(("status", "rests"), [(503, True), (500, True), (408, True), (400, False), (401, False)])
async def test_a_rest_that_is_asked_for_is_kept_but_not_with_a_word_on_the_question(status: int, rests: bool) -> None:
    async with behind(Seconds()) as (upstream, recorded):
        recorded.says("/x", {}, status)
        recorded.headers["retry-after"] = "30"
        for expected in (UpstreamRefused, UpstreamSpared if rests else UpstreamRefused):
            with pytest.raises(expected):
                await upstream.get("/x")


async def test_a_price_source_is_told_when_to_come_back() -> None:
    async with behind(Seconds()) as (upstream, recorded):
        recorded.says("/x", {}, 429)
        recorded.headers["retry-after"] = "30"
        for _ in range(2):
            with pytest.raises(SourceUnavailable) as caught:
                await ask(upstream, "/x", {})
            assert caught.value.retry_after_s == 30
        assert len(recorded.asked) == 1


async def test_a_guard_of_one_host_stops_no_other_host() -> None:
    guards = UpstreamGuards()
    async with recorded_upstream() as one, recorded_upstream() as other:
        for recorded in (one, other):
            recorded.says("/x", {})
        async with (
            open_upstream("one", one.url, guard=guards.of(one.url, "one")) as here,
            open_upstream("two", one.url + "/v2", guard=guards.of(one.url + "/v2", "two")) as same,
            open_upstream("other", other.url, guard=guards.of(other.url, "other")) as there,
        ):
            one.says("/x", {}, 429)
            assert await asked(here, Purpose.QUOTE) == "limits our rate"
            assert await asked(same, Purpose.QUOTE) == REST
            assert await asked(there, Purpose.QUOTE) == "answered"


def test_hosts_are_compared_with_their_ports() -> None:
    assert (
        host_and_port("https://API.example/v3?key=1")
        == host_and_port("https://user:word@api.example:443")
        == "api.example:443"
    )
    assert len({host_and_port(url) for url in ("https://a.example", "http://a.example", "https://b.a.example")}) == 3
    with pytest.raises(ValueError, match="without a host"):
        host_and_port("/path")


def work(*ends: Exception | None, seconds: float = 0.0) -> Callable[[], Awaitable[int]]:
    """Work that ends so, one time after another; the last end for ever."""
    left = list(ends)

    async def run() -> int:
        await asyncio.sleep(seconds)
        end = left.pop(0) if len(left) > 1 else left[0]
        if end is not None:
            raise end
        return 1

    return run


async def reason(
    guard: UpstreamGuard, purpose: Purpose, run: Callable[[], Awaitable[int]], requester: str = "", question: int = 0
) -> str:
    try:
        await UpstreamCall(purpose, requester=requester, question=question).run(partial(guard.run, run))
    except (NoRoute, UpstreamFailed) as error:
        return error.reason
    return ""


def ticking(**rules: Any) -> UpstreamGuard:
    return UpstreamGuard("toy", GuardRules(**rules), now=asyncio.get_running_loop().time)


@in_virtual_time
async def test_who_waits_judges_nobody_but_is_paused_with_the_others() -> None:
    guard, down = ticking(failures=2, pause_s=10), work(UpstreamFailed("down"))
    for purpose in (Purpose.STATUS, Purpose.PRICE):
        assert {await reason(guard, purpose, down) for _ in range(3)} == {"down"}
    assert await reason(guard, Purpose.QUOTE, down) == "down"
    # What is told about a transfer says nothing of whether quotes work.
    assert await reason(guard, Purpose.STATUS, work(None)) == ""
    assert await reason(guard, Purpose.BUILD, down) == "down"
    assert [await reason(guard, purpose, work(None)) for purpose in Purpose] == [PAUSED] * 4
    await asyncio.sleep(10)
    assert await reason(guard, Purpose.STATUS, work(None)) == ""
    assert await reason(guard, Purpose.QUOTE, work(None)) == ""


@in_virtual_time
async def test_what_an_adapter_makes_of_an_answer_decides_not_how_it_came() -> None:
    """A refusal may be an answer, and an answer that is not what was asked is a failure."""
    guard = ticking(failures=2)

    async def quote(raised: Exception, inner: Exception | None) -> None:
        with suppress(ZeroDivisionError):
            await guard.run(work(inner))
        raise raised

    for _ in range(4):
        assert await reason_of(partial(quote, NoRoute("none"), ZeroDivisionError())) == "none"
    for _ in range(2):
        assert await reason_of(partial(quote, UpstreamFailed("another token"), None)) == "another token"
    assert await reason_of(partial(quote, NoRoute("none"), None)) == PAUSED


async def reason_of(quote: Callable[[], Awaitable[None]]) -> str:
    try:
        await UpstreamCall(Purpose.QUOTE).run(quote)
    except (NoRoute, UpstreamFailed) as error:
        return error.reason
    return ""


@in_virtual_time
async def test_of_two_hosts_the_one_that_failed_is_blamed() -> None:
    good, bad = ticking(failures=1), ticking(failures=1)

    async def quote() -> None:
        with pytest.raises(ZeroDivisionError):
            await bad.run(work(ZeroDivisionError()))
        await good.run(work(None))
        raise UpstreamFailed("half an answer")

    assert await reason_of(quote) == "half an answer"
    assert await reason(good, Purpose.QUOTE, work(None)) == ""
    assert await reason(bad, Purpose.QUOTE, work(None)) == PAUSED


@in_virtual_time
async def test_what_is_spared_is_no_failure() -> None:
    guard, empty = ticking(failures=1), ticking(calls_per_s=0.5)
    await empty.run(work(None))

    async def quote() -> None:
        await guard.run(work(None))
        await empty.run(work(None))

    assert await reason_of(quote) == USED_UP
    assert await reason(guard, Purpose.QUOTE, work(None)) == ""


@in_virtual_time
async def test_a_trial_that_is_cancelled_leaves_the_way_to_the_next() -> None:
    guard = ticking(failures=1, pause_s=10)
    await reason(guard, Purpose.QUOTE, work(UpstreamFailed("down")))
    await asyncio.sleep(10)
    trial = asyncio.create_task(reason(guard, Purpose.QUOTE, work(None, seconds=60)))
    await asyncio.sleep(1)
    assert await reason(guard, Purpose.QUOTE, work(None)) == PAUSED
    trial.cancel()
    await asyncio.gather(trial, return_exceptions=True)
    assert await reason(guard, Purpose.QUOTE, work(None)) == ""
    assert await reason(guard, Purpose.QUOTE, work(None)) == ""


@in_virtual_time
async def test_a_request_that_outlives_its_call_is_no_trial() -> None:
    """Others wait for it still: nobody would end the trial."""
    guard = ticking(failures=1, pause_s=10, at_once=1)
    await reason(guard, Purpose.QUOTE, work(UpstreamFailed("down")))
    await asyncio.sleep(10)
    holding = asyncio.create_task(guard.run(work(None, seconds=5)))
    await asyncio.sleep(0)
    left: list[asyncio.Task[int]] = []

    async def quote() -> None:
        left.append(asyncio.create_task(guard.run(work(None))))
        await asyncio.sleep(0)

    await reason_of(quote)
    assert await asyncio.gather(holding, *left) == [1, 1]
    assert await reason(guard, Purpose.QUOTE, work(None)) == ""


@in_virtual_time
async def test_polls_take_their_share_of_one_budget_and_no_more() -> None:
    """Polls wait for their turn; with quotes that ask all the time the host still sees no more than its budget."""
    loop, seen = asyncio.get_running_loop(), list[tuple[str, float]]()
    guard = ticking(calls_per_s=2.0)

    async def note(kind: str) -> int:
        seen.append((kind, loop.time()))
        return 1

    async def poll() -> None:
        await UpstreamCall(Purpose.STATUS, 1000).run(partial(guard.run, partial(note, "poll")))

    async def quoting() -> None:
        while True:
            await reason(guard, Purpose.QUOTE, partial(note, "quote"))
            await asyncio.sleep(0.05)

    others = asyncio.create_task(quoting())
    await asyncio.gather(*(poll() for _ in range(20)))
    others.cancel()
    took = loop.time()
    polls = [at for kind, at in seen if kind == "poll"]
    assert all(later - sooner >= 2 - 1e-3 for sooner, later in pairwise(polls))
    assert took == pytest.approx(38, abs=2), "a quarter of two a second is one in two seconds"
    assert len(seen) <= 4 + 2 * took + 1
    assert len(seen) - len(polls) >= 1.5 * took - 4, "quotes have the rest"


@in_virtual_time
async def test_a_thousand_questions_about_transfers_end_in_minutes_where_they_have_a_budget_of_their_own() -> None:
    loop, guard = asyncio.get_running_loop(), ticking(calls_per_s=0.8, status_per_s=3.2)
    quoted = [await reason(guard, Purpose.QUOTE, work(None)) for _ in range(3)]
    assert quoted[-1] == USED_UP

    async def poll() -> float:
        await UpstreamCall(Purpose.STATUS, 1000).run(partial(guard.run, work(None)))
        return loop.time()

    began = loop.time()
    ends = sorted(await asyncio.gather(*(poll() for _ in range(1000))))
    assert ends[-1] - began == pytest.approx(999 / 3.2, rel=0.01)
    assert await reason(guard, Purpose.QUOTE, work(None)) == "", "quotes have kept theirs"


@in_virtual_time
async def test_waiting_for_a_turn_is_no_slowness_of_the_host() -> None:
    guard = ticking()
    calls = [UpstreamCall(Purpose.PRICE, 100, per_s=0.1) for _ in range(4)]
    began = asyncio.get_running_loop().time()
    await asyncio.gather(*(call.run(partial(guard.run, work(None, seconds=4)), 5) for call in calls))
    assert asyncio.get_running_loop().time() - began == pytest.approx(34, abs=0.1)
    assert [round(call.waited_s) for call in calls] == [0, 10, 20, 30]
    late = UpstreamCall(Purpose.PRICE, 100, per_s=0.1)
    with pytest.raises(TimeoutError):
        await late.run(partial(guard.run, work(None, seconds=6)), 5)


@in_virtual_time
async def test_patience_ends_and_who_is_cancelled_while_waiting_has_asked_nothing() -> None:
    guard = ticking()
    asked_for = list[int]()

    async def note() -> None:
        asked_for.append(1)

    calls = [UpstreamCall(Purpose.STATUS, 0.25) for _ in range(5)]
    ends = await asyncio.gather(*(call.run(partial(guard.run, note)) for call in calls), return_exceptions=True)
    assert [type(end) for end in ends] == [type(None)] * 3 + [NotAsked] * 2
    assert [call.spared for call in calls] == [None] * 3 + [Spared.USED_UP] * 2
    waiting = asyncio.create_task(UpstreamCall(Purpose.STATUS).run(partial(guard.run, note)))
    await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    assert len(asked_for) == 3


@in_virtual_time
async def test_a_build_is_owed_and_so_is_what_follows_from_a_request_that_was_let_through() -> None:
    guard = ticking(calls_per_s=0.5)

    async def both() -> None:
        await guard.run(work(None))
        await guard.run(work(None))

    assert await reason_of(both) == ""
    assert await reason(guard, Purpose.BUILD, work(None)) == ""
    # Three calls are paid for at half a call a second.
    for seconds, expected in ((5.9, USED_UP), (0.2, ""), (0.1, USED_UP)):
        await asyncio.sleep(seconds)
        assert await reason(guard, Purpose.QUOTE, work(None)) == expected


@in_virtual_time
async def test_it_is_counted_and_told_once() -> None:
    class Counting(NoMetrics):
        def __init__(self) -> None:
            self.seen: list[tuple[str, str, str]] = []

        def spared(self, upstream: str, call: str, why: str, /) -> None:
            self.seen.append((upstream, call, why))

    metrics, now = Counting(), asyncio.get_running_loop().time
    guard = UpstreamGuard("toy", GuardRules(failures=1, pause_s=5, calls_per_s=0.5), now=now, metrics=metrics)
    with capture_logs() as lines:
        await reason(guard, Purpose.QUOTE, work(None))
        await reason(guard, Purpose.QUOTE, work(None))
        await reason(guard, Purpose.BUILD, work(UpstreamFailed("limits our rate", 30.0)))
        await reason(guard, Purpose.BUILD, work(None))
        await asyncio.sleep(6)
        await reason(guard, Purpose.STATUS, work(None))
    assert metrics.seen == [("toy", "quote", "used_up"), ("toy", "build", "paused"), ("toy", "status", "resting")]
    assert [(line["event"], line["upstream"], line["seconds"]) for line in lines] == [
        ("upstream_paused", "toy", 5), ("upstream_rests", "toy", 30),
    ]  # fmt: skip


# What each caller does: how many turns of the loop it comes late, stays, and whether it is cancelled while it waits.
CALLERS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.booleans()), max_size=12)


@given(st.integers(1, 3), CALLERS)
def test_calls_at_once(number: int, callers: list[tuple[int, int, bool]]) -> None:
    asyncio.run(_come_and_go(number, callers))


async def _come_and_go(number: int, callers: list[tuple[int, int, bool]]) -> None:
    guard, inside, most, came, served = UpstreamGuard("HOST", GuardRules(at_once=number)), 0, 0, [], []

    async def come(name: int, late: int, stays: int) -> None:
        for _ in range(late):
            await asyncio.sleep(0)
        came.append(name)
        await guard.run(lambda: stay(name, stays))

    async def stay(name: int, turns: int) -> None:
        nonlocal inside, most
        served.append(name)
        inside += 1
        most = max(most, inside)
        try:
            for _ in range(turns):
                await asyncio.sleep(0)
        finally:
            inside -= 1

    async def cancel(task: asyncio.Task[None], late: int) -> None:
        for _ in range(late + 2):
            await asyncio.sleep(0)
        task.cancel()

    tasks = [asyncio.create_task(come(name, late, stays)) for name, (late, stays, _) in enumerate(callers)]
    cancelling = [
        asyncio.create_task(cancel(task, late)) for task, (late, _, ends) in zip(tasks, callers, strict=True) if ends
    ]
    async with asyncio.timeout(20):
        ended = await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.gather(*cancelling)
    assert all(end is None or isinstance(end, asyncio.CancelledError) for end in ended)
    assert most <= number
    assert served == [name for name in came if name in served]
    inside = most = 0
    await asyncio.gather(*(guard.run(lambda: stay(-1, 2)) for _ in range(number)))
    assert most == number


@pytest.mark.parametrize("same", ["requester", "question"])
@in_virtual_time
async def test_nobody_opens_a_breaker_alone(same: str) -> None:
    """Failures count once a requester, and once a question: either may be what the failures come of."""
    guard, down = ticking(failures=3, pause_s=15), work(UpstreamFailed("down"))
    for number in range(20):
        asking = ("one", number) if same == "requester" else (f"r{number}", 7)
        assert await reason(guard, Purpose.QUOTE, down, *asking) == "down"
    assert await reason(guard, Purpose.QUOTE, work(None), "honest", 1) == ""
    ends = [await reason(guard, Purpose.BUILD, down, f"r{number}", number) for number in range(3)]
    assert ends == ["down"] * 3
    assert await reason(guard, Purpose.QUOTE, work(None), "honest", 1) == PAUSED


@in_virtual_time
async def test_nobody_keeps_a_breaker_open_alone() -> None:
    guard, down = ticking(failures=2, pause_s=15), work(UpstreamFailed("down"))
    for number in range(2):
        await reason(guard, Purpose.QUOTE, down, f"r{number}", number)
    for number, expected in ((10, PAUSED), (11, ""), (12, "")):
        await asyncio.sleep(15.1)
        assert await reason(guard, Purpose.QUOTE, down, "one", number) == "down"
        assert await reason(guard, Purpose.QUOTE, work(None), "honest", 1) == expected


async def test_a_host_that_nobody_reaches_is_paused_whoever_asks() -> None:
    """No connection could be made: nothing was asked that it could have failed at."""
    guard = ticking(failures=3)
    async with open_upstream("toy", "http://127.0.0.1:9", guard=guard) as upstream:

        async def quote() -> None:
            try:
                await upstream.get("/x")
            except UpstreamSpared as error:
                raise UpstreamFailed("spared") from error
            except UpstreamError as error:
                raise failure_of(error) from error

        for _ in range(3):
            with pytest.raises(UpstreamFailed, match="cannot be reached"):
                await UpstreamCall(Purpose.QUOTE, requester="one").run(quote)
        with pytest.raises(UpstreamFailed, match="spared"):
            await UpstreamCall(Purpose.QUOTE, requester="one").run(quote)


@in_virtual_time
async def test_what_a_node_of_ours_fails_at_is_no_hosts_failure() -> None:
    """A build reads the chain beside its upstream, which answered; however deep the node's failure is wrapped."""
    guard = ticking(failures=1)

    async def build(wrapped: bool) -> None:
        await guard.run(work(None))
        try:
            try:
                raise NodeUnavailable("away")
            except NodeUnavailable as error:
                raise UpstreamFailed("the node is away", 30.0) from error
        except UpstreamFailed as error:
            if wrapped:
                raise UpstreamFailed(f"after a swap: {error.reason}", 30.0) from error
            raise

    for wrapped in (False, True):
        with pytest.raises(UpstreamFailed):
            await UpstreamCall(Purpose.BUILD).run(partial(build, wrapped))
    with pytest.raises(NodeUnavailable):
        await UpstreamCall(Purpose.BUILD).run(partial(guard.run, work(NodeUnavailable("away"))))
    assert await reason(guard, Purpose.QUOTE, work(None)) == ""


@in_virtual_time
async def test_an_errand_asks_a_host_with_a_budget_for_one_part() -> None:
    guard, free, errand = ticking(calls_per_s=5.0), ticking(calls_per_s=20.0), Errand()

    async def ask(host: UpstreamGuard, part: int) -> str:
        try:
            await UpstreamCall(Purpose.QUOTE, errand=(errand, part)).run(partial(host.run, work(None)))
        except UpstreamFailed as error:
            return error.reason
        return ""

    assert [await ask(guard, part) for part in (1, 1, 2, 1)] == ["", "", Spared.PLANNED.value, ""]
    assert [await ask(free, part) for part in (1, 2)] == ["", ""]


@in_virtual_time
async def test_one_requester_has_half_of_the_places() -> None:
    """Questions that are slow to answer fill the places of whoever asks them; the others' stay free."""
    loop, guard = asyncio.get_running_loop(), ticking(at_once=4)
    slow = [asyncio.create_task(reason(guard, Purpose.QUOTE, work(None, seconds=4), "one", n)) for n in range(8)]
    await asyncio.sleep(0.1)
    began = loop.time()
    assert await reason(guard, Purpose.QUOTE, work(None, seconds=1), "honest") == ""
    assert loop.time() - began == pytest.approx(1)
    await asyncio.gather(*slow)
    assert loop.time() - began == pytest.approx(16, abs=0.2)
    assert await reason(guard, Purpose.QUOTE, work(None)) == ""


async def test_the_state_of_a_host_is_what_its_last_calls_have_shown() -> None:
    watch, url = Seconds(), "https://user:secret@hidden.example/key"
    guards = UpstreamGuards({host_and_port(url): GuardRules(failures=2, pause_s=15.0)}, now=watch)
    guard = guards.of(url, "TOY")
    assert guards.of(f"{url}/other", "SECOND") is guard
    seen = [guards.states("TOY")]
    guard.settle(ok=True)
    seen.append(guards.states("TOY"))
    watch.now += RECENTLY_S
    seen.append(guards.states("TOY"))
    await guard.rest(30.0)
    seen.append(guards.states("TOY"))
    for _ in range(2):
        guard.settle(ok=False)
    seen.append(guards.states("SECOND"))
    watch.now += 60.0
    # It may be tried, and has shown nothing yet.
    seen.append(guards.states("TOY"))
    guard.settle(ok=True)
    seen.append(guards.states("TOY"))
    quiet, answering = UpstreamState.QUIET, UpstreamState.ANSWERING
    limited, is_open = UpstreamState.RATE_LIMITED, UpstreamState.BREAKER_OPEN
    assert seen == [{each} for each in (quiet, answering, quiet, limited, is_open, is_open, answering)]
    assert guards.states("NOBODY") == frozenset()
