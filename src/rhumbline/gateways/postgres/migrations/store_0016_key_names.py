"""Keys have a name for people, and the time of their last use, to the minute."""

from alembic import op

revision = "key_names"
down_revision = "sent_tokens"


def upgrade() -> None:
    op.execute("ALTER TABLE api_keys ADD COLUMN name text CHECK (length(name) BETWEEN 1 AND 40)")
    op.execute("ALTER TABLE api_keys ADD COLUMN last_used_at timestamptz")
