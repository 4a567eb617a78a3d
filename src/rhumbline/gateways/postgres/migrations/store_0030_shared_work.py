"""Work that several processes share: who asks a bridge at the moment, and when sources were asked for a price.

Prices also keep the sources that agreed, so that a process that did not ask knows what the one that did knows.
"""

from alembic import op

revision = "shared_work"
down_revision = "webhooks"

_STATEMENTS = (
    'ALTER TABLE transactions ADD COLUMN claimed_by text COLLATE "C"',
    "CREATE INDEX transactions_claimed ON transactions (claimed_by) WHERE claimed_by IS NOT NULL",
    "ALTER TABLE prices ADD COLUMN agreeing text[] NOT NULL DEFAULT '{}'",
    """
    CREATE TABLE price_checks (
        chain_id bigint NOT NULL,
        token text COLLATE "C" NOT NULL,
        claimed_until timestamptz NOT NULL,
        checked_at timestamptz,
        is_known boolean NOT NULL DEFAULT false,
        PRIMARY KEY (chain_id, token)
    )
    """,
)


def upgrade() -> None:
    for statement in _STATEMENTS:
        op.execute(statement)
