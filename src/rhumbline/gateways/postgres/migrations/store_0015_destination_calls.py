"""Builds tell what a bridge has called on the destination, where it pays."""

from alembic import op

revision = "destination_calls"
down_revision = "sent_tokens"


def upgrade() -> None:
    op.execute("ALTER TABLE builds ADD COLUMN destination_call jsonb")
