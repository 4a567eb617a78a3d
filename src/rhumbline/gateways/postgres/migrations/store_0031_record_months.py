"""Records by month: ``transactions`` is partitioned by the time of the block that a record starts in.

``record_keys`` keeps across all months what is unique: a record's ID, and its place among those of its transaction ID.
Triggers write it, so it holds whoever writes records. The table that was there becomes the partition of everything
before the next month, as it is: its rows and indexes stay where they are. Until this commits tracking waits; whoever
reads waits for the last moment only (docs/decisions/0078-records-by-month.md).
"""

import re

from alembic import op
from sqlalchemy import text

revision = "record_months"
down_revision = "shared_work"

_KEYS = (
    # Who writes records waits from here on, who reads them does not.
    "LOCK TABLE transactions IN SHARE ROW EXCLUSIVE MODE",
    """
    CREATE TABLE record_keys (
        id text COLLATE "C" NOT NULL,
        source_chain_id bigint NOT NULL,
        transaction_id text COLLATE "C",
        use integer NOT NULL,
        source_time timestamptz NOT NULL
    )
    """,
    """
    INSERT INTO record_keys (id, source_chain_id, transaction_id, use, source_time)
        SELECT id, source_chain_id, transaction_id, use, source_time FROM transactions
    """,
    "ALTER TABLE record_keys ADD PRIMARY KEY (id)",
    "ALTER TABLE record_keys ADD CONSTRAINT record_keys_use UNIQUE (transaction_id, source_chain_id, use)",
    # Written in the order of time, but for what was read later: small, and nearly free to write.
    "CREATE INDEX record_keys_time ON record_keys USING brin (source_time)",
    "ANALYZE record_keys",
)
# A hash of chain, transaction and log is the ID of a record, so what is unique by these three is so by the ID.
_BEFORE = (
    "DROP TRIGGER note_seen ON transactions",
    "DROP TRIGGER note_changed ON transactions",
    "DROP TRIGGER note_withdrawn ON transactions",
    "ALTER TABLE evidence DROP CONSTRAINT evidence_record_id_fkey",
    "ALTER TABLE proofs DROP CONSTRAINT proofs_record_id_fkey",
    "ALTER TABLE transactions DROP CONSTRAINT transactions_use",
    "ALTER TABLE transactions DROP CONSTRAINT transactions_source_chain_id_source_tx_hash_source_log_inde_key",
    "ALTER TABLE transactions RENAME TO transactions_before",
    "ALTER INDEX transactions_pkey RENAME TO transactions_before_pkey",
)
_WHOLE = """
    CREATE TABLE transactions (LIKE transactions_before INCLUDING DEFAULTS INCLUDING CONSTRAINTS)
        PARTITION BY RANGE (source_time)
"""
_MONTHS = (
    # What is of no month that was made in time: tracking never waits for a partition.
    "CREATE TABLE transactions_other PARTITION OF transactions (PRIMARY KEY (id)) DEFAULT",
    """
    CREATE FUNCTION make_record_month(day timestamptz) RETURNS boolean LANGUAGE plpgsql AS $$
    DECLARE
        first timestamptz := date_trunc('month', day AT TIME ZONE 'UTC') AT TIME ZONE 'UTC';
        next timestamptz := (date_trunc('month', day AT TIME ZONE 'UTC') + interval '1 month') AT TIME ZONE 'UTC';
        name text := 'transactions_' || to_char(day AT TIME ZONE 'UTC', 'YYYY_MM');
    BEGIN
        IF to_regclass(name) IS NOT NULL OR EXISTS (
            SELECT FROM pg_class WHERE oid = to_regclass('transactions_before')
                AND first < substring(pg_get_expr(relpartbound, oid) FROM 'TO \\(''([^'']+)''\\)')::timestamptz
        ) THEN
            RETURN false;
        END IF;
        EXECUTE format(
            'CREATE TABLE %I (LIKE transactions INCLUDING DEFAULTS INCLUDING CONSTRAINTS, PRIMARY KEY (id))', name
        );
        EXECUTE format(
            'WITH moved AS (DELETE FROM transactions_other WHERE source_time >= %L AND source_time < %L RETURNING *) '
            'INSERT INTO %I SELECT * FROM moved', first, next, name
        );
        EXECUTE format('ALTER TABLE transactions ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', name, first, next);
        RETURN true;
    END
    $$
    """,
    # An older store's records of this month stay in the partition of what was before.
    """
    DO $$
    DECLARE
        bound timestamptz := date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC';
    BEGIN
        IF EXISTS (SELECT FROM transactions_before WHERE source_time >= bound) THEN
            bound := (bound AT TIME ZONE 'UTC' + interval '1 month') AT TIME ZONE 'UTC';
        END IF;
        WITH moved AS (DELETE FROM transactions_before WHERE source_time >= bound RETURNING *)
            INSERT INTO transactions_other SELECT * FROM moved;
        EXECUTE format(
            'ALTER TABLE transactions ATTACH PARTITION transactions_before FOR VALUES FROM (MINVALUE) TO (%L)', bound
        );
        PERFORM make_record_month(now()), make_record_month(now() + interval '1 month');
    END
    $$
    """,
    # Valid all the same: each row had its record by the constraint before. To look again would hold up who reads.
    "ALTER TABLE evidence ADD FOREIGN KEY (record_id) REFERENCES record_keys (id) ON DELETE CASCADE NOT VALID",
    "ALTER TABLE proofs ADD FOREIGN KEY (record_id) REFERENCES record_keys (id) ON DELETE CASCADE NOT VALID",
)
_TRIGGERS = (
    """
    CREATE FUNCTION add_record_keys() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        INSERT INTO record_keys (id, source_chain_id, transaction_id, use, source_time)
            SELECT id, source_chain_id, transaction_id, use, source_time FROM n;
        RETURN NULL;
    END
    $$
    """,
    """
    CREATE FUNCTION remove_record_keys() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        DELETE FROM record_keys USING o WHERE record_keys.id = o.id;
        RETURN NULL;
    END
    $$
    """,
    """
    CREATE FUNCTION keep_record_keys() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF (OLD.id, OLD.source_chain_id, OLD.use, OLD.source_time, OLD.transaction_id) IS DISTINCT FROM
            (NEW.id, NEW.source_chain_id, NEW.use, NEW.source_time, NEW.transaction_id) THEN
            RAISE EXCEPTION 'what a record is found by does not change: delete it and add another one';
        END IF;
        RETURN NEW;
    END
    $$
    """,
    """
    CREATE TRIGGER add_record_keys AFTER INSERT ON transactions
        REFERENCING NEW TABLE AS n FOR EACH STATEMENT EXECUTE FUNCTION add_record_keys()
    """,
    """
    CREATE TRIGGER remove_record_keys AFTER DELETE ON transactions
        REFERENCING OLD TABLE AS o FOR EACH STATEMENT EXECUTE FUNCTION remove_record_keys()
    """,
    """
    CREATE TRIGGER keep_record_keys BEFORE UPDATE OF id, source_chain_id, use, source_time, transaction_id
        ON transactions FOR EACH ROW EXECUTE FUNCTION keep_record_keys()
    """,
    """
    CREATE TRIGGER note_seen AFTER INSERT ON transactions
        REFERENCING NEW TABLE AS n FOR EACH STATEMENT EXECUTE FUNCTION note_seen()
    """,
    """
    CREATE TRIGGER note_changed AFTER UPDATE ON transactions
        REFERENCING OLD TABLE AS o NEW TABLE AS n FOR EACH STATEMENT EXECUTE FUNCTION note_changed()
    """,
    """
    CREATE TRIGGER note_withdrawn AFTER DELETE ON transactions
        REFERENCING OLD TABLE AS o FOR EACH STATEMENT EXECUTE FUNCTION note_withdrawn()
    """,
)
_INDEXES = text("""
    SELECT indexrelid::regclass::text, pg_get_indexdef(indexrelid) FROM pg_index
    WHERE indrelid = 'transactions'::regclass AND NOT indisunique ORDER BY 1
""")


def upgrade() -> None:
    connection = op.get_bind()
    for statement in _KEYS:
        op.execute(statement)
    indexes = connection.execute(_INDEXES).all()
    for statement in _BEFORE:
        op.execute(statement)
    for name, _ in indexes:
        op.execute(f"ALTER INDEX {name} RENAME TO {name}_old")
    op.execute(_WHOLE)
    for _, definition in indexes:
        # Each takes the table's own index, which is like it, for its part, when the table becomes a partition.
        connection.exec_driver_sql(re.sub(r" ON (ONLY )?(\S+) USING ", r" ON \2 USING ", definition))
    for statement in (*_MONTHS, *_TRIGGERS):
        connection.exec_driver_sql(statement)
