"""The last good copy of every token list, with the SHA-256 of its body."""

from alembic import op

revision = "token_lists"
down_revision = "0001"


def upgrade() -> None:
    op.execute(
        """
        CREATE TABLE token_lists (
            url text COLLATE "C" PRIMARY KEY,
            etag text,
            major integer NOT NULL,
            minor integer NOT NULL,
            patch integer NOT NULL,
            listed_at timestamptz NOT NULL,
            digest bytea NOT NULL CHECK (length(digest) = 32),
            body bytea NOT NULL,
            stored_at timestamptz NOT NULL,
            checked_at timestamptz NOT NULL
        )
        """
    )
