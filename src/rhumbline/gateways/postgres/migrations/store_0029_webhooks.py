"""Webhooks: whom integrators have told of events, and each delivery with its attempts, as long as events are kept."""

from alembic import op

revision = "webhooks"
down_revision = "events"

_STATEMENTS = (
    """
    CREATE TABLE webhooks (
        id text COLLATE "C" PRIMARY KEY,
        integrator text COLLATE "C" NOT NULL,
        url text NOT NULL,
        types text[] NOT NULL,
        secret text NOT NULL,
        old_secret text,
        old_until timestamptz,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        failing_since timestamptz,
        off_at timestamptz,
        off_reason text,
        off_number bigint
    )
    """,
    "CREATE INDEX webhooks_integrator ON webhooks (integrator, created_at)",
    """
    CREATE TABLE webhook_deliveries (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        webhook text COLLATE "C" NOT NULL REFERENCES webhooks ON DELETE CASCADE,
        number bigint,
        again boolean NOT NULL DEFAULT false,
        type text NOT NULL,
        subject text COLLATE "C" NOT NULL,
        state text NOT NULL DEFAULT 'pending',
        due_at timestamptz DEFAULT clock_timestamp(),
        attempts integer NOT NULL DEFAULT 0,
        log jsonb NOT NULL DEFAULT '[]',
        created_at timestamptz NOT NULL DEFAULT clock_timestamp()
    )
    """,
    # Of one event an endpoint has one delivery, and others that were asked for by hand.
    "CREATE UNIQUE INDEX webhook_deliveries_event ON webhook_deliveries (webhook, number) WHERE NOT again",
    "CREATE INDEX webhook_deliveries_of ON webhook_deliveries (webhook, id)",
    "CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook, id) WHERE due_at IS NOT NULL",
    "CREATE INDEX webhook_deliveries_order ON webhook_deliveries (webhook, subject, id) WHERE due_at IS NOT NULL",
    "CREATE INDEX webhook_deliveries_retried ON webhook_deliveries (due_at) WHERE due_at IS NOT NULL AND attempts > 0",
    "CREATE INDEX webhook_deliveries_age ON webhook_deliveries (created_at)",
)


def upgrade() -> None:
    for statement in _STATEMENTS:
        op.execute(statement)
