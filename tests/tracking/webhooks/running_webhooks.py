"""What delivers events, on a real store, and a receiver that keeps what it was sent."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.api.wire.record_event import to_transaction_event, transaction_event_model
from rhumbline.api.wire.transaction import transaction_model
from rhumbline.catalog.chains import ChainCatalog
from rhumbline.devnet.hosts import hosted
from rhumbline.domain.clock import system_clock
from rhumbline.domain.metrics import Metrics, NoMetrics
from rhumbline.domain.record_event import RecordEvent
from rhumbline.domain.webhook import WebhookDelivery
from rhumbline.gateways.http.receiver import Receivers
from rhumbline.gateways.postgres.leases import Leases
from rhumbline.gateways.postgres.notices import Notices
from rhumbline.gateways.postgres.store_clock import StoreClock
from rhumbline.tracking.amounts import unlisted
from rhumbline.tracking.leadership import WEBHOOKS
from rhumbline.tracking.listing import Listing
from rhumbline.tracking.webhooks.dispatcher import Dispatcher
from rhumbline.tracking.webhooks.endpoints import Webhooks
from rhumbline.tracking.webhooks.queue import DeliveryQueue
from tests.api.api_service import ETH
from tests.patience import until

TRANSACTION = transaction_model("Rhumbline")
MODEL = transaction_event_model(TRANSACTION)
_DROP = text("""
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE pid <> pg_backend_pid() AND datname = current_database()
""")


@dataclass
class Receiver:
    """Answers each message with a status that ``answers`` chooses, and keeps all that came."""

    url: str = ""
    answers: Callable[[dict[str, Any]], int] = lambda message: 200
    hangs: Callable[[dict[str, Any]], bool] = lambda message: False
    came: list[tuple[dict[str, str], str]] = field(default_factory=list)
    taken: list[dict[str, Any]] = field(default_factory=list)
    at_once: int = 0
    most_at_once: int = 0

    async def answer(self, request: web.Request) -> web.Response:
        body = await request.text()
        message = json.loads(body)
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            self.came.append(({name.lower(): value for name, value in request.headers.items()}, body))
            if self.hangs(message):
                await asyncio.Event().wait()
            # Others may come meanwhile; how many is bounded, so nothing depends on how long this is.
            await asyncio.sleep(0.002)
            status = self.answers(message)
            if status < 300:
                self.taken.append(message)
            return web.Response(status=status)
        finally:
            self.at_once -= 1

    @property
    def told(self) -> list[tuple[str, str]]:
        return [(message["data"].get("id", ""), message["type"]) for message in self.taken]


@asynccontextmanager
async def running_receiver() -> AsyncIterator[Receiver]:
    receiver = Receiver()
    app = web.Application()
    app.router.add_post("/", receiver.answer)
    async with hosted(app, cancels=True) as url:
        receiver.url = f"{url}/"
        yield receiver


def listing(engine: AsyncEngine) -> Listing:
    return Listing(engine, ChainCatalog((ETH,)), (b"k" * 32,), unlisted)


@asynccontextmanager
async def delivering(
    engine: AsyncEngine, longest_s: float = 10.0, metrics: Metrics | None = None, clock: StoreClock | None = None
) -> AsyncIterator[Leases]:
    """Deliver until the block ends, as a process does that has just begun."""
    shown = listing(engine).shown

    def render(event: RecordEvent) -> bytes:
        assert event.record is not None
        return to_transaction_event(MODEL, TRANSACTION, event, shown(event.record)).model_dump_json().encode()

    clock = clock or StoreClock()
    leases, notices, stop = Leases(engine, clock), Notices(engine), asyncio.Event()
    queue = DeliveryQueue(engine, leases.fence(WEBHOOKS))
    receivers = Receivers(allow_private=True, longest_s=longest_s)
    dispatcher = Dispatcher(queue, receivers, render, clock, metrics or NoMetrics())
    tasks = [
        asyncio.create_task(work)
        for work in (notices.run(stop), leases.run(stop), dispatcher.run(leases, stop, notices))
    ]
    try:
        yield leases
    finally:
        stop.set()
        await asyncio.gather(*tasks)
        await leases.release()


def webhooks(engine: AsyncEngine) -> Webhooks:
    return Webhooks(engine, system_clock, allow_private=True)


async def states(engine: AsyncEngine, webhook: str) -> list[tuple[int | None, str]]:
    return [(each.number, each.state) for each in reversed(await log(engine, webhook))]


async def log(engine: AsyncEngine, webhook: str) -> tuple[WebhookDelivery, ...]:
    return await webhooks(engine).deliveries("acme", webhook, 200)


async def comes(holds: Callable[[], bool]) -> None:
    async def check() -> bool:
        return holds()

    await until(check)


async def comes_true(holds: Callable[[], Awaitable[bool]]) -> None:
    await until(holds)


async def drop_connections(engine: AsyncEngine) -> None:
    """End every session of the store but the one that does it."""
    with suppress(DBAPIError):
        async with engine.connect() as connection:
            await connection.execute(_DROP)
