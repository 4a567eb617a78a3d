"""Millions of records in a store, in minutes: the rows first, then the indexes that the migrations made.

One integrator has six of ten records. What is rare depends on what is common: swaps are never refunded, and only some
pairs of chains are used at all.
"""

from sqlalchemy import TextClause, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

_AT_ONCE = 250_000
_FILL = text("""
    INSERT INTO transactions (id, source_chain_id, source_tx_hash, source_log_index, source_block_number,
        source_block_hash, source_time, dest_chain_id, sender, integrator, protocol, route_type, status, status_source)
    SELECT md5(n::text), source, md5('t' || n), 0, n, '', timestamptz '2025-01-01Z' + n * interval '7 seconds',
        CASE WHEN crosses THEN source % 12 + 1 + n % 2 ELSE source END, '0x5e',
        CASE WHEN n % 10 < 6 THEN 'acme' ELSE 'other' || n % 300 END, 'X',
        CASE WHEN NOT crosses THEN 'swap' WHEN n % 5 = 0 THEN 'bridge_swap' ELSE 'bridge' END,
        CASE WHEN crosses AND n % 1000 = 0 THEN 'refunded' WHEN crosses AND n % 7 = 0 THEN 'bridge_pending'
            ELSE 'success' END, 'analytics'
    FROM (SELECT n, n * 7919::bigint % 12 + 1 AS source, n % 3 = 0 AS crosses
          FROM generate_series(CAST(:first AS bigint), :last) AS n) AS made
""")
# What is dropped is made again by the database's own words for it, so the store ends up as the migrations made it.
_CONSTRAINTS = text("""
    SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname),
        format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
    FROM pg_constraint WHERE 'transactions'::regclass IN (conrelid, confrelid) AND contype IN ('p', 'u', 'f')
    ORDER BY array_position('{f,u,p}', contype::text)
""")
_INDEXES = text("""
    SELECT format('DROP INDEX %s', indexrelid::regclass), pg_get_indexdef(indexrelid) FROM pg_index
    WHERE indrelid = 'transactions'::regclass AND indexrelid NOT IN (SELECT conindid FROM pg_constraint)
""")


async def fill(engine: AsyncEngine, rows: int) -> None:
    """Add the records; the table is a new one. ``engine`` must have patience: a statement takes up to a minute."""
    async with engine.begin() as connection:
        await connection.execute(text("SET LOCAL maintenance_work_mem = '1GB'"))
        made_again = await _dropped(connection, _INDEXES)
        # The last ones to be dropped, the keys, are the first ones to be there again.
        made_again += reversed(await _dropped(connection, _CONSTRAINTS))
        # Of a table that is new to its transaction the database keeps no journal.
        await connection.execute(text("TRUNCATE transactions, evidence, proofs"))
        for first in range(0, rows, _AT_ONCE):
            await connection.execute(_FILL, {"first": first, "last": min(first + _AT_ONCE, rows) - 1})
        for statement in made_again:
            await connection.exec_driver_sql(statement)
    async with engine.connect() as connection:
        alone = await connection.execution_options(isolation_level="AUTOCOMMIT")
        await alone.execute(text("VACUUM ANALYZE transactions"))


async def _dropped(connection: AsyncConnection, found_by: TextClause) -> list[str]:
    """Drop what a query finds, in its order; return what makes it again."""
    found = (await connection.execute(found_by)).all()
    for drop, _ in found:
        await connection.exec_driver_sql(drop)
    return [make for _, make in found]
