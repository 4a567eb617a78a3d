"""What an integrator's key gives: its transactions, and its webhooks."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from datetime import datetime
from typing import Literal

import anyio

from rhumbline_client import models
from rhumbline_client._async.transport import AsyncTransport, answer_of
from rhumbline_client.changes import RecordChange
from rhumbline_client.errors import ServiceError, Unreachable
from rhumbline_client.parameters import query_of
from rhumbline_client.retries import PASSING

STREAM = "GET /v1/transactions/stream"
FIRST_S, LONGEST_S = 2.0, 60.0
Status = Literal["success", "recovered", "bridge_pending", "refund_pending", "refunded", "bridge_failed", "unknown"]
EventType = Literal[
    "transaction.seen", "transaction.status", "transaction.final", "transaction.updated", "transaction.withdrawn"
]


class AsyncTransactions:
    """The integrator's transactions. Every method needs a key, and raises KeyRefused without one that counts."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def page(
        self,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        status: Status | None = None,
        route_type: str | None = None,
        source_chain_id: int | None = None,
        dest_chain_id: int | None = None,
        sender_address: str | None = None,
        receiver_address: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
    ) -> models.TransactionList:
        """Return one page, the newest first; ``next_cursor`` is None on the last one.

        Times are of a transaction's block on the source chain, from ``since`` on and before ``until``.

        Raises:
            TypeError: a time has no time zone.

        """
        query = query_of({
            "cursor": cursor,
            "limit": limit,
            "status": status,
            "route_type": route_type,
            "source_chain_id": source_chain_id,
            "dest_chain_id": dest_chain_id,
            "sender_address": sender_address,
            "receiver_address": receiver_address,
            "since": since,
            "until": until,
        })  # fmt: skip
        return await self._transport.read("GET /v1/transactions", models.TransactionList, query=query)

    async def all(
        self, *, status: Status | None = None, limit: int = 100
    ) -> AsyncGenerator[models.TrackedTransaction, None]:
        """Return all transactions, the newest first, page after page of ``limit``."""
        cursor = None
        while True:
            page = await self.page(cursor=cursor, status=status, limit=limit)
            for each in page.transactions:
                yield each
            cursor = page.next_cursor
            if cursor is None:
                return

    async def get(self, lookup_key: str) -> models.TrackedTransaction:
        """Return a transaction by its ID, or by a hash on either chain."""
        return await self._transport.read("GET /v1/transactions/{lookupKey}", models.TrackedTransaction, lookup_key)

    async def status(self, lookup_key: str) -> models.TransactionStatus:
        """Return a transaction's status alone, by its ID or by a hash on either chain."""
        return await self._transport.read(
            "GET /v1/transactions/{lookupKey}/status", models.TransactionStatus, lookup_key
        )

    async def stream(self, last_event_id: str | None = None) -> AsyncGenerator[RecordChange, None]:
        """Return each change of the integrator's transactions, without an end; it goes on by itself after a break.

        Each event comes at least once, those of one transaction in order. Keep the ``id`` of the last one that you have
        taken, and give it as ``last_event_id`` after a restart: seven days of events are kept.
        """
        last, wait = last_event_id, FIRST_S
        while True:
            try:
                async with aclosing(self._transport.events(STREAM, last_id=last)) as events:
                    async for event in events:
                        wait = FIRST_S
                        if event is None:
                            continue
                        last = event.id or last
                        if not event.name.startswith("transaction."):
                            yield RecordChange(last, event.name)
                            continue
                        told = answer_of(STREAM, models.TransactionEvent, event.data)
                        yield RecordChange(last, told.type, told.number, told.timestamp, told.data)
            except Unreachable:
                pass
            except ServiceError as error:
                if error.status not in PASSING:
                    raise
                wait = max(wait, error.retry_after or 0.0)
            await anyio.sleep(wait)
            wait = min(2 * wait, LONGEST_S)


class AsyncWebhooks:
    """The integrator's endpoints that events are posted to. What changes something is sent once and never repeated."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(self) -> Sequence[models.WebhookAnswer]:
        """Return the endpoints; no secrets."""
        answer = await self._transport.read("GET /v1/webhooks", models.WebhookList)
        return answer.webhooks

    async def add(self, url: str, events: Sequence[EventType] | None = None) -> models.NewWebhook:
        """Add an endpoint; its secret is in this answer only."""
        body = {"url": url} if events is None else {"url": url, "events": [*events]}
        return await self._transport.once("POST /v1/webhooks", models.NewWebhook, body=body)

    async def rotate(self, webhook: str, overlap_sec: int | None = None) -> models.WebhookSecret:
        """Return a new secret; the old one counts beside it for a day, or as many seconds as given."""
        body = {} if overlap_sec is None else {"overlapSec": overlap_sec}
        return await self._transport.once(
            "POST /v1/webhooks/{webhook}/rotate", models.WebhookSecret, webhook, body=body
        )

    async def remove(self, webhook: str) -> None:
        """Remove an endpoint; nothing is posted to it any more."""
        await self._transport.once("POST /v1/webhooks/{webhook}/remove", models.WebhookRemoved, webhook, body={})

    async def enable(self, webhook: str) -> models.WebhookAnswer:
        """Switch on an endpoint that was switched off after failures."""
        return await self._transport.once("POST /v1/webhooks/{webhook}/enable", models.WebhookAnswer, webhook, body={})

    async def test(self, webhook: str) -> models.WebhookDeliveryAnswer:
        """Post a test event."""
        return await self._transport.once(
            "POST /v1/webhooks/{webhook}/test", models.WebhookDeliveryAnswer, webhook, body={}
        )

    async def deliveries(
        self, webhook: str, *, limit: int | None = None, before: int | None = None
    ) -> Sequence[models.WebhookDeliveryAnswer]:
        """Return the latest deliveries with their attempts; ``before`` is the ID of one, for those that are older."""
        query = query_of({"limit": limit, "before": before})
        answer = await self._transport.read(
            "GET /v1/webhooks/{webhook}/deliveries", models.WebhookDeliveries, webhook, query=query
        )
        return answer.deliveries

    async def resend(self, webhook: str, delivery: int) -> models.WebhookDeliveryAnswer:
        """Post a delivery once more."""
        return await self._transport.once(
            "POST /v1/webhooks/{webhook}/deliveries/{delivery}/resend",
            models.WebhookDeliveryAnswer,
            webhook,
            delivery,
            body={},
        )
