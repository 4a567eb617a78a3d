"""Until when a transaction that was handed out may be mined on a chain."""

from alembic import op

revision = "awaited"
down_revision = "second_looks"


def upgrade() -> None:
    op.execute("CREATE TABLE awaited (chain_id bigint PRIMARY KEY, until timestamptz NOT NULL)")
