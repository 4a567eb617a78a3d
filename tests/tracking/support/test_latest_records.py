"""The latest records of everybody, for support."""

from collections.abc import Sequence
from datetime import timedelta

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.domain.tracking import TransferState
from rhumbline.tracking.store import add_records
from rhumbline.tracking.support.latest_records import RecordFilter, latest_records
from tests.tracking.test_listing import NOON, row

SINCE = NOON - timedelta(days=1)
ROWS = (
    row(1, origin_time=NOON, integrator="acme"),
    row(2, origin_time=NOON + timedelta(hours=1), integrator=None, protocol="ACROSS", destination_chain_id=10),
    row(3, origin_time=NOON + timedelta(hours=2), integrator="rival", status=TransferState.REFUNDED),
    row(4, origin_time=NOON - timedelta(days=2), integrator="acme"),
)


@pytest.mark.parametrize(
    ("wanted", "most", "found"),
    [
        (RecordFilter(SINCE), 10, (3, 2, 1)),
        (RecordFilter(SINCE), 2, (3, 2)),
        (RecordFilter(NOON - timedelta(days=3), integrator="acme"), 10, (1, 4)),
        (RecordFilter(SINCE, status=TransferState.REFUNDED), 10, (3,)),
        (RecordFilter(SINCE, chain=10), 10, (2,)),
        (RecordFilter(SINCE, adapter="ACROSS"), 10, (2,)),
    ],
)
async def test_they_are_filtered_and_the_newest_come_first(
    store_engine: AsyncEngine, wanted: RecordFilter, most: int, found: Sequence[int]
) -> None:
    async with store_engine.begin() as connection:
        await add_records(connection, ROWS)
        records = await latest_records(connection, wanted, most)
    assert [each.id for each in records] == [ROWS[number - 1].id for number in found]
