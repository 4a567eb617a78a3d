"""From which block on an EVM chain is still looked at again. The events of what was read before count as whole."""

from alembic import op

revision = "second_looks"
down_revision = "leases"


def upgrade() -> None:
    op.execute("ALTER TABLE cursors ADD COLUMN second_look bigint")
