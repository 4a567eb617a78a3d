"""Everything the first version keeps: integrators, keys, the service's secrets, and what is seen on chains.

Text that is ordered or compared by the service has the collation "C", so that the order is that of the bytes, whatever
the database's locale is. Records of EVM chains keep hashes in lower case.
"""

from alembic import op

revision = "0001"
down_revision = None

_ACCOUNTS = (
    """
    CREATE TABLE integrators (
        name text COLLATE "C" PRIMARY KEY CHECK (length(name) BETWEEN 1 AND 31),
        evm_wallet text,
        svm_wallet text,
        service_share numeric CHECK (service_share >= 0 AND service_share < 1),
        largest_integrator_share numeric CHECK (largest_integrator_share >= 0 AND largest_integrator_share <= 0.1),
        created_at timestamptz NOT NULL,
        CHECK ((service_share IS NULL) = (largest_integrator_share IS NULL))
    )
    """,
    "CREATE UNIQUE INDEX integrators_name_key ON integrators (lower(name))",
    """
    CREATE TABLE api_keys (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        integrator text COLLATE "C" NOT NULL REFERENCES integrators (name),
        digest bytea NOT NULL UNIQUE CHECK (length(digest) = 32),
        prefix text NOT NULL,
        created_at timestamptz NOT NULL,
        revoked_at timestamptz
    )
    """,
    "CREATE INDEX api_keys_integrator ON api_keys (integrator)",
    """
    CREATE TABLE service_secrets (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        purpose text NOT NULL,
        secret bytea NOT NULL CHECK (length(secret) >= 32),
        created_at timestamptz NOT NULL DEFAULT now()
    )
    """,
    "CREATE INDEX service_secrets_purpose ON service_secrets (purpose, id DESC)",
)

_CHAINS = (
    """
    CREATE TABLE blocks (
        chain_id bigint NOT NULL,
        number bigint NOT NULL,
        hash text NOT NULL,
        time timestamptz NOT NULL,
        PRIMARY KEY (chain_id, number)
    )
    """,
    """
    CREATE TABLE cursors (
        chain_id bigint PRIMARY KEY,
        next_block bigint NOT NULL,
        updated_at timestamptz NOT NULL DEFAULT now()
    )
    """,
    """
    CREATE TABLE transactions (
        id text COLLATE "C" PRIMARY KEY,
        transaction_id text COLLATE "C",
        source_chain_id bigint NOT NULL,
        source_tx_hash text COLLATE "C" NOT NULL,
        source_log_index integer NOT NULL,
        source_block_number bigint NOT NULL,
        source_block_hash text NOT NULL,
        source_time timestamptz NOT NULL,
        dest_chain_id bigint,
        dest_tx_hash text COLLATE "C",
        dest_time timestamptz,
        sender text NOT NULL,
        receiver text,
        integrator text COLLATE "C",
        protocol text NOT NULL,
        route_type text NOT NULL,
        has_dest_call boolean NOT NULL DEFAULT false,
        input jsonb,
        output jsonb,
        source_gas_fee jsonb,
        dest_gas_fee jsonb,
        integrator_fee jsonb,
        service_fee jsonb,
        status text COLLATE "C" NOT NULL,
        substatus text,
        status_source text NOT NULL,
        last_receipt_checked_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        UNIQUE (source_chain_id, source_tx_hash, source_log_index)
    )
    """,
    # A page of any filter combination is a walk along one of these, in order, from where the last page ended.
    "CREATE INDEX transactions_feed ON transactions (integrator, source_time DESC, id DESC)",
    "CREATE INDEX transactions_status_feed ON transactions (integrator, status, source_time DESC, id DESC)",
    "CREATE INDEX transactions_chain_feed ON transactions (integrator, source_chain_id, source_time DESC, id DESC)",
    """
    CREATE INDEX transactions_status_chain_feed
        ON transactions (integrator, status, source_chain_id, source_time DESC, id DESC)
    """,
    "CREATE INDEX transactions_source_hash ON transactions (source_tx_hash)",
    "CREATE INDEX transactions_dest_hash ON transactions (dest_tx_hash) WHERE dest_tx_hash IS NOT NULL",
    "CREATE INDEX transactions_transaction_id ON transactions (transaction_id)",
    # A filter that nothing matches ends here at once, too.
    "CREATE INDEX transactions_route_feed ON transactions (integrator, route_type, source_time DESC, id DESC)",
    "CREATE INDEX transactions_dest_feed ON transactions (integrator, dest_chain_id, source_time DESC, id DESC)",
    """
    CREATE INDEX transactions_chains_feed
        ON transactions (integrator, source_chain_id, dest_chain_id, source_time DESC, id DESC)
    """,
    # Records that wait to be completed are few among many.
    """
    CREATE INDEX transactions_waiting ON transactions (source_chain_id, created_at)
        WHERE source_gas_fee IS NULL AND integrator IS NOT NULL
    """,
    # A reorganisation withdraws the records above the fork.
    "CREATE INDEX transactions_block ON transactions (source_chain_id, source_block_number)",
)


def upgrade() -> None:
    for statement in (*_ACCOUNTS, *_CHAINS):
        op.execute(statement)
