"""A store of the version before: every record, page and proof is there after it, and what is unique stays so."""

import asyncio
import itertools
from collections import Counter
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import insert, select, text
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.catalog.chains import ChainCatalog
from rhumbline.domain.tracking import RouteType, TrackedTransaction, TransactionFilter, TransactionRecord, TransferState
from rhumbline.gateways.postgres.engine import create_engine
from rhumbline.gateways.postgres.schema_upgrade import migrate
from rhumbline.tracking.listing import Listing
from rhumbline.tracking.record_events.store import read_events, settled
from rhumbline.tracking.store import add_records, read_records, transactions
from tests.gateways.postgres.older_store import migrate_to, store_time
from tests.postgres_fixture import Databases
from tests.tracking.test_listing import CHAIN, KEY, TOKENS, row

COUNT = 400
FAR = datetime(2999, 1, 1, tzinfo=UTC)


@pytest.fixture
async def before(postgres_databases: Databases) -> AsyncIterator[AsyncEngine]:
    dsn = postgres_databases.create("template0")
    engine = create_engine(dsn)
    await migrate_to(engine, "shared_work")
    yield engine
    await engine.dispose()
    postgres_databases.drop(dsn)


def some_rows(now: datetime) -> list[TransactionRecord]:
    """Return records of two years up to now, with several of one ID and of one transaction; one from the far future."""
    found = []
    for number in range(COUNT):
        crosses = number % 3 == 0
        changes = {
            "origin_time": now - timedelta(days=2) * (COUNT - number - 1),
            "integrator": ("acme", "other", None)[number % 7 % 3],
            "route_type": RouteType.BRIDGE if crosses else RouteType.SWAP,
            "status": TransferState.BRIDGE_PENDING if crosses else TransferState.SUCCESS,
            "destination_chain_id": 10 if crosses else 1,
            "destination_tx_hash": None if crosses else f"0x{number:064x}",
            "next_bridge_check_at": now if crosses else None,
        }
        found.append(row(number, **changes))
    found.append(row(COUNT, transaction_id=found[0].transaction_id, use=2, origin_time=now))
    found.append(row(COUNT + 1, transaction_id=None, origin_time=FAR))
    return found


async def all_of(engine: AsyncEngine) -> list[TransactionRecord]:
    async with engine.connect() as connection:
        return await read_records(connection, select(transactions).order_by(transactions.c.id))


async def pages(engine: AsyncEngine) -> list[tuple[TrackedTransaction, ...]]:
    """Return the pages of all filters, and what is found by each kind of key."""
    listing = Listing(engine, ChainCatalog([CHAIN]), (KEY,), TOKENS.listed_at)
    found = []
    kinds = itertools.product(
        (None, TransferState.SUCCESS, TransferState.REFUNDED), (None, RouteType.SWAP), (None, 1), (None, 1, 10)
    )
    for wanted in kinds:
        cursor, first = None, True
        while first or cursor is not None:
            page = await listing.page("acme", TransactionFilter(*wanted), 60, cursor)
            found.append(page.transactions)
            cursor, first = page.next_cursor, False
    for number in (0, 1, COUNT // 2, COUNT):
        for key in (row(number).transaction_id, row(number).origin_tx_hash, f"0x{number:064x}"):
            shown = await listing.find("acme", str(key))
            found.append(() if shown is None else (shown,))
    return found


async def test_every_record_page_proof_and_event_is_as_before(before: AsyncEngine) -> None:
    now = await store_time(before)
    rows = some_rows(now)
    async with before.begin() as connection:
        names = [column.key for column in transactions.columns]
        await connection.execute(insert(transactions), [{name: getattr(each, name) for name in names} for each in rows])
        await connection.execute(text("INSERT INTO proofs SELECT 'proof ' || id, id FROM transactions"))
        await connection.execute(
            text("INSERT INTO evidence SELECT id, 'analytics', status, '', now(), now(), '{}' FROM transactions")
        )
    records, shown = await all_of(before), await pages(before)
    assert len(records) == COUNT + 2
    await asyncio.gather(migrate(before), migrate(before))
    assert await all_of(before) == records
    assert await pages(before) == shown
    async with before.connect() as connection:
        until = await settled(connection)
        told = await read_events(connection, 0, until, 10 * COUNT)
        assert {event.record for event in told} == set(records)
        # What was there stays where it was; only what no month can hold is moved.
        places = (await connection.execute(text("SELECT tableoid::regclass::text FROM transactions"))).scalars()
        assert Counter(places) == {"transactions_before": COUNT + 1, "transactions_other": 1}
        keys = await connection.execute(text("SELECT id, transaction_id, use FROM record_keys ORDER BY id"))
        assert [tuple(key) for key in keys] == [(each.id, each.transaction_id, each.use) for each in records]
    async with before.begin() as connection:
        await connection.execute(text("DELETE FROM transactions WHERE id = :id"), {"id": rows[0].id})
        left = await connection.execute(text("SELECT (SELECT count(*) FROM proofs), (SELECT count(*) FROM evidence)"))
        assert tuple(left.one()) == (COUNT + 1, COUNT + 1)


async def test_what_was_unique_in_one_table_is_so_over_all_months(store_engine: AsyncEngine) -> None:
    now = await store_time(store_engine)
    first = row(1, origin_time=now - timedelta(days=90))
    async with store_engine.begin() as connection:
        assert (await add_records(connection, [first, row(2, transaction_id=None, origin_time=now)])).added == 2
    again = [
        row(1, origin_time=now),
        row(2, transaction_id=None, origin_time=now - timedelta(days=90)),
    ]
    async with store_engine.begin() as connection:
        assert (await add_records(connection, again)).added == 0
    others = [row(number, transaction_id=first.transaction_id, origin_time=now) for number in (3, 4, 5)]
    async with store_engine.begin() as connection:
        assert await add_records(connection, others) == (2, 1), "three of an ID, wherever they are"
    names = [column.key for column in transactions.columns]
    for each in (row(1, origin_time=now, transaction_id=None), row(6, transaction_id=first.transaction_id, use=1)):
        with pytest.raises(IntegrityError):
            async with store_engine.begin() as connection:
                await connection.execute(insert(transactions), [{name: getattr(each, name) for name in names}])
    with pytest.raises(DBAPIError, match="does not change"):
        async with store_engine.begin() as connection:
            await connection.execute(text("UPDATE transactions SET source_time = now()"))
