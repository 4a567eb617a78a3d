"""The judge of `make chaos` misses nothing that is amiss."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from chaos.judge import WITHIN_S, Sent, Spells, judged
from chaos.world import INTEGRATOR
from rhumbline.domain.tracking import RecordAmount, TransactionRecord, TransferState
from rhumbline.tracking.evm.second_look import LOOK_EVERY
from rhumbline.tracking.loops import LONGEST_REST_S
from rhumbline.tracking.store import add_records
from tests.tracking.test_listing import row

AMOUNT = 5
SPELLS = Spells([(10.0, 30.0), (60.0, 90.0)])
Change = Callable[[TransactionRecord], list[TransactionRecord]]


def recorded(number: int) -> TransactionRecord:
    amount = RecordAmount("0x" + "11" * 20, AMOUNT)
    return row(number, integrator=INTEGRATOR, status=TransferState.SUCCESS, input=amount)


async def verdict_of(engine: AsyncEngine, records: list[TransactionRecord], seen_at: float = 31.0) -> list[str]:
    sent = [Sent("sea", each.origin_tx_hash, AMOUNT, 12.0) for each in (recorded(0), recorded(1))]
    async with engine.begin() as connection:
        await add_records(connection, records)
    found = await judged(engine, sent, {each.origin_tx_hash: seen_at for each in records}, SPELLS)
    kinds = ("lost", "doubled", "wrong", "strange", "late")
    assert found.is_good is not any(getattr(found, kind) for kind in kinds)
    return [kind for kind in kinds if getattr(found, kind)]


@pytest.mark.parametrize(
    ("change", "amiss"),
    [
        (lambda last: [last], []),
        (lambda last: [], ["lost"]),
        (lambda last: [last, replace(last, id="another", origin_log_index=99)], ["doubled"]),
        (lambda last: [replace(last, status=TransferState.UNKNOWN)], ["wrong"]),
        (lambda last: [replace(last, integrator=None)], ["wrong"]),
        (lambda last: [replace(last, input=RecordAmount("0x" + "11" * 20, AMOUNT + 1))], ["wrong"]),
        (lambda last: [last, recorded(2)], ["strange"]),
    ],
)
async def test_what_is_amiss_is_told(store_engine: AsyncEngine, change: Change, amiss: list[str]) -> None:
    assert await verdict_of(store_engine, [recorded(0), *change(recorded(1))]) == amiss


@pytest.mark.parametrize(("seen_at", "amiss"), [(30 + WITHIN_S, []), (90.0, []), (90.1, ["late"])])
async def test_the_time_of_trouble_does_not_count(store_engine: AsyncEngine, seen_at: float, amiss: list[str]) -> None:
    assert await verdict_of(store_engine, [recorded(0), recorded(1)], seen_at) == amiss


def test_what_is_looked_for_without_being_told_of_is_found_in_time() -> None:
    """There is time left for the look itself."""
    assert max(LONGEST_REST_S, LOOK_EVERY.total_seconds()) <= WITHIN_S - 5
