"""An integrator's endpoints in the store: added, changed and removed by their owner, whichever way."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from secrets import token_hex
from typing import Any

from sqlalchemy import Row, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from yarl import URL

from rhumbline.accounts.audit_log import MOST_A_DAY, Action, Deed, is_crowded, note
from rhumbline.domain.clock import Clock
from rhumbline.domain.errors import InvalidRequest, NotFound, RateLimited
from rhumbline.domain.sentence import Sentence
from rhumbline.domain.webhook import DEFAULT_TYPES, TEST, TYPES, Attempt, Webhook, WebhookDelivery
from rhumbline.gateways.http.receiver import url_fault
from rhumbline.gateways.postgres.failures import store_access
from rhumbline.gateways.postgres.notices import tell
from rhumbline.tracking.topics import EVENTS
from rhumbline.tracking.webhooks.signature import new_secret

MOST = 20
"""Endpoints of one integrator."""
KEY = "key "
"""What an actor that is an API key begins with; its number follows."""
MOST_BY_HAND = 100
"""Deliveries of one endpoint that were asked for by hand and wait."""
LONGEST_OVERLAP_S = 7 * 86_400
LARGEST_PAGE = 200
# The ASCII of "whok"; PostgreSQL 15 knows no hexadecimal numbers.
_LOCK = text("SELECT pg_advisory_xact_lock(2003332971, hashtext(:integrator))")
_COUNT = text("SELECT count(*) FROM webhooks WHERE integrator = :integrator")
_ADD = text("""
    INSERT INTO webhooks (id, integrator, url, types, secret)
    VALUES (:id, :integrator, :url, CAST(:types AS text[]), :secret)
    RETURNING id, integrator, url, types, created_at, failing_since, off_at, off_reason,
        CASE WHEN old_until > clock_timestamp() THEN old_until END
""")
_LIST = text("""
    SELECT id, integrator, url, types, created_at, failing_since, off_at, off_reason,
        CASE WHEN old_until > clock_timestamp() THEN old_until END
    FROM webhooks
    WHERE integrator = :integrator ORDER BY created_at, id
""")
_FIND = text("""
    SELECT id, integrator, url, types, created_at, failing_since, off_at, off_reason,
        CASE WHEN old_until > clock_timestamp() THEN old_until END
    FROM webhooks
    WHERE integrator = :integrator AND id = :id FOR NO KEY UPDATE
""")
_ROTATE = text("""
    UPDATE webhooks SET old_secret = secret, old_until = clock_timestamp() + CAST(:overlap AS interval),
        secret = :secret WHERE id = :id
""")
_REMOVE = text("DELETE FROM webhooks WHERE id = :id")
_BEGIN = text("INSERT INTO event_cursors VALUES ('webhooks', settled_events()) ON CONFLICT DO NOTHING")
_HOLD = text("SELECT number FROM event_cursors WHERE name = 'webhooks' FOR UPDATE")
_MISSED = text("""
    INSERT INTO webhook_deliveries (webhook, number, type, subject)
    SELECT webhooks.id, events.number, 'transaction.' || events.kind, events.subject
    FROM webhooks JOIN events ON events.integrator = webhooks.integrator
        AND events.number > webhooks.off_number
        AND events.number <= (SELECT coalesce(max(number), 0) FROM event_cursors WHERE name = 'webhooks')
        AND 'transaction.' || events.kind = ANY(webhooks.types)
    WHERE webhooks.id = :id ORDER BY events.number
    ON CONFLICT (webhook, number) WHERE NOT again DO NOTHING
""")
_ON = text("""
    UPDATE webhooks SET off_at = NULL, off_reason = NULL, off_number = NULL, failing_since = NULL WHERE id = :id
""")
_DUE_AGAIN = text("""
    UPDATE webhook_deliveries SET attempts = 0, due_at = clock_timestamp() WHERE webhook = :id AND due_at IS NOT NULL
""")
_BY_HAND = text("SELECT count(*) FROM webhook_deliveries WHERE webhook = :id AND again AND due_at IS NOT NULL")
_AGAIN = text("""
    INSERT INTO webhook_deliveries (webhook, number, again, type, subject)
    SELECT webhook, number, true, type, subject FROM webhook_deliveries WHERE webhook = :webhook AND id = :id
    RETURNING id, number, type, state, due_at, created_at, log
""")
_TEST = text("""
    INSERT INTO webhook_deliveries (webhook, again, type, subject) VALUES (:id, true, :type, :subject)
    RETURNING id, number, type, state, due_at, created_at, log
""")
_DELIVERIES = text("""
    SELECT id, number, type, state, due_at, created_at, log FROM webhook_deliveries
    WHERE webhook = :id AND id < :before ORDER BY id DESC LIMIT :most
""")


@dataclass(frozen=True, slots=True)
class Webhooks:
    """Reads and changes endpoints; every method names the integrator, whose endpoints alone it sees.

    ``by`` is who makes a change, for the audit log; None is the operator. Raise StoreUnavailable when the store cannot
    be reached, InvalidRequest for bad input, each fault beginning with its field, NotFound for an endpoint or a
    delivery that the integrator does not have, and RateLimited where a key has made too many changes within a day.
    """

    engine: AsyncEngine
    clock: Clock
    allow_private: bool = False

    async def add(
        self, integrator: str, url: str, types: Sequence[str] = DEFAULT_TYPES, by: str | None = None
    ) -> tuple[Webhook, str]:
        """Add an endpoint for events from now on; return it and its secret, which is not shown again."""
        faults = [] if (fault := url_fault(url, allow_private=self.allow_private)) is None else [fault]
        if not types or not set(types) <= set(TYPES):
            faults.append(Sentence("events must be some of %(types)s", types=", ".join(TYPES)))
        if faults:
            raise InvalidRequest(faults)
        secret = new_secret()
        async with self._change() as connection:
            await connection.execute(_LOCK, {"integrator": integrator})
            if (await connection.execute(_COUNT, {"integrator": integrator})).scalar_one() >= MOST:
                raise InvalidRequest(
                    [Sentence("url: there are %(most)s endpoints, which is the most; remove one first", most=MOST)]
                )
            given = {"id": f"wh_{token_hex(8)}", "integrator": integrator, "url": url, "secret": secret}
            await connection.execute(_BEGIN)
            row = (await connection.execute(_ADD, {**given, "types": sorted(set(types), key=TYPES.index)})).one()
            made = Webhook(*row)
            await self._note(connection, made, by, Action.WEBHOOK_ADDED)
        return made, secret

    async def all(self, integrator: str) -> tuple[Webhook, ...]:
        async with self._change() as connection:
            return tuple(Webhook(*row) for row in await connection.execute(_LIST, {"integrator": integrator}))

    async def find(self, integrator: str, webhook: str) -> Webhook:
        async with self._owned(integrator, webhook) as (_, found):
            return found

    async def rotate(self, integrator: str, webhook: str, overlap_s: int = 86_400, by: str | None = None) -> str:
        """Replace an endpoint's secret and return the new one; until the overlap ends, both sign, and none before."""
        if not 0 <= overlap_s <= LONGEST_OVERLAP_S:
            raise InvalidRequest([f"overlapSec must be from 0 to {LONGEST_OVERLAP_S}"])
        secret = new_secret()
        async with self._owned(integrator, webhook) as (connection, found):
            given = {"id": webhook, "secret": secret, "overlap": timedelta(seconds=overlap_s)}
            await connection.execute(_ROTATE, given)
            await self._note(connection, found, by, Action.WEBHOOK_ROTATED, f", the old secret ends in {overlap_s} s")
        return secret

    async def remove(self, integrator: str, webhook: str, by: str | None = None) -> None:
        """Remove an endpoint and what was to be delivered to it."""
        async with self._owned(integrator, webhook) as (connection, found):
            await connection.execute(_REMOVE, {"id": webhook})
            await self._note(connection, found, by, Action.WEBHOOK_REMOVED)

    async def switch_on(self, integrator: str, webhook: str, by: str | None = None) -> Webhook:
        """Send to an endpoint again, first what happened since it was switched off, as far as events are kept."""
        async with self._owned(integrator, webhook) as (connection, found):
            if found.off_at is not None:
                # Nobody makes deliveries of new events meanwhile.
                await connection.execute(_HOLD)
                await connection.execute(_MISSED, {"id": webhook})
            await connection.execute(_ON, {"id": webhook})
            await connection.execute(_DUE_AGAIN, {"id": webhook})
            await self._note(connection, found, by, Action.WEBHOOK_ON)
            await tell(connection, [EVENTS])
            return Webhook(*(await connection.execute(_FIND, {"integrator": integrator, "id": webhook})).one())

    async def test(self, integrator: str, webhook: str, member: str | None = None) -> WebhookDelivery:
        """Have a test message sent; the audit log names a member who asked for it."""
        async with self._owned(integrator, webhook) as (connection, found):
            await self._check_by_hand(connection, found)
            given = {"id": webhook, "type": TEST, "subject": f"test {token_hex(8)}"}
            row = (await connection.execute(_TEST, given)).one()
            if member is not None:
                await self._note(connection, found, member, Action.WEBHOOK_TESTED)
            await tell(connection, [EVENTS])
        return _delivery(row)

    async def send_again(
        self, integrator: str, webhook: str, delivery: int, member: str | None = None
    ) -> WebhookDelivery:
        """Have a delivery made once more, whatever became of it; the audit log names a member who asked for it."""
        async with self._owned(integrator, webhook) as (connection, found):
            await self._check_by_hand(connection, found)
            given = {"webhook": webhook, "id": min(delivery, 2**63 - 1)}
            row = (await connection.execute(_AGAIN, given)).one_or_none()
            if row is None:
                raise NotFound(Sentence("There is no such delivery: deliveries are kept for seven days"))
            if member is not None:
                await self._note(connection, found, member, Action.WEBHOOK_RESENT, f", delivery {delivery}")
            await tell(connection, [EVENTS])
        return _delivery(row)

    async def deliveries(
        self, integrator: str, webhook: str, most: int = 50, before: int | None = None
    ) -> tuple[WebhookDelivery, ...]:
        """Return an endpoint's deliveries, newest first, at most 200, and only those before a number."""
        if not 1 <= most <= LARGEST_PAGE:
            raise InvalidRequest([f"limit must be from 1 to {LARGEST_PAGE}"])
        given = {"id": webhook, "most": most, "before": 2**63 - 1 if before is None else before}
        async with self._owned(integrator, webhook) as (connection, _):
            return tuple(_delivery(row) for row in await connection.execute(_DELIVERIES, given))

    async def _check_by_hand(self, connection: AsyncConnection, webhook: Webhook) -> None:
        if webhook.off_at is not None:
            raise InvalidRequest(
                [
                    Sentence(
                        "webhook: %(webhook)s is switched off (%(reason)s); switch it on first",
                        webhook=webhook.id,
                        reason=webhook.off_reason,
                    )
                ]
            )
        if (await connection.execute(_BY_HAND, {"id": webhook.id})).scalar_one() >= MOST_BY_HAND:
            raise InvalidRequest(
                [Sentence("webhook: %(most)s deliveries that were asked for wait; try again later", most=MOST_BY_HAND)]
            )

    async def _note(
        self, connection: AsyncConnection, webhook: Webhook, by: str | None, action: Action, more: str = ""
    ) -> None:
        # The path of an address may be a secret of the receiver's.
        told, at = f"{webhook.id} at {URL(webhook.url).host}{more}", self.clock()
        if by is not None and by.startswith(KEY) and await is_crowded(connection, webhook.integrator, at):
            raise RateLimited(f"More than {MOST_A_DAY} changes within a day: make them in the portal, or tomorrow")
        await note(connection, webhook.integrator, at, Deed(by, action, told))

    @asynccontextmanager
    async def _change(self) -> AsyncIterator[AsyncConnection]:
        with store_access():
            async with self.engine.begin() as connection:
                yield connection

    @asynccontextmanager
    async def _owned(self, integrator: str, webhook: str) -> AsyncIterator[tuple[AsyncConnection, Webhook]]:
        async with self._change() as connection:
            given = {"integrator": integrator, "id": webhook}
            row = (await connection.execute(_FIND, given)).one_or_none()
            if row is None:
                raise NotFound(Sentence("There is no such webhook"))
            yield connection, Webhook(*row)


def _delivery(row: Row[Any]) -> WebhookDelivery:
    values: tuple[Any, ...] = tuple(row)
    number, event, kind, state, due_at, created_at, log = values
    attempts = tuple(
        Attempt(datetime.fromisoformat(each["at"]), each["status"], each["error"], each["ms"]) for each in log
    )
    return WebhookDelivery(number, event, kind, state, due_at, created_at, attempts)
