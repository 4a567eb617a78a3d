"""The fan-out: all at once, one deadline, nobody harms anybody."""

import asyncio
import gc
import weakref
from collections.abc import Sequence
from typing import Any

import pytest
import uvloop
from structlog.testing import capture_logs

from rhumbline.domain import errors
from rhumbline.domain.quote import QuoteRequest, Refusal
from rhumbline.gateways.upstreams.guard.breaker import CLOSED, Breaker
from rhumbline.gateways.upstreams.guard.guard import GuardRules, UpstreamGuard
from rhumbline.routing.call_log import CallNotes
from rhumbline.routing.fan_out import Deadlines, Gathered, Outcome, gather_quotes
from rhumbline.routing.selection import Ask
from tests.routing.venues import Act, Toy, after, raising, toy_request
from tests.virtual_time import in_virtual_time

REQUEST = toy_request()
QUICK = Deadlines(0.15, 5)
LATE = 9


def asks(adapters: Sequence[Toy]) -> list[Ask]:
    return [Ask(adapter, REQUEST) for adapter in adapters]


async def timed(adapters: Sequence[Toy], deadlines: Deadlines = QUICK) -> tuple[Gathered, float]:
    loop = asyncio.get_running_loop()
    started = loop.time()
    gathered = await gather_quotes(asks(adapters), CallNotes(), deadlines)
    return gathered, loop.time() - started


def ticking(rules: GuardRules | None = None) -> UpstreamGuard:
    """A guard that goes by the clock of the loop, as the deadlines do."""
    return UpstreamGuard("host", rules or GuardRules(), now=asyncio.get_running_loop().time)


def behind(guard: UpstreamGuard, act: Act) -> Act:
    """What an adapter does whose host has a guard."""
    return lambda request: guard.run(lambda: act(request))


@in_virtual_time
async def test_nobody_waits_longer_than_the_last() -> None:
    gathered, seconds = await timed([Toy("A", after(1)), Toy("B", after(1)), Toy("C", after(1))], Deadlines(4, 5))
    assert [quote.adapter for quote in gathered.quotes] == ["A", "B", "C"]
    assert seconds == pytest.approx(1)


@in_virtual_time
async def test_each_outcome_is_told_when_it_comes_and_once() -> None:
    loop = asyncio.get_running_loop()
    started, told = loop.time(), list[tuple[str, bool, float]]()
    adapters = [
        Toy("A", after(0.1)),
        Toy("B", raising(errors.NoRoute("none"))),
        Toy("C", after(LATE)),
        Toy("D", after(0.05)),
    ]

    def hear(outcome: Outcome) -> None:
        told.append((outcome.adapter, isinstance(outcome, Refusal), round(loop.time() - started, 3)))

    gathered = await gather_quotes(asks(adapters), CallNotes(), QUICK, listener=hear)
    assert told == [("B", True, 0), ("D", False, 0.05), ("A", False, 0.1), ("C", True, 0.15)]
    assert len(gathered.quotes) + len(gathered.refusals) == len(told)
    await asyncio.sleep(LATE)
    assert len(told) == len(adapters)


@in_virtual_time
async def test_a_good_set_is_enough_after_the_soft_deadline() -> None:
    slow = Toy("C", after(LATE))
    gathered, seconds = await timed([Toy("A", after(0)), Toy("B", raising(errors.NoRoute("none"))), slow])
    assert [quote.adapter for quote in gathered.quotes] == ["A"]
    assert [(refusal.adapter, refusal.kind) for refusal in gathered.refusals] == [("B", "no_route"), ("C", "transient")]
    assert seconds == pytest.approx(0.15)
    await asyncio.sleep(0)
    assert slow.cancelled == ["C"]


@pytest.mark.parametrize(
    ("acts", "outputs"),
    [
        ([raising(errors.NoRoute("none")), raising(errors.NoRoute("none")), after(LATE)], []),
        ([after(0, 7), after(LATE), after(LATE)], [7]),
        ([after(LATE), after(LATE)], []),
    ],
    ids=["no quote", "few answers", "no answer"],
)
@in_virtual_time
async def test_without_a_good_set_the_hard_deadline_holds(acts: list[Act], outputs: list[int]) -> None:
    toys = [Toy(f"A{number}", act) for number, act in enumerate(acts)]
    gathered, seconds = await timed(toys, Deadlines(0.01, 0.3))
    assert [quote.output_amount for quote in gathered.quotes] == outputs
    assert len(gathered.refusals) == len(acts) - len(outputs)
    assert seconds == pytest.approx(0.3)


@in_virtual_time
async def test_a_set_that_becomes_good_late_ends_the_wait() -> None:
    gathered, seconds = await timed([Toy("A", after(0.25)), Toy("B", after(LATE))])
    assert [quote.adapter for quote in gathered.quotes] == ["A"]
    assert seconds == pytest.approx(0.25)


@pytest.mark.parametrize(
    ("act", "outputs", "least_s"), [(after(0.5, 7), [9, 7], 0.5), (raising(errors.NoRoute("none")), [9], 0.15)]
)
@in_virtual_time
async def test_a_last_resort_is_no_good_set_while_another_may_answer(
    act: Act, outputs: list[int], least_s: float
) -> None:
    """Of three two have answered at the soft deadline; that ends the wait only when it does not hang on the resort."""
    resort = toy_request(5)
    questions = [Ask(Toy("A", after(0, 9)), resort), Ask(Toy("B", act), REQUEST), Ask(Toy("C", after(LATE)), resort)]
    loop = asyncio.get_running_loop()
    started = loop.time()
    gathered = await gather_quotes(questions, CallNotes(), QUICK, (resort,))
    assert [quote.output_amount for quote in gathered.quotes] == outputs
    assert loop.time() - started == pytest.approx(least_s)


@in_virtual_time
async def test_nobody_to_ask() -> None:
    assert (await timed([]))[0] == Gathered((), ())


@pytest.mark.parametrize(
    ("error", "kind", "minimum"),
    [
        (errors.NoRoute("r"), "no_route", None),
        (errors.BelowMinimum("r", 5), "below_minimum", 5),
        (errors.SlippageTooTight("r"), "slippage", None),
        (errors.RequestRejected("r"), "bad_request", None),
        (errors.CredentialsRejected("r"), "unauthorized", None),
        (errors.UpstreamFailed("r"), "transient", None),
    ],
)
@in_virtual_time
async def test_an_adapters_error_becomes_a_refusal(error: Exception, kind: str, minimum: int | None) -> None:
    (refusal,) = (await timed([Toy("A", raising(error))]))[0].refusals
    assert (refusal.adapter, refusal.kind, refusal.reason, refusal.minimum) == ("A", kind, "r", minimum)


@pytest.mark.parametrize("error", [ZeroDivisionError("secret"), TimeoutError("secret"), KeyError("secret")])
@in_virtual_time
async def test_a_broken_adapter_harms_nobody_and_tells_nothing(error: Exception) -> None:
    gathered, _ = await timed([Toy("A", raising(error)), Toy("B", after(0))])
    assert [quote.adapter for quote in gathered.quotes] == ["B"]
    (refusal,) = gathered.refusals
    assert refusal.kind == "transient"
    assert "secret" not in refusal.reason


@in_virtual_time
async def test_one_line_a_call() -> None:
    with capture_logs() as lines:
        await timed(
            [Toy("A", after(0)), Toy("B", raising(errors.NoRoute("none"))), Toy("C", after(LATE)), Toy("D", after(0))]
        )
    calls = {line["adapter"]: line["outcome"] for line in lines if line["event"] == "adapter_called"}
    assert calls == {"A": "answered", "B": "no_route", "C": "late", "D": "answered"}
    assert all(isinstance(line["ms"], int) for line in lines)


@in_virtual_time
async def test_a_caller_who_leaves_takes_the_calls_along() -> None:
    toys = [Toy("A", after(LATE)), Toy("B", after(LATE))]
    asking = asyncio.create_task(gather_quotes(asks(toys), CallNotes(), Deadlines()))
    await asyncio.sleep(0.02)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    await asyncio.sleep(0)
    assert [toy.cancelled for toy in toys] == [["A"], ["B"]]


@in_virtual_time
async def test_one_adapter_is_asked_so_often_at_once() -> None:
    running = peak = 0

    async def act(request: QuoteRequest) -> int:
        nonlocal running, peak
        running += 1
        peak = max(peak, running)
        await asyncio.sleep(0.01)
        running -= 1
        return 1

    guarded = behind(ticking(GuardRules(at_once=3)), act)
    answers = await asyncio.gather(*(timed([Toy("A", guarded)]) for _ in range(10)))
    assert peak == 3
    assert all(gathered.quotes for gathered, _ in answers)


@in_virtual_time
async def test_the_breaker_opens_tries_and_closes() -> None:
    guard = ticking(GuardRules(failures=3, pause_s=0.05))
    calls: list[int] = []
    broken = True

    async def act(request: QuoteRequest) -> int:
        calls.append(1)
        if broken:
            raise errors.UpstreamFailed("down")
        return 1

    async def ask() -> Any:
        gathered, _ = await timed([Toy("A", behind(guard, act))])
        return gathered

    reasons = [(await ask()).refusals[0].reason for _ in range(5)]
    assert reasons == ["down"] * 3 + ["is paused after failing several times in a row"] * 2
    assert len(calls) == 3
    await asyncio.sleep(0.06)
    assert (await ask()).refusals[0].reason == "down"
    assert (await ask()).refusals[0].reason != "down"
    await asyncio.sleep(0.06)
    broken = False
    assert [len((await ask()).quotes) for _ in range(3)] == [1, 1, 1]


@in_virtual_time
async def test_refusals_of_substance_do_not_open_the_breaker() -> None:
    guard = ticking(GuardRules(failures=2))
    for _ in range(6):
        gathered, _ = await timed([Toy("A", behind(guard, raising(errors.NoRoute("none"))))])
        assert gathered.refusals[0].reason == "none"


@in_virtual_time
async def test_being_late_at_the_hard_deadline_counts_and_at_the_soft_one_does_not() -> None:
    guard = ticking(GuardRules(failures=1))
    slow, quick = Toy("A", behind(guard, after(LATE))), Toy("A", behind(guard, after(0)))
    await timed([slow, Toy("B", after(0))], Deadlines(0.01, 5))
    gathered, _ = await timed([quick])
    assert gathered.quotes
    await timed([slow], Deadlines(0.01, 0.02))
    gathered, _ = await timed([quick])
    assert "paused" in gathered.refusals[0].reason


RULES = (2, 10)


@pytest.mark.parametrize(
    ("breaker", "now", "allows"),
    [
        (Breaker(), 0, True),
        (Breaker().failed(0, *RULES), 0, True),
        (Breaker().failed(0, *RULES).failed(0, *RULES), 9, False),
        (Breaker().failed(0, *RULES).failed(0, *RULES), 10, True),
        (Breaker().failed(0, *RULES).failed(0, *RULES).entered(), 10, False),
        (Breaker().failed(0, *RULES).failed(0, *RULES).entered().left(), 10, True),
        (Breaker().failed(0, *RULES).failed(0, *RULES).entered().failed(10, *RULES), 19, False),
        (CLOSED.failed(0, *RULES), 0, True),
    ],
)
def test_the_breakers_states(breaker: Breaker, now: float, allows: bool) -> None:
    assert breaker.allows(now) is allows


@in_virtual_time
async def test_who_asks_to_be_left_alone_is() -> None:
    now = 100.0
    calls: list[int] = []

    async def act(request: QuoteRequest) -> int:
        calls.append(1)
        if len(calls) == 1:
            raise errors.UpstreamFailed("limits our rate", 30.0)
        return 1

    guard = UpstreamGuard("host", now=lambda: now)
    reasons = []
    for moment in (100.0, 100.0, 129.9, 130.0):
        now = moment
        gathered, _ = await timed([Toy("A", behind(guard, act))])
        reasons.append([refusal.reason for refusal in gathered.refusals])
    rest = ["is not asked: it limits our rate"]
    assert reasons == [["limits our rate"], rest, rest, []]
    assert len(calls) == 2


@in_virtual_time
async def test_a_budget_of_calls_is_kept() -> None:
    now = 0.0
    guard = UpstreamGuard("host", GuardRules(calls_per_s=2), now=lambda: now)
    answered = []
    for moment in (0, 0, 0, 0, 0, 0.4, 0.5, 0.5, 100, 100, 100, 100, 100):
        now = moment
        gathered, _ = await timed([Toy("A", behind(guard, after(0)))])
        answered.append(len(gathered.quotes))
    assert answered == [1, 1, 1, 1, 0, 0, 1, 0, 1, 1, 1, 1, 0]


@in_virtual_time
async def test_who_waits_for_a_place_is_no_failure_of_the_adapter() -> None:
    """Of three quotes at once one is asked; that it does not answer opens the breaker once, not three times."""
    guard = ticking(GuardRules(failures=2, at_once=1))
    silent, fast = Toy("A", behind(guard, after(LATE))), Toy("B", after(0))
    gathered = await asyncio.gather(
        *(gather_quotes(asks([silent, fast]), CallNotes(), Deadlines(0.1, 0.1)) for _ in range(3))
    )
    assert [len(each.quotes) for each in gathered] == [1, 1, 1]
    assert [each.refusals[0].reason for each in gathered] == ["did not answer within 0.1 s"] * 3
    # A second failure would have opened it.
    follow, _ = await timed([Toy("A", behind(guard, after(0))), fast])
    assert [quote.adapter for quote in follow.quotes] == ["A", "B"]


class Held:
    """What a call has in hand."""


@pytest.mark.parametrize("deadlines", [Deadlines(0.05, 5.0), Deadlines(0.05, 0.05)], ids=["soft", "hard"])
async def test_what_a_call_held_is_let_go_at_once(deadlines: Deadlines) -> None:
    seen: list[weakref.ref[Held]] = []

    async def forever(request: QuoteRequest) -> int:
        held = Held()
        seen.append(weakref.ref(held))
        await asyncio.Event().wait()
        return id(held)

    async def at_once(request: QuoteRequest) -> int:
        return 1

    asks = [Ask(Toy(key, act), toy_request()) for key, act in (("A", forever), ("B", at_once))]
    gc.disable()
    try:
        gathered = await gather_quotes(asks, CallNotes(), deadlines)
        # The task that was cancelled ends in the next turn of the loop.
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert [held() for held in seen] == [None]
    finally:
        gc.enable()
    assert [refusal.adapter for refusal in gathered.refusals] == ["A"]


async def test_what_a_refused_call_held_is_let_go_at_once() -> None:
    """Most upstreams have no route for most questions: that must not leave memory to the garbage collector."""
    seen: list[weakref.ref[Held]] = []

    async def refuse(request: QuoteRequest) -> int:
        held = Held()
        seen.append(weakref.ref(held))
        # As of an answer that several wait for, or that tells of an error.
        meaning = errors.NoRoute("has no route")
        raise meaning

    gc.disable()
    try:
        gathered = await gather_quotes([Ask(Toy("A", refuse), toy_request())], CallNotes(), QUICK)
        assert [held() for held in seen] == [None]
    finally:
        gc.enable()
    assert [refusal.reason for refusal in gathered.refusals] == ["has no route"]


def test_what_waits_in_vain_always_counts_where_clocks_go_in_milliseconds() -> None:
    """On the loop that serves, what has passed is often exactly what was waited for, or by a rounding less."""

    async def counted() -> int:
        paused = 0
        for _ in range(40):
            guard = UpstreamGuard("host", GuardRules(failures=1))
            toys = [Toy("A", behind(guard, after(LATE)))]
            await gather_quotes(asks(toys), CallNotes(), Deadlines(0.003, 0.003))
            follow = await gather_quotes(asks([Toy("A", behind(guard, after(0)))]), CallNotes(), QUICK)
            paused += len(follow.refusals)
        return paused

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        assert runner.run(counted()) == 40
