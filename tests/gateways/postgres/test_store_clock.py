"""The store's time is everybody's, whatever a process's own clock does; how far that is off is known and said."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncEngine
from structlog.testing import capture_logs

from rhumbline.domain.clock import system_clock
from rhumbline.domain.errors import ClockOff
from rhumbline.gateways.postgres.leases import Leases
from rhumbline.gateways.postgres.store_clock import MOST_OFF_S, StoreClock

THERE = datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC)
SHIFTS = [timedelta(), timedelta(hours=-1), timedelta(days=40), timedelta(seconds=6), timedelta(seconds=-6)]


class Hands:
    """A process's two clocks: one that can be set to anything, and one that only goes on."""

    def __init__(self) -> None:
        self.wall = THERE
        self.seconds = 1000.0

    def pass_s(self, seconds: float) -> None:
        self.wall += timedelta(seconds=seconds)
        self.seconds += seconds

    def clock(self) -> StoreClock:
        return StoreClock(lambda: self.wall, lambda: self.seconds)


@pytest.mark.parametrize("shift", SHIFTS)
async def test_it_is_the_stores_time_by_whatever_clock(store_engine: AsyncEngine, shift: timedelta) -> None:
    clock = StoreClock(lambda: system_clock() + shift)
    await clock.measure(store_engine)
    async with store_engine.connect() as connection:
        there = (await connection.execute(select(func.clock_timestamp()))).scalar_one()
    assert abs((clock() - there).total_seconds()) < 2
    assert clock.is_off is (abs(shift.total_seconds()) > MOST_OFF_S)


async def test_each_heartbeat_of_the_leases_tells_it(store_engine: AsyncEngine) -> None:
    clock = StoreClock(lambda: THERE)
    leases = Leases(store_engine, clock)
    assert clock() == THERE
    await leases.beat()
    assert abs((clock() - system_clock()).total_seconds()) < 2
    await leases.release()


@given(st.lists(st.tuples(st.floats(0, 10), st.floats(-1e7, 1e7)), max_size=20))
def test_a_clock_that_jumps_back_and_forth_moves_nothing(steps: list[tuple[float, float]]) -> None:
    hands = Hands()
    clock = hands.clock()
    clock.heard(THERE, hands.seconds)
    before, passed = clock(), 0.0
    for seconds, jump in steps:
        hands.pass_s(seconds)
        passed += seconds
        hands.wall = THERE + timedelta(seconds=passed + jump)
        assert before <= clock()
        assert abs((clock() - THERE).total_seconds() - passed) < 1e-3
        assert clock.off_s == pytest.approx(jump, abs=1e-3)
        before = clock()


def test_who_is_off_hands_out_nothing_and_says_so_once() -> None:
    hands = Hands()
    clock = hands.clock()
    clock.heard(hands.wall, hands.seconds)
    clock.require()
    hands.wall += timedelta(hours=1)
    with pytest.raises(ClockOff, match="3600 s ahead of the store's"):
        clock.require()
    with capture_logs() as lines:
        for _ in range(3):
            hands.pass_s(3)
            clock.heard(hands.wall - timedelta(hours=1), hands.seconds)
    assert [(line["event"], line["log_level"]) for line in lines] == [("clock_off", "error")]
    assert lines[0]["own_is"] == "3600 s ahead of the store's"
    hands.wall -= timedelta(hours=1)
    clock.require()
    with capture_logs() as lines:
        clock.heard(hands.wall, hands.seconds)
    assert [line["event"] for line in lines] == ["clock_right_again"]


def test_a_store_that_answers_late_makes_no_clock_wrong() -> None:
    """What a slow answer tells is uncertain by half of the time that it took."""
    hands = Hands()
    clock = hands.clock()
    asked_at, there = hands.seconds, hands.wall
    hands.pass_s(14)
    clock.heard(there, asked_at)
    assert clock.off_s == pytest.approx(7)
    assert not clock.is_off, "it may as well be right"
    asked_at = hands.seconds
    clock.heard(hands.wall, asked_at)
    assert clock.off_s == pytest.approx(0)
    asked_at, there = hands.seconds, hands.wall
    hands.pass_s(14)
    clock.heard(there, asked_at)
    assert clock.off_s == pytest.approx(0), "what is known better stays"


def test_a_little_is_right_enough() -> None:
    hands = Hands()
    clock = hands.clock()
    clock.heard(hands.wall, hands.seconds)
    for shift, off in ((4.9, False), (-4.9, False), (5.1, True), (-5.1, True)):
        hands.wall = THERE + timedelta(seconds=shift)
        assert clock.is_off is off
