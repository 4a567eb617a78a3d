"""Millions of records in a store, in minutes: the rows first, then the indexes that the migrations made. By months.

One integrator has six of ten records. What is rare depends on what is common: swaps are never refunded, and only some
pairs of chains are used at all. Most wallets have sixty records, one has 5,000, and one, which pays many others, has a
tenth of all.
"""

from hashlib import md5

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

_AT_ONCE = 250_000
_FILL = text("""
    INSERT INTO transactions (id, source_chain_id, source_tx_hash, source_log_index, source_block_number,
        source_block_hash, source_time, dest_chain_id, sender, receiver, integrator, protocol, route_type, status,
        status_source)
    SELECT md5(n::text), source, md5('t' || n), 0, n, '', timestamptz '2025-01-01Z' + n * interval '7 seconds',
        CASE WHEN crosses THEN source % 12 + 1 + n % 2 ELSE source END,
        '0x' || CASE WHEN n % 10 = 1 THEN repeat('1', 40) ELSE payee END, '0x' || payee,
        CASE WHEN n % 10 < 6 THEN 'acme' ELSE 'other' || n % 300 END, 'X',
        CASE WHEN NOT crosses THEN 'swap' WHEN n % 5 = 0 THEN 'bridge_swap' ELSE 'bridge' END,
        CASE WHEN crosses AND n % 1000 = 0 THEN 'refunded' WHEN crosses AND n % 7 = 0 THEN 'bridge_pending'
            ELSE 'success' END, 'analytics'
    FROM (SELECT n, n * 7919::bigint % 12 + 1 AS source, n % 3 = 0 AS crosses,
              CASE WHEN n % 1000 = 2 THEN repeat('2', 40) ELSE left(repeat(md5((n / 60)::text), 2), 40) END AS payee
          FROM generate_series(CAST(:first AS bigint), :last) AS n) AS made
""")
HOT, BUSY = "0x" + "1" * 40, "0x" + "2" * 40
"""The two wallets with the most records."""
_MONTHS = text("""
    DO $$
    BEGIN
        IF to_regclass('transactions_before') IS NOT NULL THEN
            DROP TABLE transactions_before;
        END IF;
        PERFORM make_record_month(month) FROM generate_series(timestamptz '2025-01-01Z', now(), '1 month') AS month;
    END
    $$
""")
_KEYS = text("""
    INSERT INTO record_keys SELECT id, source_chain_id, transaction_id, use, source_time FROM transactions
""")
# Dropped indexes are created again from the database's own definitions, so the store ends up as migrated.
_INDEXES = text("""
    SELECT format('DROP INDEX %s', indexrelid::regclass), replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ')
    FROM pg_index WHERE indrelid = 'transactions'::regclass
""")


def plain_wallet(number: int) -> str:
    """Return the wallet that pays or receives in the record of this number, and in sixty around it."""
    return "0x" + (md5(str(number // 60).encode(), usedforsecurity=False).hexdigest() * 2)[:40]


async def fill(engine: AsyncEngine, rows: int) -> None:
    """Add the records; the table is a new one. ``engine`` must have patience: a statement takes up to a minute."""
    async with engine.begin() as connection:
        await connection.execute(text("SET LOCAL maintenance_work_mem = '1GB'"))
        await connection.execute(text("TRUNCATE transactions, record_keys, events, evidence, proofs"))
        await connection.execute(_MONTHS)
        found = (await connection.execute(_INDEXES)).all()
        for drop, _ in found:
            await connection.exec_driver_sql(drop)
        # Without triggers, so without events; the keys come at once.
        await connection.execute(text("SET LOCAL session_replication_role = replica"))
        for first in range(0, rows, _AT_ONCE):
            await connection.execute(_FILL, {"first": first, "last": min(first + _AT_ONCE, rows) - 1})
        await connection.execute(_KEYS)
        for _, make in found:
            await connection.exec_driver_sql(make)
    async with engine.connect() as connection:
        alone = await connection.execution_options(isolation_level="AUTOCOMMIT")
        await alone.execute(text("VACUUM ANALYZE transactions, record_keys"))
