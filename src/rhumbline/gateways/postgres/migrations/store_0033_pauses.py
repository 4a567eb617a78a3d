"""What operators set while the service runs, and who of them changed what, why.

`steering` has one row, or none before the first change; each process reads it once a second. `pauses.adapter` is empty
for every adapter, and `pauses.chain_id` 0 for every chain. Entries of the audit log about the service itself have an
empty integrator.
"""

from alembic import op

revision = "pauses"
down_revision = "wallets"
oldest = "wallets"

_STATEMENTS = (
    """
    CREATE TABLE steering (
        one boolean PRIMARY KEY DEFAULT true CHECK (one),
        changed_at timestamptz NOT NULL,
        log_level text COLLATE "C" CHECK (log_level IN ('debug', 'info', 'warning', 'error')),
        log_level_until timestamptz
    )
    """,
    """
    CREATE TABLE pauses (
        adapter text COLLATE "C" NOT NULL,
        chain_id bigint NOT NULL CHECK (chain_id >= 0),
        since timestamptz NOT NULL,
        operator text NOT NULL,
        reason text NOT NULL,
        public boolean NOT NULL,
        PRIMARY KEY (adapter, chain_id)
    )
    """,
    "ALTER TABLE audit_log ADD COLUMN operator text",
    "ALTER TABLE audit_log ADD COLUMN reason text",
)


def upgrade() -> None:
    for statement in _STATEMENTS:
        op.execute(statement)
