"""Teams: members with roles, invitations, an audit log; what keys may be used for; what requests came to.

Owners become members. The view `portal_owners` stays for processes of the version before, which run on until they are
restarted: they see owners alone, so that they take no viewer for one.
"""

from alembic import op

revision = "members"
down_revision = "pools"

_ROLES = "CHECK (role IN ('owner', 'developer', 'viewer'))"
_COUNTS = """
    CREATE TABLE request_{} (
        integrator text COLLATE "C" NOT NULL,
        start timestamptz NOT NULL,
        key_id bigint NOT NULL,
        endpoint text COLLATE "C" NOT NULL,
        status smallint NOT NULL,
        requests bigint NOT NULL,
        slowest_ms integer NOT NULL,
        latencies bigint[] NOT NULL,
        PRIMARY KEY (integrator, start, key_id, endpoint, status)
    )
"""
_STATEMENTS = (
    "ALTER TABLE portal_owners RENAME TO portal_members",
    f"ALTER TABLE portal_members ADD COLUMN role text COLLATE \"C\" NOT NULL DEFAULT 'owner' {_ROLES}",
    "CREATE INDEX portal_members_integrator ON portal_members (integrator)",
    """
    CREATE VIEW portal_owners AS
        SELECT address, integrator, since FROM portal_members WHERE role = 'owner'
    """,
    f"""
    CREATE TABLE portal_invitations (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        digest bytea NOT NULL UNIQUE CHECK (length(digest) = 32),
        integrator text COLLATE "C" NOT NULL REFERENCES integrators (name),
        role text COLLATE "C" NOT NULL {_ROLES},
        address text COLLATE "C" CHECK (length(address) = 42),
        invited_by text COLLATE "C" NOT NULL,
        created_at timestamptz NOT NULL,
        expires_at timestamptz NOT NULL,
        ended_at timestamptz,
        used_by text COLLATE "C" CHECK (used_by IS NULL OR ended_at IS NOT NULL)
    )
    """,
    "CREATE INDEX portal_invitations_integrator ON portal_invitations (integrator, id)",
    """
    CREATE TABLE audit_log (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        at timestamptz NOT NULL,
        integrator text COLLATE "C" NOT NULL,
        actor text COLLATE "C" NOT NULL,
        action text COLLATE "C" NOT NULL,
        detail text NOT NULL
    )
    """,
    "CREATE INDEX audit_log_integrator ON audit_log (integrator, id)",
    "CREATE INDEX audit_log_at ON audit_log (at)",
    # What is there goes on: keys may be used for everything, from anywhere, until they are revoked.
    "ALTER TABLE api_keys ADD COLUMN scopes text[] NOT NULL DEFAULT '{quotes,tracking}'",
    "ALTER TABLE api_keys ADD COLUMN origins text[] NOT NULL DEFAULT '{}'",
    "ALTER TABLE api_keys ADD COLUMN networks text[] NOT NULL DEFAULT '{}'",
    "ALTER TABLE api_keys ADD COLUMN expires_at timestamptz",
    """
    ALTER TABLE api_keys ADD CONSTRAINT api_keys_scopes CHECK (
        cardinality(scopes) > 0 AND scopes <@ ARRAY['quotes', 'tracking']
    )
    """,
    r"""
    ALTER TABLE api_keys ADD CONSTRAINT api_keys_in_browsers CHECK (
        prefix NOT LIKE 'rl\_pub\_%' OR (scopes = ARRAY['quotes'] AND cardinality(origins) > 0)
    )
    """,
    _COUNTS.format("minutes"),
    _COUNTS.format("hours"),
    "CREATE INDEX request_minutes_start ON request_minutes (start)",
    "CREATE INDEX request_hours_start ON request_hours (start)",
    """
    CREATE TABLE request_failures (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        integrator text COLLATE "C" NOT NULL,
        at timestamptz NOT NULL,
        key_id bigint NOT NULL,
        endpoint text COLLATE "C" NOT NULL,
        status smallint NOT NULL,
        code text NOT NULL,
        request_id text NOT NULL,
        ms integer NOT NULL
    )
    """,
    "CREATE INDEX request_failures_integrator ON request_failures (integrator, id)",
    "CREATE INDEX request_failures_at ON request_failures (at)",
)


def upgrade() -> None:
    for statement in _STATEMENTS:
        op.execute(statement)
