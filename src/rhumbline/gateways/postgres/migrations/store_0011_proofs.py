"""At most three records of one transaction ID, and each delivery, fill or refund the proof of one record only.

``use`` numbers the records of an ID; more than three of one are strangers' work, and all but the earliest three go.
``proofs`` holds what each ended transfer is called by its bridge: a record that goes gives its names back.
"""

from alembic import op

revision = "proofs"
down_revision = "doubted_prices"

_USES = (
    "ALTER TABLE transactions ADD COLUMN use integer NOT NULL DEFAULT 1",
    """
    WITH uses AS (
        SELECT id, row_number() OVER (
            PARTITION BY source_chain_id, transaction_id ORDER BY source_block_number, source_log_index, id
        ) AS number
        FROM transactions WHERE transaction_id IS NOT NULL
    )
    UPDATE transactions SET use = uses.number FROM uses WHERE transactions.id = uses.id AND uses.number > 1
    """,
    "DELETE FROM transactions WHERE use > 3",
    "ALTER TABLE transactions ADD CONSTRAINT transactions_at_most_three CHECK (use BETWEEN 1 AND 3)",
    "ALTER TABLE transactions ADD CONSTRAINT transactions_use UNIQUE (source_chain_id, transaction_id, use)",
)
_PROOFS = (
    """
    CREATE TABLE proofs (
        name text COLLATE "C" PRIMARY KEY,
        record_id text COLLATE "C" NOT NULL REFERENCES transactions (id) ON DELETE CASCADE
    )
    """,
    "CREATE INDEX proofs_record ON proofs (record_id)",
    # What has ended so far was proved by what its bridge was asked by; of several the earliest keeps it.
    """
    INSERT INTO proofs (name, record_id)
    SELECT CASE WHEN protocol LIKE 'MAYAN%' THEN 'MAYAN' ELSE protocol END || ' ' || CASE
            WHEN transfer ->> 'reference' IS NULL THEN source_chain_id || ':' || source_tx_hash
            WHEN transfer ->> 'reference' ILIKE '0x%' THEN lower(transfer ->> 'reference')
            ELSE transfer ->> 'reference' END, id
    FROM transactions
    WHERE transfer IS NOT NULL AND status IN ('success', 'recovered', 'refunded', 'bridge_failed')
    ORDER BY source_time, source_chain_id, source_block_number, source_log_index, id
    ON CONFLICT DO NOTHING
    """,
    "ALTER TABLE builds ADD COLUMN deposit jsonb",
)


def upgrade() -> None:
    for statement in (*_USES, *_PROOFS):
        op.execute(statement)
