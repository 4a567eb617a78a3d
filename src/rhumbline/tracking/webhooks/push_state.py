"""How deliveries stand: how many wait and for how long, and which endpoints do not take what is sent."""

from collections.abc import Sequence

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from rhumbline.domain.webhook import PushStanding, TroubledWebhook

# What waits for an endpoint that is switched off waits for its owner.
_STANDING = text("""
    SELECT (SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM event_numbers) AS written,
        (SELECT greatest(settled_events() - number, 0) FROM event_cursors WHERE name = 'webhooks') AS unqueued,
        waiting.number AS waiting, waiting.retrying, waiting.oldest_s, waiting.overdue_s,
        endpoints.working, endpoints.failing, endpoints.off
    FROM (
        SELECT count(*) AS number, count(*) FILTER (WHERE made.attempts > 0) AS retrying,
            extract(epoch FROM clock_timestamp() - min(made.created_at)) AS oldest_s,
            extract(epoch FROM clock_timestamp() - min(made.due_at)
                FILTER (WHERE webhooks.failing_since IS NULL)) AS overdue_s
        FROM webhook_deliveries AS made
        JOIN webhooks ON webhooks.id = made.webhook AND webhooks.off_at IS NULL
        WHERE made.due_at IS NOT NULL
    ) AS waiting CROSS JOIN (
        SELECT count(*) FILTER (WHERE off_at IS NULL AND failing_since IS NULL) AS working,
            count(*) FILTER (WHERE off_at IS NULL AND failing_since IS NOT NULL) AS failing,
            count(*) FILTER (WHERE off_at IS NOT NULL) AS off
        FROM webhooks
    ) AS endpoints
""")
_TROUBLED = text("""
    SELECT id, integrator, failing_since, off_reason FROM webhooks
    WHERE off_at IS NOT NULL OR failing_since IS NOT NULL
    ORDER BY coalesce(off_at, failing_since) LIMIT :most
""")


async def standing(connection: AsyncConnection) -> PushStanding:
    """Return how all deliveries stand, by the store's clock."""
    row = (await connection.execute(_STANDING)).one()
    return PushStanding(
        written=int(row.written),
        unqueued=int(row.unqueued or 0),
        waiting=int(row.waiting),
        retrying=int(row.retrying),
        oldest_s=float(row.oldest_s or 0),
        overdue_s=max(float(row.overdue_s or 0), 0.0),
        working=int(row.working),
        failing=int(row.failing),
        off=int(row.off),
    )


async def troubled(connection: AsyncConnection, most: int) -> Sequence[TroubledWebhook]:
    """Return endpoints that fail or are switched off, the longest first."""
    return [TroubledWebhook(*row) for row in await connection.execute(_TROUBLED, {"most": most})]
