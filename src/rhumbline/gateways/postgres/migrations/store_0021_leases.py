"""Who leads what, until when and at which term; it is judged by the store's clock alone.

``pid`` and ``session_at`` name the session by which the holder renews; ``head`` and ``next_block`` are how far a chain
has come, ``moved_at`` when that last changed.
"""

from alembic import op

revision = "leases"
down_revision = "fair_shares"

_STATEMENT = """
    CREATE TABLE leases (
        name text COLLATE "C" PRIMARY KEY,
        holder text COLLATE "C" NOT NULL,
        term bigint NOT NULL,
        pid integer NOT NULL,
        session_at timestamptz NOT NULL,
        expires_at timestamptz NOT NULL,
        head bigint,
        next_block bigint,
        moved_at timestamptz NOT NULL
    )
"""


def upgrade() -> None:
    op.execute(_STATEMENT)
