"""The deliveries in the store: made of events, taken in the order of each transaction, and what became of them.

One process at a time works on them, under a lease that fences every write.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from msgspec.json import encode
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.accounts.audit_log import SERVICE, Action, Deed, note
from rhumbline.domain.record_event import RecordEvent
from rhumbline.domain.webhook import Attempt
from rhumbline.gateways.postgres.leases import Fence, unfenced
from rhumbline.tracking.record_events.store import KEPT_FOR, progress, read_events

AT_ONCE = 4
"""Deliveries to one endpoint at the same time; one while it fails."""
FIRST_PAUSE_S, LONGEST_PAUSE_S = 2.0, 4 * 3600.0
MOST_ATTEMPTS = 19
"""With pauses that double up to four hours the last one is a day after the first."""
_EVENTS_AT_ONCE = 1_000
_HELD_S = 0.1
_FAILED_FOR = timedelta(days=1)
_FORGOTTEN_AT_ONCE = 5_000
_CURSOR = text("SELECT number FROM event_cursors WHERE name = 'webhooks' FOR UPDATE")
_QUEUE = text("""
    WITH fresh AS (
        SELECT * FROM events WHERE number > :after AND number <= :until ORDER BY number LIMIT :most
    ), made AS (
        INSERT INTO webhook_deliveries (webhook, number, type, subject)
        SELECT webhooks.id, fresh.number, 'transaction.' || fresh.kind, fresh.subject
        FROM fresh JOIN webhooks ON webhooks.integrator = fresh.integrator AND webhooks.off_at IS NULL
            AND 'transaction.' || fresh.kind = ANY(webhooks.types) AND webhooks.created_at <= fresh.at
        ORDER BY fresh.number
        ON CONFLICT (webhook, number) WHERE NOT again DO NOTHING
    )
    SELECT count(*), max(number) FROM fresh
""")
_MOVE = text("UPDATE event_cursors SET number = :number WHERE name = 'webhooks'")
_DUE = text("""
    SELECT due.id, webhooks.id, webhooks.integrator, webhooks.url, webhooks.secret,
        CASE WHEN webhooks.old_until > clock_timestamp() THEN webhooks.old_secret END,
        due.number, due.type, due.attempts, due.created_at, webhooks.failing_since IS NOT NULL
    FROM webhooks CROSS JOIN LATERAL (
        SELECT * FROM webhook_deliveries AS one
        WHERE one.webhook = webhooks.id AND one.due_at <= clock_timestamp()
            AND NOT one.id = ANY(CAST(:flying AS bigint[]))
            AND NOT EXISTS (
                SELECT FROM webhook_deliveries AS earlier WHERE earlier.webhook = one.webhook
                    AND earlier.subject = one.subject AND earlier.due_at IS NOT NULL AND earlier.id < one.id
            )
        ORDER BY one.id LIMIT CASE WHEN webhooks.failing_since IS NULL THEN :most ELSE 1 END
    ) AS due
    WHERE webhooks.off_at IS NULL ORDER BY due.due_at, due.id
""")
_NEXT = text("""
    SELECT extract(epoch FROM min(due_at) - clock_timestamp()) FROM webhook_deliveries
    JOIN webhooks ON webhooks.id = webhook AND webhooks.off_at IS NULL
    WHERE due_at IS NOT NULL AND attempts > 0 AND NOT webhook_deliveries.id = ANY(CAST(:flying AS bigint[]))
""")
_OVER = text("""
    UPDATE webhook_deliveries SET state = :state, due_at = NULL, attempts = attempts + 1,
        log = log || CAST(:attempt AS jsonb) WHERE id = :id
""")
_LATER = text("""
    UPDATE webhook_deliveries SET due_at = clock_timestamp() + CAST(:pause AS interval), attempts = attempts + 1,
        log = (CASE WHEN jsonb_array_length(log) >= 40 THEN log - 0 ELSE log END) || CAST(:attempt AS jsonb)
    WHERE id = :id
""")
_WELL = text("UPDATE webhooks SET failing_since = NULL WHERE id = :id AND failing_since IS NOT NULL")
_FAILING = text("""
    UPDATE webhooks SET failing_since = coalesce(failing_since, clock_timestamp()) WHERE id = :id
    RETURNING clock_timestamp() - failing_since
""")
_OFF = text("""
    UPDATE webhooks SET off_at = clock_timestamp(), off_reason = :reason,
        off_number = (SELECT coalesce(max(number), 0) FROM event_cursors WHERE name = 'webhooks')
    WHERE id = :id AND off_at IS NULL
""")
_FORGET = text("""
    DELETE FROM webhook_deliveries WHERE id IN (
        SELECT id FROM webhook_deliveries WHERE created_at < clock_timestamp() - CAST(:kept_for AS interval)
        ORDER BY created_at LIMIT :most
    )
""")


@dataclass(frozen=True, slots=True)
class DueDelivery:
    """A delivery that may be made now; ``secrets`` sign it, the newest first. ``is_failing`` is its endpoint."""

    id: int
    webhook: str
    integrator: str
    url: str
    secrets: Sequence[str]
    number: int | None
    type: str
    attempts: int
    created_at: datetime
    is_failing: bool

    @property
    def message(self) -> str:
        """The ID of the message: the same for each attempt, and each time that it is sent again."""
        name = f"{self.number}" if self.number is not None else f"test{self.id}"
        return f"msg_{self.webhook.removeprefix('wh_')}_{name}"


@dataclass(frozen=True, slots=True)
class DeliveryQueue:
    """Every write passes ``fence``, or raises LeaseLost; all raise database errors."""

    engine: AsyncEngine
    fence: Fence = unfenced

    async def fill(self) -> float:
        """Make deliveries of new events; return after how many seconds there may be more, though nobody tells."""
        async with self.engine.begin() as connection:
            await self.fence(connection)
            until, newest = await progress(connection)
            rest_s = float("inf") if newest <= until else _HELD_S
            after = (await connection.execute(_CURSOR)).scalar_one_or_none()
            if after is None or after >= until:
                # Without a cursor there never was an endpoint.
                return rest_s
            given = {"after": after, "until": until, "most": _EVENTS_AT_ONCE}
            count, last = (await connection.execute(_QUEUE, given)).one()
            is_full = count == _EVENTS_AT_ONCE
            await connection.execute(_MOVE, {"number": last if is_full else until})
        return 0.0 if is_full else rest_s

    async def due(self, flying: Collection[int]) -> list[DueDelivery]:
        """Return what may be delivered now beside what is under way: of each transaction the earliest alone."""
        async with self.engine.connect() as connection:
            rows = (await connection.execute(_DUE, {"flying": list(flying), "most": AT_ONCE})).all()
        return [
            DueDelivery(id_, webhook, owner, url, [each for each in (secret, old) if each is not None], *rest)
            for id_, webhook, owner, url, secret, old, *rest in rows
        ]

    async def due_in_s(self, flying: Collection[int]) -> float:
        """Return the seconds until one that has failed is due: 0 if it is, infinity if there is none.

        Others are due from the beginning, and wait for one of these, or for one that is under way.
        """
        async with self.engine.connect() as connection:
            left = (await connection.execute(_NEXT, {"flying": list(flying)})).scalar_one_or_none()
        return float("inf") if left is None else max(float(left), 0.0)

    async def event(self, number: int) -> RecordEvent | None:
        """Return an event; None if it is not kept any more."""
        async with self.engine.connect() as connection:
            found = await read_events(connection, number - 1, number, 1)
        return found[0] if found else None

    async def skip(self, delivery: DueDelivery, attempt: Attempt) -> None:
        """Note that there is nothing to deliver any more."""
        async with self.engine.begin() as connection:
            await self.fence(connection)
            await connection.execute(_OVER, {"id": delivery.id, "state": "skipped", "attempt": _written(attempt)})

    async def succeed(self, delivery: DueDelivery, attempt: Attempt) -> None:
        async with self.engine.begin() as connection:
            await self.fence(connection)
            await connection.execute(_OVER, {"id": delivery.id, "state": "delivered", "attempt": _written(attempt)})
            await connection.execute(_WELL, {"id": delivery.webhook})

    async def fail(self, delivery: DueDelivery, attempt: Attempt, pause_s: float) -> str | None:
        """Note a failed attempt; return why its endpoint was switched off, None if it was not."""
        written = _written(attempt)
        async with self.engine.begin() as connection:
            await self.fence(connection)
            failing = (await connection.execute(_FAILING, {"id": delivery.webhook})).scalar_one_or_none()
            is_last = delivery.attempts + 1 >= MOST_ATTEMPTS
            if is_last or attempt.status == 410:
                await connection.execute(_OVER, {"id": delivery.id, "state": "failed", "attempt": written})
            else:
                pause = timedelta(seconds=pause_s)
                await connection.execute(_LATER, {"id": delivery.id, "pause": pause, "attempt": written})
            reason = None
            if attempt.status == 410:
                reason = "it answered 410 Gone"
            elif failing is not None and failing >= _FAILED_FOR:
                reason = "it took nothing for a day"
            if reason is not None:
                done = await connection.execute(_OFF, {"id": delivery.webhook, "reason": reason})
                if done.rowcount:
                    deed = Deed(SERVICE, Action.WEBHOOK_OFF, f"{delivery.webhook}: {reason}")
                    await note(connection, delivery.integrator, attempt.at, deed)
        return reason

    async def forget(self) -> bool:
        """Delete some old deliveries; return whether there may be more."""
        async with self.engine.begin() as connection:
            await self.fence(connection)
            given = {"kept_for": KEPT_FOR, "most": _FORGOTTEN_AT_ONCE}
            removed = await connection.execute(_FORGET, given)
        return removed.rowcount == _FORGOTTEN_AT_ONCE


def pause_s(attempts: int) -> float:
    """Return how long to wait after so many attempts have failed."""
    return float(min(FIRST_PAUSE_S * 2 ** min(attempts - 1, 30), LONGEST_PAUSE_S))


def _written(attempt: Attempt) -> str:
    given = {"at": attempt.at.isoformat(), "status": attempt.status, "error": attempt.error, "ms": attempt.ms}
    return encode([given]).decode()
