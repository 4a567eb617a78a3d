"""Who gets the tokens of a transfer back, where the request named it; null: the sender."""

from alembic import op

revision = "refund_addresses"
down_revision = "scorecards"
oldest = "wallets"


def upgrade() -> None:
    op.execute('ALTER TABLE builds ADD COLUMN refund_to text COLLATE "C"')
