"""The service on a real store, whose events it hands out, and a reader of its streams."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any

import aiohttp
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.api.http.event_stream import StreamPlaces
from rhumbline.api.server.application import create_app
from rhumbline.catalog.chains import ChainCatalog
from rhumbline.domain.account import ApiClient, Integrator
from rhumbline.domain.clock import system_clock
from rhumbline.gateways.postgres.notices import Notices
from rhumbline.tracking.amounts import unlisted
from rhumbline.tracking.listing import Listing
from rhumbline.tracking.record_events.feed import EventFeed
from rhumbline.tracking.webhooks.endpoints import Webhooks
from tests.api.api_service import ETH, ApiService, services
from tests.api.conftest import served
from tests.tracking.test_listing import NOON

RECORDS = "/v1/transactions/stream"
KEYS = (b"k" * 32, b"o" * 32)
OWNERS = {"rl_live_acme": "acme", "rl_live_other": "other"}
Event = tuple[str, str | None, Any]


class Owners(ApiService):
    """Knows two integrators by their keys; a revoked key is nobody's."""

    def __init__(self) -> None:
        super().__init__()
        self.revoked: set[str] = set()

    async def caller(self, key: str | None) -> ApiClient:
        name = None if key in self.revoked else OWNERS.get(key or "")
        if name is None:
            return ApiClient(key_invalid=key is not None)
        return ApiClient(Integrator(name, None, None, NOON), 1)


@dataclass(frozen=True)
class Streams:
    url: str
    session: aiohttp.ClientSession
    places: StreamPlaces
    owners: Owners
    feed: EventFeed
    stop: asyncio.Event

    @asynccontextmanager
    async def read(
        self, path: str = RECORDS, key: str | None = "rl_live_acme", last: str | None = None
    ) -> AsyncIterator["Reader"]:
        headers = ({} if key is None else {"x-api-key": key}) | ({} if last is None else {"last-event-id": last})
        async with asyncio.timeout(60), self.session.get(self.url + path, headers=headers) as response:
            yield Reader(response)

    async def json(self, path: str, key: str | None = "rl_live_acme") -> Any:
        headers: Mapping[str, str] = {} if key is None else {"x-api-key": key}
        async with self.session.get(self.url + path, headers=headers) as response:
            return await response.json()


@dataclass
class Reader:
    """Reads events as the standard says; comments and ``retry`` alone are no events."""

    response: aiohttp.ClientResponse
    last: str | None = None

    async def next(self) -> Event | None:
        """Return the next event: name, ID, data; None at the end."""
        while True:
            try:
                block = (await self.response.content.readuntil(b"\n\n")).decode().strip()
            except asyncio.IncompleteReadError:
                return None
            if not block:
                return None
            fields = dict(line.split(": ", 1) for line in block.splitlines() if not line.startswith(":"))
            if "event" in fields:
                self.last = fields.get("id", self.last)
                return fields["event"], fields.get("id"), json.loads(fields["data"])

    async def several(self, count: int) -> list[Event]:
        found = [await self.next() for _ in range(count)]
        return [event for event in found if event is not None]


@asynccontextmanager
async def running_streams(engine: AsyncEngine, most: int = 4000) -> AsyncIterator[Streams]:
    notices, stop, places, owners = Notices(engine), asyncio.Event(), StreamPlaces(most), Owners()
    feed = EventFeed(engine, notices)
    listing = Listing(engine, ChainCatalog((ETH,)), KEYS, unlisted)
    offered = replace(
        services(owners, {}),
        listing=listing,
        events=feed,
        cursor_keys=KEYS,
        streams=places,
        accounts=owners.caller,
        webhooks=Webhooks(engine, system_clock),
    )
    tasks = [asyncio.create_task(notices.run(stop)), asyncio.create_task(feed.run(stop))]
    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(connector=connector) as session, served(create_app(offered)) as (url, _):
        try:
            yield Streams(url, session, places, owners, feed, stop)
        finally:
            stop.set()
            await asyncio.gather(*tasks)
