"""``GET /v1/transactions/stream`` and ``GET /v1/status/{transactionId}/stream``: told instead of asking again."""

import asyncio
import re
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial

from starlette.requests import Request
from starlette.responses import Response

from rhumbline.api.http.event_stream import (
    HEADERS,
    HEARTBEAT,
    HEARTBEAT_S,
    RETRY,
    EventStream,
    content_of_events,
    event,
)
from rhumbline.api.http.middleware.callers import caller_of, integrator_of
from rhumbline.api.http.paths import TRACKING
from rhumbline.api.parameters.parameter import Parameter, Text
from rhumbline.api.reference.operation import ApiRoute, Operation
from rhumbline.api.v1.services import Services
from rhumbline.api.v1.status import STATUS, TRANSACTION_ID
from rhumbline.api.wire.record_event import (
    StatusEvent,
    TransactionEvent,
    to_status_event,
    to_transaction_event,
    transaction_event_model,
)
from rhumbline.api.wire.transaction import TrackedTransaction, transaction_model
from rhumbline.domain.account import KeyScope
from rhumbline.domain.errors import InvalidRequest, NotFound, StoreUnavailable
from rhumbline.domain.record_event import EventKind, RecordEvent
from rhumbline.tracking.record_events.event_id import open_event_id, seal_event_id
from rhumbline.tracking.record_events.feed import EventFeed, Subscriber

MOST_OF_INTEGRATOR = 100
MOST_OF_ADDRESS = 32
LONGEST_S = 3600.0
"""How long one transaction is followed without a key; then the client connects again."""
ENDED = "end"
"""The ID of the last event of a transaction's stream: who comes back with it is told to stay away."""
_KEPT = 256
_FULL_ID = re.compile(r"0[xX][0-9a-fA-F]{64}", re.ASCII)
_GAP = '{"message":"Events since then are not kept any more: list the transactions, which have the present state"}'

LAST_EVENT_ID = Parameter(
    "Last-Event-ID",
    Text(200),
    "The `id` of the last event that was received; the stream goes on after it. An `EventSource` sends it by itself.",
    "q3m0yq8Xy1Jm0y2sX1bT8gAAAAAAAAAB",
    remedy="the id of an event of this stream",
    place="header",
)
_RECORDS = Operation(
    "streamTransactions",
    "Tracking",
    "The integrator's transactions, as they change",
    "Server-sent events without an end: first `ready`, then a TransactionEvent for each change, named by its `type`: "
    "`transaction.seen`, `.status`, `.final`, `.updated`, `.withdrawn`. Those of one transaction ID come in order, "
    "each at least once; with `Last-Event-ID` the stream goes on where it ended, for seven days. `gap`: events since "
    "then are not kept any more. A comment comes every 15 seconds. At most 100 streams of one integrator.",
    (LAST_EVENT_ID,),
    (400, 401, 429, 503),
    key="required",
    content=content_of_events(
        "Events: a line `id:`, a line `event:`, a line `data:` with a TransactionEvent, an empty one.",
        "event: ready\ndata: {}\n\n",
    ),
)
_ONE = Operation(
    "streamStatus",
    "Tracking",
    "A transaction's status, as it changes, without a key",
    "Server-sent events: the status as it is, then a StatusEvent for each change, named by its `type`. A transaction "
    "that was not seen yet is waited for. The stream ends with `transaction.final`; an `EventSource` that comes back "
    "gets 204, so it stays away. It ends after an hour, too. At most 32 streams of one address.",
    (TRANSACTION_ID,),
    (404, 429, 503),
    content=content_of_events(
        "Events: a line `id:`, a line `event:`, a line `data:` with a StatusEvent, an empty one.", "retry: 2000\n\n"
    ),
)


def event_stream_routes(services: Services) -> list[ApiRoute]:
    """Return both routes; they raise what says why nobody can be told."""
    transaction = transaction_model(services.brand)
    model = transaction_event_model(transaction)
    blocks = _Blocks(services, model, transaction)

    async def get_records(request: Request) -> Response:
        integrator = integrator_of(request)
        after = _opened(services, integrator, request.headers.get("last-event-id"))
        feed, key = _feed(services), request.headers.get("x-api-key", "").strip(" \t")
        with ExitStack() as place:
            place.enter_context(services.streams.taken(f"integrator {integrator}", MOST_OF_INTEGRATOR))
            subscriber = await feed.follow(integrator=integrator, after=after)
            place.callback(feed.leave, subscriber)
            is_gap = after is not None and (after > feed.position or after < await feed.forgotten())
            # A number that is not there yet is of a store that was put back.
            subscriber.cursor = min(subscriber.cursor, feed.position)
            told = _records(services, blocks, subscriber, is_gap, partial(_may_read, services, key, integrator))
            return EventStream(told, place.pop_all())

    async def get_one(request: Request) -> Response:
        identifier = str(request.path_params["transactionId"]).lower()
        if not _FULL_ID.fullmatch(identifier):
            raise NotFound("This is no transaction ID: give the transactionId of an answer")
        if request.headers.get("last-event-id") == ENDED:
            record = await services.listing.seen(identifier)
            if record is not None and record.final:
                return Response(status_code=204, headers=HEADERS)
        feed = _feed(services)
        with ExitStack() as place:
            place.enter_context(services.streams.taken(caller_of(request).requester, MOST_OF_ADDRESS))
            subscriber = await feed.follow(subject=identifier)
            place.callback(feed.leave, subscriber)
            return EventStream(_one(services, subscriber), place.pop_all())

    return [
        ApiRoute(TRACKING + "/stream", get_records, _RECORDS, model),
        ApiRoute(STATUS + "/stream", get_one, _ONE, StatusEvent),
    ]


def _feed(services: Services) -> EventFeed:
    if services.events is None:
        raise StoreUnavailable("This process hands out no events; try again shortly")
    return services.events


def _opened(services: Services, integrator: str, given: str | None) -> int | None:
    if not given:
        return None
    number = open_event_id(services.cursor_keys, integrator, given)
    if number is None:
        raise InvalidRequest(["Last-Event-ID is not of this stream: send the id of its last event, or none"])
    return number


async def _may_read(services: Services, key: str, integrator: str) -> bool:
    """Return whether a key is still the integrator's; while the store does not answer, it is."""
    try:
        client = await services.accounts(key)
    except StoreUnavailable:
        return True
    is_owner = client.integrator is not None and client.integrator.name == integrator
    return is_owner and (client.terms is None or KeyScope.TRACKING in client.terms.scopes)


@dataclass(slots=True, eq=False)
class _Blocks:
    """Writes events of records, each once for all who follow."""

    services: Services
    model: type[TransactionEvent]
    transaction: type[TrackedTransaction]
    _kept: dict[int, tuple[RecordEvent, bytes]] = field(default_factory=dict)

    def of(self, told: RecordEvent, integrator: str) -> bytes:
        """Return an event as it is sent; nothing of one whose record was withdrawn since, or is another's."""
        kept = self._kept.get(told.number)
        if kept is not None and kept[0] is told:
            return kept[1]
        if told.record is None or told.record.integrator != integrator:
            return b""
        shown = self.services.listing.shown(told.record)
        body = to_transaction_event(self.model, self.transaction, told, shown)
        block = event(body.type, body.model_dump_json(), identifier=self.identifier(integrator, told.number))
        if len(self._kept) >= _KEPT:
            self._kept.clear()
        self._kept[told.number] = told, block
        return block

    def identifier(self, integrator: str, number: int) -> str:
        return seal_event_id(self.services.cursor_keys[0], integrator, number)


async def _records(
    services: Services, blocks: _Blocks, subscriber: Subscriber, is_gap: bool, may_read: Callable[[], Awaitable[bool]]
) -> AsyncGenerator[bytes, None]:
    integrator = str(subscriber.integrator)
    now = asyncio.get_running_loop().time
    checked_at = now()
    try:
        yield RETRY + event("ready", "{}", identifier=blocks.identifier(integrator, subscriber.cursor))
        if is_gap:
            yield event("gap", _GAP)
        while not subscriber.closed:
            found = await subscriber.next()
            block = b"".join(blocks.of(each, integrator) for each in found)
            if not found and not await _rung(subscriber):
                block = HEARTBEAT
            if block:
                yield block
            if now() - checked_at >= HEARTBEAT_S:
                checked_at = now()
                if not await may_read():
                    return
    except StoreUnavailable:
        # Whoever comes back goes on from the last event.
        return


async def _one(services: Services, subscriber: Subscriber) -> AsyncGenerator[bytes, None]:
    identifier, ends_at = str(subscriber.subject), asyncio.get_running_loop().time() + LONGEST_S
    try:
        yield RETRY
        record = await services.listing.seen(identifier)
        if record is not None:
            first = to_status_event(_kind(record.final), subscriber.cursor, record.updated_at, record)
            yield _status_block(first, is_last=record.final)
        while not subscriber.closed and not (record is not None and record.final):
            found = await subscriber.next()
            if not found:
                if asyncio.get_running_loop().time() >= ends_at:
                    return
                if not await _rung(subscriber):
                    yield HEARTBEAT
                continue
            record = await services.listing.seen(identifier)
            for told in found:
                if record is not None:
                    kind = told.kind if told.kind not in (EventKind.FINAL, EventKind.WITHDRAWN) else _kind(record.final)
                    told_of = to_status_event(kind, told.number, told.at, record)
                    yield _status_block(told_of, is_last=record.final and told is found[-1])
                elif told.record is not None:
                    lost = services.listing.public(told.record)
                    yield _status_block(to_status_event(told.kind, told.number, told.at, lost), is_last=False)
    except StoreUnavailable:
        return


def _kind(is_final: bool) -> EventKind:
    return EventKind.FINAL if is_final else EventKind.STATUS


def _status_block(told: StatusEvent, *, is_last: bool) -> bytes:
    """Write an event; the last one says that it is."""
    told = told.model_copy(update={"type": EventKind.FINAL.type}) if is_last else told
    return event(told.type, told.model_dump_json(), identifier=ENDED if is_last else str(told.number))


async def _rung(subscriber: Subscriber) -> bool:
    """Wait for something new, for the time of a heartbeat; return whether there is."""
    try:
        async with asyncio.timeout(HEARTBEAT_S):
            await subscriber.bell.wait()
    except TimeoutError:
        return False
    return True
