"""Calls that wallets make themselves are looked for at a pace of their own, behind the chain's events."""

from alembic import op

revision = "direct_calls"
down_revision = "transfers"


def upgrade() -> None:
    op.execute(
        """
        CREATE TABLE direct_cursors (
            chain_id bigint PRIMARY KEY,
            next_block bigint NOT NULL
        )
        """
    )
    op.execute("CREATE INDEX builds_direct_sender ON builds (origin_chain_id, sender) WHERE direct")
