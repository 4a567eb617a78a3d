"""Scorecards: what adapters did in requests by day, what was quoted, and what became of it on chain.

A promise waits two days for its transaction. An execution belongs to a record by its ID; whoever withdraws the record
writes an event, by which the execution goes too.
"""

from alembic import op

revision = "scorecards"
down_revision = "trails"
oldest = "wallets"

_STATEMENTS = (
    """
    CREATE TABLE score_counts (
        day date NOT NULL,
        adapter text COLLATE "C" NOT NULL,
        source_chain_id bigint NOT NULL,
        dest_chain_id bigint NOT NULL,
        asked bigint NOT NULL,
        answered bigint NOT NULL,
        built bigint NOT NULL,
        won bigint NOT NULL,
        no_route bigint NOT NULL,
        below_minimum bigint NOT NULL,
        slippage bigint NOT NULL,
        bad_request bigint NOT NULL,
        unauthorized bigint NOT NULL,
        transient bigint NOT NULL,
        reverted bigint NOT NULL,
        refused bigint NOT NULL,
        ours bigint NOT NULL,
        other bigint NOT NULL,
        PRIMARY KEY (day, adapter, source_chain_id, dest_chain_id)
    )
    """,
    """
    CREATE TABLE score_promises (
        transaction_id text COLLATE "C" PRIMARY KEY,
        at timestamptz NOT NULL,
        adapter text COLLATE "C" NOT NULL,
        source_chain_id bigint NOT NULL,
        dest_chain_id bigint NOT NULL,
        output numeric(78, 0) NOT NULL,
        seconds integer,
        value_cents bigint,
        weighs boolean NOT NULL
    )
    """,
    "CREATE INDEX score_promises_at ON score_promises (at)",
    """
    CREATE TABLE score_executions (
        record_id text COLLATE "C" PRIMARY KEY,
        at timestamptz NOT NULL,
        adapter text COLLATE "C" NOT NULL,
        source_chain_id bigint NOT NULL,
        dest_chain_id bigint NOT NULL,
        sender text COLLATE "C" NOT NULL,
        promised_output numeric(78, 0) NOT NULL,
        promised_s integer,
        promised_at timestamptz NOT NULL,
        value_cents bigint,
        weighs boolean NOT NULL,
        outcome text COLLATE "C" NOT NULL,
        deviation_ppm integer,
        taken_s integer
    )
    """,
    "CREATE INDEX score_executions_at ON score_executions (at)",
)


def upgrade() -> None:
    for statement in _STATEMENTS:
        op.execute(statement)
