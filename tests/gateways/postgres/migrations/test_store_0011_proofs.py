"""A store of a version before: what it holds gets its places and proofs."""

from collections.abc import AsyncIterator

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.gateways.postgres.engine import create_engine
from rhumbline.gateways.postgres.schema_upgrade import NEWEST, current, migrate
from tests.gateways.postgres.older_store import migrate_to
from tests.postgres_fixture import Databases

_ROW = """
    INSERT INTO transactions (
        id, transaction_id, source_chain_id, source_tx_hash, source_log_index, source_block_number, source_block_hash,
        source_time, sender, protocol, route_type, status, status_source, transfer
    ) VALUES (
        :id, :transaction_id, 1, :tx_hash, 0, CAST(:block AS bigint), '0x',
        timestamptz '2026-11-21' + CAST(:block AS bigint) * interval '1 second', '0x', :protocol, 'bridge', :status,
        'bridge_api', CAST(:transfer AS jsonb)
    )
"""


def row(block: int, **changes: object) -> dict[str, object]:
    plain = {
        "id": f"r{block}", "transaction_id": f"id{block}", "tx_hash": f"0xaa{block}", "block": block,
        "protocol": "NEAR_INTENTS", "status": "success", "transfer": '{"reference": "0xAB"}',
    }  # fmt: skip
    return {**plain, **changes}


@pytest.fixture
async def before(postgres_databases: Databases) -> AsyncIterator[AsyncEngine]:
    dsn = postgres_databases.create("template0")
    engine = create_engine(dsn)
    await migrate_to(engine, "doubted_prices")
    yield engine
    await engine.dispose()
    postgres_databases.drop(dsn)


async def test_the_earliest_three_of_an_id_stay_and_the_earliest_keeps_its_proof(before: AsyncEngine) -> None:
    async with before.begin() as connection:
        for kept in (
            *(row(block, transaction_id="same") for block in (5, 4, 3, 2, 1)),
            row(6, transaction_id=None, status="bridge_pending"),
            row(7, transaction_id=None, protocol="MAYAN_SWIFT", transfer='{"reference": "5Base58"}'),
            row(8, protocol="GASZIP", transfer='{"reference": null}'),
            row(9, protocol="GENERIC_SWAP", transfer=None),
        ):
            await connection.execute(text(_ROW), kept)
    await migrate(before)
    assert await current(before) == NEWEST
    async with before.connect() as connection:
        uses = (await connection.execute(text("SELECT id, use FROM transactions ORDER BY id"))).all()
        names = (await connection.execute(text("SELECT name, record_id FROM proofs ORDER BY record_id"))).all()
    assert [tuple(each) for each in uses] == [
        ("r1", 1), ("r2", 2), ("r3", 3), ("r6", 1), ("r7", 1), ("r8", 1), ("r9", 1),
    ]  # fmt: skip
    assert [tuple(each) for each in names] == [
        ("NEAR_INTENTS 0xab", "r1"), ("MAYAN 5Base58", "r7"), ("GASZIP 1:0xaa8", "r8"),
    ]  # fmt: skip
