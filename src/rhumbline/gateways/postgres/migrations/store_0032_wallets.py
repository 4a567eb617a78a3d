"""A listing of one wallet, as sender or as receiver, and what support reads of a transaction.

For each side there are two indexes. One has a wallet's records in the order of the listing. The other has them by what
else a listing is narrowed by first: of that a wallet has few combinations, and each that matches is a walk of its own.
"""

from alembic import op

revision = "wallets"
down_revision = "record_months"

_STATEMENTS = (
    *(
        f"""
        CREATE INDEX transactions_by_{wallet} ON transactions (integrator, {wallet}, source_time DESC, id DESC)
            WHERE integrator IS NOT NULL
        """
        for wallet in ("sender", "receiver")
    ),
    *(
        f"""
        CREATE INDEX transactions_by_{wallet}_terms ON transactions (
            integrator, {wallet}, route_type, status, source_chain_id, coalesce(dest_chain_id, 0),
            source_time DESC, id DESC
        ) INCLUDE (dest_chain_id) WHERE integrator IS NOT NULL
        """
        for wallet in ("sender", "receiver")
    ),
    # For `rhumbline records`: all that was told of a transaction ID, and which deliveries of it were made by hand.
    "CREATE INDEX events_subject ON events (subject, number)",
    "CREATE INDEX webhook_deliveries_again ON webhook_deliveries (webhook, number) WHERE again",
)


def upgrade() -> None:
    for statement in _STATEMENTS:
        op.execute(statement)
