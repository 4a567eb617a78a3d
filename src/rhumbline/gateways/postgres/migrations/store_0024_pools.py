"""Which pools on chain were found, and by which factory: what a new process need not look for again."""

from alembic import op

revision = "pools"
down_revision = "awaited"


def upgrade() -> None:
    op.execute(
        "CREATE TABLE pools ("
        " chain_id bigint NOT NULL,"
        " key text NOT NULL,"
        " factory text NOT NULL,"
        " pool jsonb NOT NULL,"
        " found_at timestamptz NOT NULL DEFAULT now(),"
        " PRIMARY KEY (chain_id, key))"
    )
