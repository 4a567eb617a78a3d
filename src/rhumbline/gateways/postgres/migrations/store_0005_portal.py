"""The portal: nonces and sessions as digests, and which wallet runs which integrator."""

from alembic import op

revision = "portal"
down_revision = "limits_per_key"

_STATEMENTS = (
    """
    CREATE TABLE portal_nonces (
        digest bytea PRIMARY KEY CHECK (length(digest) = 32),
        expires_at timestamptz NOT NULL
    )
    """,
    "CREATE INDEX portal_nonces_expires_at ON portal_nonces (expires_at)",
    """
    CREATE TABLE portal_sessions (
        digest bytea PRIMARY KEY CHECK (length(digest) = 32),
        address text COLLATE "C" NOT NULL CHECK (length(address) = 42),
        begun_at timestamptz NOT NULL,
        used_at timestamptz NOT NULL
    )
    """,
    "CREATE INDEX portal_sessions_address ON portal_sessions (address)",
    """
    CREATE TABLE portal_owners (
        address text COLLATE "C" NOT NULL CHECK (length(address) = 42),
        integrator text COLLATE "C" NOT NULL REFERENCES integrators (name),
        since timestamptz NOT NULL,
        PRIMARY KEY (address, integrator)
    )
    """,
)


def upgrade() -> None:
    for statement in _STATEMENTS:
        op.execute(statement)
