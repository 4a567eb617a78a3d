"""Transfers across chains: what was handed out, what is known of each, and when its bridge is asked again.

A chain ID of an event may be any number of 256 bits; one that no chain of ours has is kept as null.
"""

from alembic import op

revision = "transfers"
down_revision = "prices"

_STATEMENTS = (
    """
    CREATE TABLE builds (
        transaction_id text COLLATE "C" PRIMARY KEY,
        adapter text NOT NULL,
        direct boolean NOT NULL,
        origin_chain_id bigint NOT NULL,
        destination_chain_id bigint NOT NULL,
        sender text NOT NULL,
        receiver text NOT NULL,
        integrator text NOT NULL,
        entry text NOT NULL,
        value numeric(78) NOT NULL,
        data bytea NOT NULL,
        input_token text NOT NULL,
        input_amount numeric(78) NOT NULL,
        sent_amount numeric(78) NOT NULL,
        output_token text NOT NULL,
        expected_output numeric(78) NOT NULL,
        min_output numeric(78) NOT NULL,
        reference text,
        created_at timestamptz NOT NULL,
        expires_at timestamptz NOT NULL
    )
    """,
    # Calls that wallets make themselves are looked for as long as they may be sent.
    "CREATE INDEX builds_direct ON builds (origin_chain_id, expires_at) WHERE direct",
    "CREATE INDEX builds_expiry ON builds (expires_at)",
    """
    ALTER TABLE transactions
        ADD COLUMN transfer jsonb,
        ADD COLUMN bridge_scan_url text,
        ADD COLUMN raw_bridge_status jsonb,
        ADD COLUMN last_bridge_checked_at timestamptz,
        ADD COLUMN last_bridge_success_checked_at timestamptz,
        ADD COLUMN next_bridge_check_at timestamptz
    """,
    """
    CREATE INDEX transactions_bridge_due ON transactions (next_bridge_check_at)
        WHERE next_bridge_check_at IS NOT NULL
    """,
    """
    CREATE TABLE evidence (
        record_id text COLLATE "C" NOT NULL REFERENCES transactions (id) ON DELETE CASCADE,
        source text NOT NULL,
        state text NOT NULL,
        substatus text NOT NULL,
        first_at timestamptz NOT NULL,
        last_at timestamptz NOT NULL,
        answer jsonb NOT NULL,
        PRIMARY KEY (record_id, source, state, substatus)
    )
    """,
)


def upgrade() -> None:
    for statement in _STATEMENTS:
        op.execute(statement)
