"""The budget of an upstream: never more calls than it may have, whoever makes them; turns within their share."""

from hypothesis import given
from hypothesis import strategies as st

from rhumbline.gateways.upstreams.guard.budget import SHARE, CallBudget, Purpose, Spared, pace_of, size_of

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
            budget.take(now, 0.0, owed=True)
            owed += 1
        else:
            turn = budget.take(now, 0.0 if kind == "quote" else 60.0, owed=False)
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
        turn = budget.take(now, patience, owed=kind == "owed")
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
        assert budget.take(20.0, 60.0, owed=owed) == (10.0, Spared.RESTING)
    assert budget.turn(20.0, Purpose.STATUS, 10.0, 60.0) == (10.0, Spared.RESTING)
    assert budget.take(30.0, 0.0, owed=False) == (0.0, None)
