"""Requests are counted by key, endpoint, status and latency, and what is kept of them is bounded."""

from datetime import timedelta

import pytest

from rhumbline.accounts import request_tally
from rhumbline.accounts.request_tally import CLASSES, MOST_FAILURES, CountKey, RequestTally, by_hour
from rhumbline.domain.account import ApiClient
from tests.api.api_service import ACME
from tests.clocks import Clock
from tests.portal_fixture import BEGIN

KEY, OTHER_KEY = ApiClient(ACME, 1), ApiClient(ACME, 2)
QUOTES = "/v1/quotes"
MINUTE = BEGIN.replace(second=0, microsecond=0)


@pytest.fixture
def tally(clock: Clock) -> RequestTally:
    return RequestTally(clock)


def test_what_is_alike_is_counted_together(tally: RequestTally) -> None:
    for seconds in (0.001, 0.004, 0.3):
        tally.add(KEY, QUOTES, 200, seconds)
    tally.add(KEY, QUOTES, 422, 20.0, "NO_AVAILABLE_QUOTES", "a-name")
    tally.add(OTHER_KEY, QUOTES, 200, 0.0)
    counts, failures = tally.take()
    assert {key: (count.requests, count.slowest_ms) for key, count in counts.items()} == {
        CountKey("Acme", MINUTE, 1, QUOTES, 200): (3, 300),
        CountKey("Acme", MINUTE, 1, QUOTES, 422): (1, 20_000),
        CountKey("Acme", MINUTE, 2, QUOTES, 200): (1, 0),
    }
    assert counts[CountKey("Acme", MINUTE, 1, QUOTES, 200)].latencies == [2, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0]
    assert counts[CountKey("Acme", MINUTE, 1, QUOTES, 422)].latencies == [0] * (CLASSES - 1) + [1]
    assert [(each.code, each.request_id, each.ms) for each in failures] == [("NO_AVAILABLE_QUOTES", "a-name", 20_000)]
    assert tally.take() == ({}, [])


def test_without_a_key_nothing_is_counted(tally: RequestTally) -> None:
    for caller in (ApiClient(), ApiClient(key_invalid=True), ApiClient(ACME)):
        tally.add(caller, QUOTES, 500, 1.0)
    assert tally.take() == ({}, [])


def test_what_could_not_be_written_is_added_the_next_time(tally: RequestTally, clock: Clock) -> None:
    tally.add(KEY, QUOTES, 200, 0.02)
    kept, _ = tally.take()
    tally.give_back(kept)
    tally.add(KEY, QUOTES, 200, 0.06)
    tally.add(OTHER_KEY, QUOTES, 200, 0.06)
    clock.move(minutes=1)
    tally.add(KEY, QUOTES, 200, 0.5)
    counts, _ = tally.take()
    assert {key: (count.requests, count.slowest_ms) for key, count in counts.items()} == {
        CountKey("Acme", MINUTE, 1, QUOTES, 200): (1, 20),
        CountKey("Acme", MINUTE + timedelta(minutes=1), 1, QUOTES, 200): (2, 500),
        CountKey("Acme", MINUTE + timedelta(minutes=1), 2, QUOTES, 200): (1, 60),
    }


def test_while_nothing_can_be_written_little_is_kept(
    tally: RequestTally, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(request_tally, "MOST_COUNTS", 10)
    for _ in range(30):
        for key in range(1, 8):
            tally.add(ApiClient(ACME, key), QUOTES, 200, 0.01)
        tally.give_back(tally.take().counts)
        clock.move(minutes=1)
    counts, _ = tally.take()
    assert len(counts) == 10
    assert sum(count.requests for count in counts.values()) + tally.lost == 30 * 7
    for key in range(100):
        tally.add(ApiClient(ACME, key), QUOTES, 200, 0.01)
    assert len(tally.take().counts) == 10


def test_a_flood_of_failures_leaves_the_latest(tally: RequestTally) -> None:
    for number in range(10_000):
        tally.add(KEY, QUOTES, 400, 0.001, "x" * 1000, f"{number}" + "y" * 1000)
    counts, failures = tally.take()
    assert [count.requests for count in counts.values()] == [10_000]
    assert len(failures) == MOST_FAILURES
    assert failures[-1].request_id.startswith("9999y")
    assert {(len(each.code), len(each.request_id)) for each in failures} == {(64, 64)}


def test_hours_have_what_their_minutes_have(tally: RequestTally, clock: Clock) -> None:
    clock.now = BEGIN.replace(minute=58)
    for _ in range(4):
        tally.add(KEY, QUOTES, 200, 0.02)
        tally.give_back(tally.take().counts)
        clock.move(minutes=1)
    minutes = tally.take().counts
    hours = by_hour(minutes)
    assert [(key.start.hour, key.start.minute, count.requests) for key, count in hours.items()] == [
        (12, 0, 2),
        (13, 0, 2),
    ]
    assert [count.requests for count in minutes.values()] == [1, 1, 1, 1], "the minutes' counts are their own"
