"""What one caller adds to scorecards is bounded, and so is what waits for the store."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from rhumbline.accounts import score_tally
from rhumbline.accounts.score_tally import MOST_OF_CALLER, ScoreTally
from rhumbline.domain.scorecard import AdapterPair, Counted, Promise
from tests.api.api_service import NOW
from tests.clocks import Clock

PAIR = AdapterPair("RELAY", 1, 8453)
ASKED = PAIR, Counted.ASKED


def promise(number: int, **changes: Any) -> Promise:
    """Of an output of 1,000,000 raw units in a minute, for 500 USD; whatever is not named does not matter."""
    return replace(Promise(f"0x{number:064x}", PAIR, 10**6, 60, 500_00, weighs=True, at=NOW), **changes)


def test_a_thousand_quotes_of_one_caller_count_as_a_hundred_a_day() -> None:
    clock = Clock(NOW)
    tally = ScoreTally(clock)
    tally.take()
    for _ in range(1000):
        if tally.admits("192.0.2.1", 1, 8453):
            tally.add([ASKED])
    assert tally.take().counts == {NOW.date(): {ASKED: MOST_OF_CALLER}}
    assert tally.uncounted == 1000 - MOST_OF_CALLER
    # Others are not kept out by that, nor is the same caller on another pair, nor the next day.
    assert tally.admits("192.0.2.2", 1, 8453)
    assert tally.admits("192.0.2.1", 1, 10)
    assert not tally.admits("192.0.2.1", 1, 8453)
    clock.move(days=1)
    tally.take()
    assert tally.admits("192.0.2.1", 1, 8453)


def test_callers_are_told_apart_up_to_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(score_tally, "MOST_CALLERS", 3)
    tally = ScoreTally(Clock(NOW))
    assert [tally.admits(str(number), 1, 1) for number in range(5)] == [True, True, True, False, False]
    assert tally.admits("0", 1, 1)
    assert tally.uncounted == 2


def test_what_is_given_back_waits_up_to_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(score_tally, "MOST_PROMISES", 3)
    monkeypatch.setattr(score_tally, "MOST_COUNTS", 2)
    clock = Clock(NOW)
    tally = ScoreTally(clock)
    tally.add([ASKED, (PAIR, Counted.WON), (PAIR, Counted.OTHER)])
    tally.promise(promise(1))
    tally.promise(promise(2))
    taken = tally.take()
    assert tally.lost == 1
    clock.move(days=1)
    tally.add([ASKED])
    tally.promise(promise(3))
    tally.promise(promise(4))
    tally.give_back(taken)
    again = tally.take()
    assert again.counts == {
        NOW.date(): {ASKED: 1, (PAIR, Counted.WON): 1},
        (NOW + timedelta(days=1)).date(): {ASKED: 1},
    }
    assert [each.transaction_id[-1] for each in again.promises] == ["2", "3", "4"]
    assert tally.lost == 2
