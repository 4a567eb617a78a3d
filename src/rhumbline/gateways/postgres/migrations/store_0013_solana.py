"""How far Solana chains were read, and what is kept of what was handed out there.

``svm_cursors`` has, by reference key, the newest transaction below which nothing is left to read; ``svm_positions`` the
slot up to which the records are known to be final. Builds keep the fees that a wallet's own transaction pays.
"""

from alembic import op

revision = "solana"
down_revision = "feeds"

_STATEMENTS = (
    """
    CREATE TABLE svm_cursors (
        chain_id bigint NOT NULL,
        reference text COLLATE "C" NOT NULL,
        signature text NOT NULL,
        slot bigint NOT NULL,
        PRIMARY KEY (chain_id, reference)
    )
    """,
    "CREATE TABLE svm_positions (chain_id bigint PRIMARY KEY, final_slot bigint NOT NULL)",
    "ALTER TABLE builds ADD COLUMN charges jsonb NOT NULL DEFAULT '[]'",
    # Those by fingerprints have 32 bytes, and are found by their IDs.
    "CREATE INDEX builds_direct_long ON builds (origin_chain_id, expires_at) WHERE direct AND octet_length(data) > 32",
)


def upgrade() -> None:
    for statement in _STATEMENTS:
        op.execute(statement)
