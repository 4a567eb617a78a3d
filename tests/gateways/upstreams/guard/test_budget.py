"""The budget of an upstream: never more calls than it may have, whoever makes them; turns within their share."""

from hypothesis import given
from hypothesis import strategies as st

from rhumbline.gateways.upstreams.guard.budget import (
    MOST_REQUESTERS,
    SHARE,
    CallBudget,
    Purpose,
    Spared,
    credit_of,
    pace_of,
    size_of,
)

RATES = st.sampled_from([0.2, 0.5, 0.8, 1.0, 3.0, 20.0])
KINDS = st.sampled_from(["quote", "owed", "status", "price"])
CALLS = st.lists(st.tuples(st.floats(0, 5), KINDS), max_size=60)
_SLACK = 1e-6


@given(RATES, CALLS)
def test_never_more_calls_than_the_budget_has(rate: float, calls: list[tuple[float, str]]) -> None:
    """In any window: its size and what came in meanwhile; what is owed comes on top, and is paid for afterwards."""
    budget, now = CallBudget(rate, 0.0), 0.0
    made: list[float] = []
    owed = 0
    for pause, kind in calls:
        now += pause
        if kind == "owed":
            budget.take(now, 0.0, may_overdraw=True)
            owed += 1
        else:
            turn = budget.take(now, 0.0 if kind == "quote" else 60.0, may_overdraw=False)
            if turn.spared is None:
                made.append(now + turn.wait_s)
    made.sort()
    for first, begin in enumerate(made):
        for last, end in enumerate(made[first:], first):
            assert last - first + 1 <= size_of(rate) + rate * (end - begin) + _SLACK
    total = len(made) + owed
    # All that was ever asked is in the end within the budget, but for the owed that nobody has paid for yet.
    assert total <= size_of(rate) + rate * max([now, *made]) + owed + _SLACK


@given(RATES, CALLS)
def test_who_waits_is_refused_by_impatience_only(rate: float, calls: list[tuple[float, str]]) -> None:
    budget, now = CallBudget(rate, 0.0), 0.0
    for pause, kind in calls:
        now += pause
        patience = 0.0 if kind == "quote" else 7.0
        turn = budget.take(now, patience, may_overdraw=kind == "owed")
        assert (turn.spared is Spared.USED_UP) is (turn.wait_s > patience)
        if kind == "owed":
            assert turn.wait_s == 0


@given(RATES, st.lists(st.floats(0, 5), min_size=1, max_size=60))
def test_turns_keep_to_their_share(rate: float, pauses: list[float]) -> None:
    budget, now = CallBudget(rate, 0.0), 0.0
    pace = pace_of(Purpose.STATUS, rate, None)
    assert pace == rate * SHARE
    turns = []
    for pause in pauses:
        now += pause
        turn = budget.turn(now, Purpose.STATUS, pace, 1e9)
        turns.append(now + turn.wait_s)
    for first, begin in enumerate(turns):
        for last, end in enumerate(turns[first:], first):
            assert last - first + 1 <= 1 + pace * (end - begin) + _SLACK


def test_paces() -> None:
    assert pace_of(Purpose.STATUS, None, None) == 10.0
    assert pace_of(Purpose.PRICE, None, None) is None
    assert pace_of(Purpose.PRICE, None, 0.5) == 0.5
    assert pace_of(Purpose.PRICE, 4.0, None) == 1.0
    assert pace_of(Purpose.PRICE, 4.0, 0.5) == 0.5


def test_a_rest_is_for_all_and_is_never_shortened() -> None:
    budget = CallBudget(None, 0.0)
    budget.rest(30.0)
    budget.rest(10.0)
    for owed in (False, True):
        assert budget.take(20.0, 60.0, may_overdraw=owed) == (10.0, Spared.RESTING)
    assert budget.turn(20.0, Purpose.STATUS, 10.0, 60.0) == (10.0, Spared.RESTING)
    assert budget.take(30.0, 0.0, may_overdraw=False) == (0.0, None)


@given(RATES, st.floats(0.01, 0.5), st.floats(2.5, 10), st.integers(0, 1))
def test_one_requester_leaves_the_others_their_calls(rate: float, often_s: float, seldom: float, builds: int) -> None:
    """However often one asks, another that asks for half of what comes in always finds a call."""
    budget, now, taken = CallBudget(rate, 0.0), 0.0, {"often": 0, "seldom": 0}
    seldom_s = seldom * (1 + builds) / rate
    due = {"often": 0.0, "seldom": 0.02}
    while taken["seldom"] < 12:
        who = min(due, key=lambda each: due[each])
        now = due[who]
        due[who] += often_s if who == "often" else seldom_s
        turn = budget.take(now, 0.0, may_overdraw=False, requester=who)
        assert who == "often" or turn.spared is None
        if turn.spared is None:
            taken[who] += 1
            for _ in range(builds):
                budget.take(now, 0.0, may_overdraw=True, requester=who)
    assert taken["often"] * (1 + builds) <= size_of(rate) + rate * now


@given(RATES, CALLS, st.integers(1, 5))
def test_several_requesters_have_the_credit_and_no_more(rate: float, calls: list[tuple[float, str]], many: int) -> None:
    budget, now, made, owed = CallBudget(rate, 0.0), 0.0, 0, 0
    for number, (pause, kind) in enumerate(calls):
        now += pause
        owed += kind == "owed"
        made += budget.take(now, 0.0, may_overdraw=kind == "owed", requester=f"r{number % many}").spared is None
        assert made <= size_of(rate) + credit_of(size_of(rate)) + rate * now + owed + _SLACK


@given(RATES)
def test_who_is_alone_has_all_that_comes_in(rate: float) -> None:
    budget, taken, step = CallBudget(rate, 0.0), 0, 0.05 / rate
    for number in range(2_000):
        taken += budget.take(number * step, 0.0, may_overdraw=False, requester="one").spared is None
    assert taken >= 2_000 * 0.05 - 2


def test_what_is_remembered_of_requesters_is_bounded() -> None:
    budget = CallBudget(1000.0, 0.0)
    for number in range(MOST_REQUESTERS + 10):
        budget.take(0.0, 0.0, may_overdraw=True, requester=str(number))
    assert len(budget._used) == MOST_REQUESTERS
