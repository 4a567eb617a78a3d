"""What one caller adds to scorecards is bounded, and so is what waits for the store."""

from collections import Counter
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest

from rhumbline.accounts import score_tally
from rhumbline.accounts.score_tally import MOST_OF_CALLER, CallerPair, Key, ScoreTally
from rhumbline.domain.scorecard import AdapterPair, Counted, Promise
from tests.api.api_service import NOW
from tests.clocks import Clock

PAIR = AdapterPair("RELAY", 1, 8453)
ASKED = PAIR, Counted.ASKED
CALLER = CallerPair("192.0.2.1", 1, 8453)


def promise(number: int, **changes: Any) -> Promise:
    """Of an output of 1,000,000 raw units in a minute, for 500 USD; whatever is not named does not matter."""
    return replace(Promise(f"0x{number:064x}", PAIR, 10**6, 60, 500_00, weighs=True, at=NOW), **changes)


def taken(tally: ScoreTally) -> dict[date, Counter[Key]]:
    """Return what waits, in sums."""
    return {
        day: Counter(key for request in requests for key in request.counted)
        for day, requests in tally.take().requests.items()
    }


def counts_one_more(tally: ScoreTally, caller: CallerPair) -> bool:
    before = tally.uncounted
    tally.add(caller, [ASKED])
    return tally.uncounted == before


def test_a_thousand_quotes_of_one_caller_count_as_a_hundred_a_day() -> None:
    clock = Clock(NOW)
    tally = ScoreTally(clock)
    tally.take()
    for _ in range(1000):
        tally.add(CALLER, [ASKED])
    assert taken(tally) == {NOW.date(): {ASKED: MOST_OF_CALLER}}
    assert tally.uncounted == 1000 - MOST_OF_CALLER
    # Others are not kept out by that, nor is the same caller on another pair, nor the next day.
    assert counts_one_more(tally, CALLER._replace(requester="192.0.2.2"))
    assert counts_one_more(tally, CALLER._replace(destination_chain_id=10))
    assert not counts_one_more(tally, CALLER)
    clock.move(days=1)
    tally.take()
    assert counts_one_more(tally, CALLER)


def test_what_other_processes_have_counted_is_known_for_its_day() -> None:
    tally = ScoreTally(Clock(NOW))
    tally.take()
    tally.learn(NOW.date(), {CALLER: MOST_OF_CALLER - 1}, 3)
    assert [counts_one_more(tally, CALLER) for _ in range(3)] == [True, False, False]
    assert tally.uncounted == 5
    tally.learn(NOW.date() - timedelta(days=1), {CALLER._replace(requester="192.0.2.2"): MOST_OF_CALLER}, 0)
    assert counts_one_more(tally, CALLER._replace(requester="192.0.2.2"))


def test_callers_are_told_apart_up_to_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(score_tally, "MOST_CALLERS", 3)
    tally = ScoreTally(Clock(NOW))
    found = [counts_one_more(tally, CALLER._replace(requester=str(number))) for number in range(5)]
    assert found == [True, True, True, False, False]
    assert counts_one_more(tally, CALLER._replace(requester="0"))
    assert tally.uncounted == 2


def test_what_is_given_back_waits_up_to_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(score_tally, "MOST_PROMISES", 3)
    monkeypatch.setattr(score_tally, "MOST_REQUESTS", 2)
    clock = Clock(NOW)
    tally = ScoreTally(clock)
    for counted in ([ASKED], [ASKED, (PAIR, Counted.WON)], [ASKED]):
        tally.add(CALLER, counted)
    tally.promise(promise(1))
    tally.promise(promise(2))
    waiting = tally.take()
    assert tally.lost == 1
    clock.move(days=1)
    tally.add(CALLER, [ASKED])
    tally.promise(promise(3))
    tally.promise(promise(4))
    tally.give_back(waiting)
    assert tally.lost == 3
    again = tally.take()
    tally.give_back(again)
    assert taken(tally) == {NOW.date(): {ASKED: 1}, (NOW + timedelta(days=1)).date(): {ASKED: 1}}
    assert [each.transaction_id[-1] for each in again.promises] == ["2", "3", "4"]
    assert tally.lost == 3
