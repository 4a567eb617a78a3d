"""Builds name the token that the bridge takes, where it is not the input: that is swapped before it then."""

from alembic import op

revision = "sent_tokens"
down_revision = "solana"


def upgrade() -> None:
    op.execute("ALTER TABLE builds ADD COLUMN sent_token text")
