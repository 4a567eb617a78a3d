"""The last good price of every token that was asked for, in USD for one whole token."""

from alembic import op

revision = "prices"
down_revision = "portal"


def upgrade() -> None:
    op.execute(
        """
        CREATE TABLE prices (
            chain_id bigint NOT NULL,
            token text COLLATE "C" NOT NULL,
            usd numeric NOT NULL CHECK (usd > 0),
            source text NOT NULL,
            updated_at timestamptz NOT NULL,
            PRIMARY KEY (chain_id, token)
        )
        """
    )
