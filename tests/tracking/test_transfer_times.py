"""Who has most likely arrived is asked about first, as far as what arrived before tells."""

from datetime import UTC, datetime, timedelta

import pytest

from rhumbline.tracking.transfer_times import USUAL_S, Route, TransferTimes

NOW = datetime(2026, 1, 1, tzinfo=UTC)
QUICK, SLOW = Route("A", 1, 2), Route("A", 1, 3)


def likelihood(times: TransferTimes, route: Route, age_s: float, asked_s: float | None = None) -> float:
    """Of a transfer of this age, that was asked about so long ago."""
    asked = None if asked_s is None else NOW - timedelta(seconds=asked_s)
    return times.likelihood(route, NOW - timedelta(seconds=age_s), asked, NOW)


def test_half_have_arrived_after_the_usual_time() -> None:
    assert likelihood(TransferTimes(), QUICK, USUAL_S) == pytest.approx(0.5)
    assert likelihood(TransferTimes(), QUICK, 3 * USUAL_S) == pytest.approx(0.9)


def test_a_start_in_the_future_counts_as_now() -> None:
    assert likelihood(TransferTimes(), QUICK, -5) == 0.0


@pytest.mark.parametrize("took_s", [10.0, 900.0])
def test_the_usual_time_follows_what_arrives(took_s: float) -> None:
    times = TransferTimes()
    for _ in range(20):
        times.arrived(QUICK, took_s)
    assert times.usual_s == {QUICK: pytest.approx(took_s)}
    times.note_unfinished(QUICK, took_s / 2)
    assert times.usual_s[QUICK] == pytest.approx(took_s)
    times.arrived(SLOW, -3.0)
    assert times.usual_s[SLOW] == 1.0


def test_a_route_that_stands_still_holds_up_no_other() -> None:
    """Those that were never asked about too, once others of it were asked about in vain."""
    times = TransferTimes()
    assert likelihood(times, SLOW, 1000) > likelihood(times, QUICK, 120)
    for _ in range(20):
        times.note_unfinished(SLOW, 1000)
    assert likelihood(times, SLOW, 1000) < likelihood(times, QUICK, 120)


def test_who_was_not_asked_about_for_long_comes_up_again() -> None:
    found = [likelihood(TransferTimes(), QUICK, 3600 + waited_s, waited_s) for waited_s in (10, 600, 3600, 36000)]
    assert found == sorted(found)
    assert found[0] < 0.01
    assert found[-1] > 0.98
