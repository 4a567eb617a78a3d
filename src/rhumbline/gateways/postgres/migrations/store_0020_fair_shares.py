"""What one caller does is told apart from what others do.

Later steps that were handed out free of fees are counted; portal keys know whose they are and what they count as; who
registers a name has nothing of what was recorded under it before.
"""

from alembic import op

revision = "fair_shares"
down_revision = "solana_evidence"

_STATEMENTS = (
    """
    CREATE TABLE free_steps (
        transaction_id text COLLATE "C" PRIMARY KEY,
        route_id text COLLATE "C" NOT NULL,
        step integer NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now()
    )
    """,
    "CREATE INDEX free_steps_route ON free_steps (route_id, step)",
    "CREATE INDEX free_steps_age ON free_steps (created_at)",
    # Keys of the operator's, and those of the version before, have no owner; rotated ones count with the one before.
    'ALTER TABLE api_keys ADD COLUMN owner text COLLATE "C"',
    "ALTER TABLE api_keys ADD COLUMN counted_as bigint",
    "CREATE INDEX api_keys_owner ON api_keys (owner) WHERE owner IS NOT NULL",
    # In the registration's own transaction, whoever registers: from here on the name's records are its integrator's.
    """
    CREATE FUNCTION leave_earlier_records() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        UPDATE transactions SET integrator = NULL WHERE integrator = NEW.name;
        RETURN NULL;
    END
    $$
    """,
    """
    CREATE TRIGGER leave_earlier_records AFTER INSERT ON integrators
        FOR EACH ROW EXECUTE FUNCTION leave_earlier_records()
    """,
)


def upgrade() -> None:
    for statement in _STATEMENTS:
        op.execute(statement)
