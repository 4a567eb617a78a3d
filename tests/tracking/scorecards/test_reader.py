"""What is told of adapters: what the processes have written together, by day or in all, and nothing else."""

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import insert
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.accounts.score_store import ScoreWriter
from rhumbline.accounts.score_tally import ScoreTally
from rhumbline.domain.errors import StoreUnavailable
from rhumbline.domain.scorecard import AdapterPair, Counted, Scorecard, ScorecardFilter
from rhumbline.gateways.postgres.engine import create_engine
from rhumbline.tracking.scorecards import reader as reader_file
from rhumbline.tracking.scorecards.executions import Execution, Outcome, executions
from rhumbline.tracking.scorecards.reader import ScorecardReader
from tests.accounts.test_score_tally import ASKED, CALLER, PAIR, promise
from tests.api.api_service import NOW
from tests.clocks import Clock
from tests.gateways.postgres.statements import statements

SWAP = AdapterPair("ONCHAIN", 1, 1)
WEEK = ScorecardFilter(7)


async def counted(engine: AsyncEngine, clock: Clock, *keys: Any) -> None:
    writer = ScoreWriter(engine, ScoreTally(clock), clock, timedelta(days=90))
    writer.tally.add(CALLER, keys)
    await writer.write()


async def executed(engine: AsyncEngine, *found: Execution) -> None:
    async with engine.begin() as connection:
        for each in found:
            await connection.execute(insert(executions).values(each.columns()))


def execution(number: int, deviation: int | None, taken_s: int | None = None, **changes: Any) -> Execution:
    made = promise(number, pair=changes.pop("pair", PAIR))
    outcome = changes.pop("outcome", Outcome.COMPLETED)
    at = changes.pop("at", NOW)
    return Execution(str(number), at, changes.pop("sender", str(number)), made, outcome, deviation, taken_s)


async def test_two_processes_are_summed_by_day_and_together(store_engine: AsyncEngine) -> None:
    clock = Clock(NOW - timedelta(days=1))
    await counted(store_engine, clock, ASKED, (PAIR, Counted.TRANSIENT))
    clock.now = NOW
    await counted(store_engine, clock, ASKED, (PAIR, Counted.ANSWERED), (PAIR, Counted.BUILT), (PAIR, Counted.WON))
    await counted(store_engine, clock, ASKED, (SWAP, Counted.ASKED))
    await executed(
        store_engine,
        execution(1, -100, 90),
        execution(2, 50, 30, sender="1"),
        execution(3, -7, 31),
        execution(4, None, outcome=Outcome.FAILED),
        execution(5, None, outcome=Outcome.PENDING),
        execution(6, -1, at=NOW - timedelta(days=1)),
        execution(7, -1, at=NOW - timedelta(days=8)),
    )
    reader = ScorecardReader(store_engine, clock)
    today = Scorecard(
        pair=PAIR, day=NOW.date(), asked=2, answered=1, built=1, won=1, executed=5, completed=3, failed=1, senders=4,
        measured=3, deviation_ppm=-7, promised_s=60, taken_s=31,
    )  # fmt: skip
    yesterday = Scorecard(
        pair=PAIR, day=(NOW - timedelta(days=1)).date(), asked=1, refusals={Counted.TRANSIENT: 1}, executed=1,
        completed=1, senders=1, measured=1, deviation_ppm=-1,
    )  # fmt: skip
    swap = Scorecard(pair=SWAP, day=NOW.date(), asked=1)
    found = await reader.by_day(WEEK)
    assert (found.cards, found.complete) == ((swap, today, yesterday), True)
    (of_pair, of_swap) = (await reader.together(WEEK)).cards
    assert (of_pair.asked, of_pair.executed, of_pair.senders, of_pair.deviation_ppm) == (3, 6, 5, -7)
    assert (of_swap.pair, of_swap.day) == (SWAP, None)
    for wanted, pairs in (
        (ScorecardFilter(1), [SWAP, PAIR]),
        (ScorecardFilter(7, frozenset({"ONCHAIN"})), [SWAP]),
        (ScorecardFilter(7, None, 1, 8453), [PAIR, PAIR]),
        (ScorecardFilter(7, None, 8453), []),
    ):
        assert sorted(each.pair for each in (await reader.by_day(wanted)).cards) == sorted(pairs)


async def test_an_answer_is_bounded_and_kept(store_engine: AsyncEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader_file, "MOST_CARDS", 2)
    clock = Clock(NOW)
    await counted(store_engine, clock, *((PAIR._replace(origin_chain_id=each), Counted.ASKED) for each in (1, 2, 3)))
    reader = ScorecardReader(store_engine, clock)
    found = await reader.by_day(WEEK)
    assert (len(found.cards), found.complete) == (2, False)
    with statements(store_engine) as seen:
        assert await reader.by_day(ScorecardFilter(7)) is found
    assert seen == []


async def test_a_store_that_is_away_is_said(store_engine: AsyncEngine) -> None:
    away = create_engine("postgresql://nobody@127.0.0.1:9/none")
    with pytest.raises(StoreUnavailable):
        await ScorecardReader(away, Clock(NOW)).by_day(WEEK)
    await away.dispose()
