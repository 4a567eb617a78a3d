"""Each instruction of a transaction on Solana has a digest, so that what a wallet adds can be told from it."""

from alembic import op

revision = "wallet_additions"
down_revision = "key_names"


def upgrade() -> None:
    # A service of the version before keeps builds without them; they are known by their fingerprints alone.
    op.execute("ALTER TABLE builds ADD COLUMN parts bytea NOT NULL DEFAULT ''")
