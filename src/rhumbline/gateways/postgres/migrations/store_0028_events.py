"""Events: each change of a record that somebody outside can see, written in the transaction that makes it.

By triggers, so no writer of records can leave it out. ``settled_events`` returns up to which number no event can come
any more (docs/decisions/0076-events-are-written-by-the-store.md).
"""

from alembic import op

revision = "events"
down_revision = "contract_wallets"

# 25974 (0x6576) are the upper 16 bits of a lock's key, which no other lock of one number takes; the rest is the number
# of an event. What an answer shows beside the status is compared for `updated`; that a bridge was asked, and what it
# said, is no change by itself.
_STATEMENTS = (
    "CREATE SEQUENCE event_numbers",
    """
    CREATE TABLE events (
        number bigint PRIMARY KEY DEFAULT nextval('event_numbers'),
        at timestamptz NOT NULL DEFAULT clock_timestamp(),
        kind text COLLATE "C" NOT NULL,
        record_id text COLLATE "C" NOT NULL,
        subject text COLLATE "C" NOT NULL,
        integrator text COLLATE "C",
        record jsonb
    )
    """,
    "ALTER SEQUENCE event_numbers OWNED BY events.number",
    "CREATE INDEX events_integrator ON events (integrator, number) WHERE integrator IS NOT NULL",
    'CREATE TABLE event_cursors (name text COLLATE "C" PRIMARY KEY, number bigint NOT NULL)',
    """
    CREATE FUNCTION begin_events() RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
        IF coalesce(current_setting('rhumbline.events', true), '') = '' THEN
            PERFORM set_config('rhumbline.events', 'begun', true);
            PERFORM pg_advisory_xact_lock_shared(
                (25974::bigint << 48) | CASE WHEN is_called THEN last_value ELSE 0 END
            ) FROM event_numbers;
            PERFORM pg_notify('rhumbline', 'events');
        END IF;
    END
    $$
    """,
    """
    CREATE FUNCTION settled_events() RETURNS bigint LANGUAGE plpgsql AS $$
    DECLARE
        newest bigint;
        begun bigint;
    BEGIN
        SELECT CASE WHEN is_called THEN last_value ELSE 0 END INTO newest FROM event_numbers;
        SELECT min((classid::bigint & 65535) << 32 | objid::bigint) INTO begun FROM pg_locks
            WHERE locktype = 'advisory' AND objsubid = 1 AND classid::bigint >> 16 = 25974
                AND database = (SELECT oid FROM pg_database WHERE datname = current_database());
        RETURN least(newest, coalesce(begun, newest));
    END
    $$
    """,
    """
    CREATE FUNCTION note_seen() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF EXISTS (SELECT FROM n) THEN
            PERFORM begin_events();
            INSERT INTO events (kind, record_id, subject, integrator)
                SELECT each.kind, n.id, coalesce(n.transaction_id, n.id), n.integrator
                FROM n CROSS JOIN LATERAL (VALUES (1, 'seen'), (2, 'final')) AS each (place, kind)
                WHERE each.place = 1 OR n.next_bridge_check_at IS NULL
                ORDER BY n.source_chain_id, n.source_block_number, n.source_log_index, n.id, each.place;
        END IF;
        RETURN NULL;
    END
    $$
    """,
    """
    CREATE FUNCTION note_changed() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        found record;
    BEGIN
        FOR found IN
            SELECT CASE
                    WHEN is_final AND (NOT was_final OR moved) THEN 'final'
                    WHEN moved OR is_final <> was_final THEN 'status'
                    ELSE 'updated'
                END AS kind, id, subject, integrator
            FROM (
                SELECT n.*, coalesce(n.transaction_id, n.id) AS subject,
                    n.next_bridge_check_at IS NULL AS is_final, o.next_bridge_check_at IS NULL AS was_final,
                    (o.status, o.substatus) IS DISTINCT FROM (n.status, n.substatus) AS moved,
                    (o.dest_chain_id, o.dest_tx_hash, o.dest_time, o.receiver, o.protocol, o.route_type,
                        o.has_dest_call, o.input, o.output, o.source_gas_fee, o.dest_gas_fee,
                        o.integrator_fee, o.service_fee, o.bridge_scan_url)
                    IS DISTINCT FROM
                    (n.dest_chain_id, n.dest_tx_hash, n.dest_time, n.receiver, n.protocol, n.route_type,
                        n.has_dest_call, n.input, n.output, n.source_gas_fee, n.dest_gas_fee,
                        n.integrator_fee, n.service_fee, n.bridge_scan_url) AS changed
                FROM o JOIN n USING (id)
            ) AS both_rows
            WHERE moved OR changed OR is_final <> was_final
            ORDER BY source_chain_id, source_block_number, source_log_index, id
        LOOP
            PERFORM begin_events();
            INSERT INTO events (kind, record_id, subject, integrator)
                VALUES (found.kind, found.id, found.subject, found.integrator);
        END LOOP;
        RETURN NULL;
    END
    $$
    """,
    """
    CREATE FUNCTION note_withdrawn() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF EXISTS (SELECT FROM o) THEN
            PERFORM begin_events();
            INSERT INTO events (kind, record_id, subject, integrator, record)
                SELECT 'withdrawn', o.id, coalesce(o.transaction_id, o.id), o.integrator, to_jsonb(o) FROM o
                ORDER BY o.source_chain_id, o.source_block_number, o.source_log_index, o.id;
        END IF;
        RETURN NULL;
    END
    $$
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


def upgrade() -> None:
    for statement in _STATEMENTS:
        op.execute(statement)
