"""How many requests of a caller the processes have counted together for scorecards, by a hash, for two days."""

from alembic import op

revision = "score_callers"
down_revision = "refund_addresses"
oldest = "wallets"


def upgrade() -> None:
    op.execute("""
        CREATE TABLE score_callers (
            day date NOT NULL,
            caller bytea NOT NULL,
            asked bigint NOT NULL,
            PRIMARY KEY (day, caller)
        )
    """)
