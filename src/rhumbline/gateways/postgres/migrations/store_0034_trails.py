"""What is kept of requests for quotes for a while, so that their answers can be explained.

`key_id` has no foreign key: a key may end before its trails do, and a trail must cost one small insertion.
"""

from alembic import op

revision = "trails"
down_revision = "pauses"
oldest = "wallets"

_STATEMENTS = (
    """
    CREATE TABLE trails (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        request_id text COLLATE "C" NOT NULL,
        endpoint text COLLATE "C" NOT NULL,
        at timestamptz NOT NULL,
        integrator text COLLATE "C",
        key_id bigint,
        status smallint NOT NULL,
        code text COLLATE "C" NOT NULL,
        ms integer NOT NULL,
        transaction_id text COLLATE "C",
        body jsonb NOT NULL
    )
    """,
    "CREATE INDEX trails_request_id ON trails (request_id)",
    "CREATE INDEX trails_transaction_id ON trails (transaction_id) WHERE transaction_id IS NOT NULL",
    "CREATE INDEX trails_at ON trails (at)",
)


def upgrade() -> None:
    for statement in _STATEMENTS:
        op.execute(statement)
