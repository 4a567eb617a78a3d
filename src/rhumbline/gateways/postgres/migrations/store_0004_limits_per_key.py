"""A key's own rate limits, in requests a minute; null where those of the tier hold."""

from alembic import op

revision = "limits_per_key"
down_revision = "token_lists"

_STATEMENTS = (
    "ALTER TABLE api_keys ADD COLUMN quote_limit integer CHECK (quote_limit BETWEEN 1 AND 1000000)",
    "ALTER TABLE api_keys ADD COLUMN other_limit integer CHECK (other_limit BETWEEN 1 AND 1000000)",
)


def upgrade() -> None:
    for statement in _STATEMENTS:
        op.execute(statement)
