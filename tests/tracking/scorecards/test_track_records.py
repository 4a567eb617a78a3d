"""What a track record says, who can move it, and by how much it moves the ranking."""

from datetime import timedelta
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import func, insert, select
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.domain.clock import system_clock
from rhumbline.domain.errors import StoreUnavailable
from rhumbline.domain.scorecard import AdapterPair, TrackRecord
from rhumbline.gateways.postgres.engine import create_engine
from rhumbline.tracking.scorecards.executions import Execution, Outcome, executions
from rhumbline.tracking.scorecards.track_records import MOST_CENTS, TrackRecords, Voice, track_record, weighted_median
from tests.accounts.test_score_tally import PAIR, promise

VALUES = st.lists(st.tuples(st.integers(0, 10**6), st.integers(1, MOST_CENTS)), min_size=1, max_size=30)


def honest(count: int, cents: int = 500_00, short_ppm: int = 0) -> list[Voice]:
    return [Voice(cents, short_ppm, 0)] * count


@given(VALUES)
def test_half_of_the_weight_is_on_either_side_of_the_median(values: list[tuple[int, int]]) -> None:
    total, median = sum(weight for _, weight in values), weighted_median(values)
    assert 2 * sum(weight for value, weight in values if value <= median) >= total
    assert 2 * sum(weight for value, weight in values if value < median) < total


@given(VALUES, st.integers(0, 10**6))
def test_less_than_half_of_the_weight_cannot_move_it_beyond_what_others_say(
    values: list[tuple[int, int]], lie: int
) -> None:
    """Whoever sends less than all others together, in whatever wallets."""
    total = sum(weight for _, weight in values)
    moved = weighted_median([*values, *([(lie, 1)] * min(total - 1, 40))])
    assert min(value for value, _ in values) <= moved <= max(value for value, _ in values)


@pytest.mark.parametrize(
    ("voices", "expected"),
    [
        ([], None),
        (honest(19, 1_000_00), None),
        (honest(20, 499_99), None),
        (honest(20), (Fraction(0), 0, 20, 10_000_00)),
        (honest(20, short_ppm=300), (Fraction(3, 10_000), 0, 20, 10_000_00)),
        # Many wallets that send little beside few that send much.
        ([*honest(10, 1_000_00), *honest(90, 100_00, 10**6)], (Fraction(0), 0, 100, 19_000_00)),
        # To move it they have to send more than the others, which costs what they send through the adapter.
        ([*honest(10, 1_000_00), *honest(101, 100_00, 10**6)], (Fraction(1), 0, 111, 20_100_00)),
        ([Voice(500_00, 0, late) for late in range(0, 1000, 50)], (Fraction(0), 450, 20, 10_000_00)),
    ],
)
def test_who_is_heard(voices: list[Voice], expected: tuple[Any, ...] | None) -> None:
    assert track_record(voices) == (None if expected is None else TrackRecord(*expected))


async def seen(
    engine: AsyncEngine,
    senders: int,
    pair: AdapterPair = PAIR,
    *,
    deviation: int | None = -1000,
    each: int = 1,
    age: timedelta = timedelta(),
    **promised: Any,
) -> None:
    """Have ``each`` executions of so many senders be there, of 500 USD, that took 30 seconds longer than promised."""
    at = system_clock() - age
    async with engine.begin() as connection:
        there = (await connection.execute(select(func.count()).select_from(executions))).scalar_one()
        for number in range(senders * each):
            made = promise(1, pair=pair, at=at, **promised)
            sender = f"{pair} {promised} {number % senders}"
            found = Execution(f"{there + number}", at, sender, made, Outcome.COMPLETED, deviation, 90)
            await connection.execute(insert(executions).values(found.columns()))


async def known(engine: AsyncEngine) -> dict[AdapterPair, TrackRecord]:
    records = TrackRecords(engine, lambda record: Fraction(0))
    await records.read()
    return dict(records())


async def test_records_are_read_by_adapter_and_pair_of_chains(store_engine: AsyncEngine) -> None:
    other = PAIR._replace(adapter="ACROSS")
    await seen(store_engine, 20)
    await seen(store_engine, 19, other)
    assert await known(store_engine) == {PAIR: TrackRecord(Fraction(1, 1000), 30, 20, 10_000_00)}
    await seen(store_engine, 20, other, deviation=70, seconds=None)
    assert (await known(store_engine))[other] == TrackRecord(Fraction(0), 0, 39, 19_500_00)


async def test_what_costs_nothing_counts_for_nothing(store_engine: AsyncEngine) -> None:
    """Dust from a hundred wallets, what was not measured, what is old, and a sender that does the same again."""
    await seen(store_engine, 100, deviation=-(10**6), value_cents=99_99)
    await seen(store_engine, 30, deviation=None)
    await seen(store_engine, 30, weighs=False)
    await seen(store_engine, 30, age=timedelta(days=31))
    await seen(store_engine, 1, each=30, deviation=-(10**6))
    assert await known(store_engine) == {}
    await seen(store_engine, 19, deviation=0, value_cents=600_00)
    # The one with thirty has the voice of one, with the weight of 1,000 USD.
    assert await known(store_engine) == {PAIR: TrackRecord(Fraction(0), 30, 20, 12_400_00)}


async def test_a_store_that_is_away_leaves_what_was_known(store_engine: AsyncEngine) -> None:
    await seen(store_engine, 20)
    records = TrackRecords(store_engine, lambda record: Fraction(0))
    await records.read()
    before = records()
    records.engine = create_engine("postgresql://nobody@127.0.0.1:9/none")
    with pytest.raises(StoreUnavailable):
        await records.read()
    assert records() == before != {}
    await records.engine.dispose()
