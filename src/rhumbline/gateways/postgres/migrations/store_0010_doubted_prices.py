"""When a kept price was doubted; null while it is believed."""

from alembic import op

revision = "doubted_prices"
down_revision = "rules_per_key"


def upgrade() -> None:
    op.execute("ALTER TABLE prices ADD COLUMN doubted_at timestamptz")
