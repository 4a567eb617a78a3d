"""Made of clients/python/src/rhumbline_client/_async/records.py by clients/generate.py."""

import time
from collections.abc import Generator, Sequence
from contextlib import closing
from datetime import datetime
from typing import Literal

from rhumbline_client import models
from rhumbline_client._sync.transport import Transport, answer_of
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


class Transactions:
    """The integrator's transactions. Every method needs a key, and raises KeyRefused without one that counts."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def page(
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
        return self._transport.read("GET /v1/transactions", models.TransactionList, query=query)

    def all(self, *, status: Status | None = None, limit: int = 100) -> Generator[models.TrackedTransaction, None]:
        """Return all transactions, the newest first, page after page of ``limit``."""
        cursor = None
        while True:
            page = self.page(cursor=cursor, status=status, limit=limit)
            for each in page.transactions:
                yield each
            cursor = page.next_cursor
            if cursor is None:
                return

    def get(self, lookup_key: str) -> models.TrackedTransaction:
        """Return a transaction by its ID, or by a hash on either chain."""
        return self._transport.read("GET /v1/transactions/{lookupKey}", models.TrackedTransaction, lookup_key)

    def status(self, lookup_key: str) -> models.TransactionStatus:
        """Return a transaction's status alone, by its ID or by a hash on either chain."""
        return self._transport.read("GET /v1/transactions/{lookupKey}/status", models.TransactionStatus, lookup_key)

    def stream(self, last_event_id: str | None = None) -> Generator[RecordChange, None]:
        """Return each change of the integrator's transactions, without an end; it goes on by itself after a break.

        Each event comes at least once, those of one transaction in order. Keep the ``id`` of the last one that you have
        taken, and give it as ``last_event_id`` after a restart: seven days of events are kept.
        """
        last, wait = last_event_id, FIRST_S
        while True:
            try:
                with closing(self._transport.events(STREAM, last_id=last)) as events:
                    for event in events:
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
            time.sleep(wait)
            wait = min(2 * wait, LONGEST_S)


class Webhooks:
    """The integrator's endpoints that events are posted to. What changes something is sent once and never repeated."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self) -> Sequence[models.WebhookAnswer]:
        """Return the endpoints; no secrets."""
        answer = self._transport.read("GET /v1/webhooks", models.WebhookList)
        return answer.webhooks

    def add(self, url: str, events: Sequence[EventType] | None = None) -> models.NewWebhook:
        """Add an endpoint; its secret is in this answer only."""
        body = {"url": url} if events is None else {"url": url, "events": [*events]}
        return self._transport.once("POST /v1/webhooks", models.NewWebhook, body=body)

    def rotate(self, webhook: str, overlap_sec: int | None = None) -> models.WebhookSecret:
        """Return a new secret; the old one counts beside it for a day, or as many seconds as given."""
        body = {} if overlap_sec is None else {"overlapSec": overlap_sec}
        return self._transport.once("POST /v1/webhooks/{webhook}/rotate", models.WebhookSecret, webhook, body=body)

    def remove(self, webhook: str) -> None:
        """Remove an endpoint; nothing is posted to it any more."""
        self._transport.once("POST /v1/webhooks/{webhook}/remove", models.WebhookRemoved, webhook, body={})

    def enable(self, webhook: str) -> models.WebhookAnswer:
        """Switch on an endpoint that was switched off after failures."""
        return self._transport.once("POST /v1/webhooks/{webhook}/enable", models.WebhookAnswer, webhook, body={})

    def test(self, webhook: str) -> models.WebhookDeliveryAnswer:
        """Post a test event."""
        return self._transport.once("POST /v1/webhooks/{webhook}/test", models.WebhookDeliveryAnswer, webhook, body={})

    def deliveries(
        self, webhook: str, *, limit: int | None = None, before: int | None = None
    ) -> Sequence[models.WebhookDeliveryAnswer]:
        """Return the latest deliveries with their attempts; ``before`` is the ID of one, for those that are older."""
        query = query_of({"limit": limit, "before": before})
        answer = self._transport.read(
            "GET /v1/webhooks/{webhook}/deliveries", models.WebhookDeliveries, webhook, query=query
        )
        return answer.deliveries

    def resend(self, webhook: str, delivery: int) -> models.WebhookDeliveryAnswer:
        """Post a delivery once more."""
        return self._transport.once(
            "POST /v1/webhooks/{webhook}/deliveries/{delivery}/resend",
            models.WebhookDeliveryAnswer,
            webhook,
            delivery,
            body={},
        )
