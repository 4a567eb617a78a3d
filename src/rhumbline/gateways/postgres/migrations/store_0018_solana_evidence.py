"""What is known of single transactions on Solana, so that one wrong answer of a node loses no record.

``svm_finals`` are transactions that have a record and were told as final. ``svm_sought`` are those that were told of
once and are asked for again: what nobody showed, and what was withdrawn.
"""

from alembic import op

revision = "solana_evidence"
down_revision = "wallet_additions"

_STATEMENTS = (
    """
    CREATE TABLE svm_finals (
        chain_id bigint NOT NULL,
        signature text COLLATE "C" NOT NULL,
        slot bigint NOT NULL,
        PRIMARY KEY (chain_id, signature)
    )
    """,
    """
    CREATE TABLE svm_sought (
        chain_id bigint NOT NULL,
        signature text COLLATE "C" NOT NULL,
        transaction_id text,
        place integer,
        since timestamptz NOT NULL,
        next_at timestamptz NOT NULL,
        PRIMARY KEY (chain_id, signature)
    )
    """,
    "CREATE INDEX svm_sought_due ON svm_sought (chain_id, next_at)",
    # The second look begins where the first has come to: it is new.
    "INSERT INTO svm_cursors SELECT chain_id, 'again ' || reference, signature, slot FROM svm_cursors",
)


def upgrade() -> None:
    for statement in _STATEMENTS:
        op.execute(statement)
