"""What several processes of the service share: a node, a bridge, a price source and a receiver, each counting who asks.

Each process has addresses of its own for them, so that a question tells which process it is from.
"""

import asyncio
import json
import re
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import aiohttp
from aiohttp import web

from rhumbline.devnet.hosts import hosted
from rhumbline.domain.tracking import RouteType, StatusSource, TransactionRecord, TransferState, TransferTerms
from tests.tracking.market import Market
from tests.tracking.processes import SETTINGS, Process, chain_section, running_on

_PRICES = """sources = ["defillama"]
defillama_url = "{here}/prices"
"""
_SETTINGS = """
bridge_poll_ms = {pause}
[prices.defillama_chains]
{chain} = "local"
[webhooks]
allow_private = true
[adapters.relay]
enabled = true
url = "{here}/bridge"
calls_per_s = 10000
status_per_s = 10000
"""
_QUOTES = re.compile(r"[\w-]+:0x[0-9a-fA-F]{40}")
LONG_MS = 600_000
"""The pause between two questions about a transfer: within a test each is asked about once."""


@dataclass
class Outside:
    """Everything outside of the service. ``asked`` counts questions by process, kind and what was asked about.

    A process that ``holds`` gets no answer from the bridge and the receiver.
    """

    market: Market
    url: str = ""
    asked: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    holds: set[str] = field(default_factory=set)
    _session: aiohttp.ClientSession | None = None

    def of(self, kind: str) -> Counter[str]:
        """Count the questions of a kind by what they were about, whoever asked."""
        found = Counter[str]()
        for (_, each, about), count in self.asked.items():
            if each == kind:
                found[about] += count
        return found

    def askers(self, kind: str, about: str | None = None) -> set[str]:
        return {who for who, each, what in self.asked if each == kind and about in (None, what)}

    async def node(self, request: web.Request) -> web.Response:
        body = await request.read()
        calls = json.loads(body)
        for call in calls if isinstance(calls, list) else [calls]:
            self.asked[request.match_info["who"], call["method"], json.dumps(call.get("params", []))] += 1
        assert self._session is not None
        async with self._session.post(self.market.rpc.url, data=body, headers=JSON) as answer:
            return web.Response(body=await answer.read(), status=answer.status, content_type="application/json")

    async def bridge(self, request: web.Request) -> web.Response:
        who = request.match_info["who"]
        self.asked[who, "status", request.query["requestId"]] += 1
        await self._held(who)
        return web.json_response({"status": "pending"})

    async def prices(self, request: web.Request) -> web.Response:
        coins = _QUOTES.findall(request.path)
        for coin in coins:
            self.asked[request.match_info["who"], "price", coin] += 1
        told = {"price": 3000, "timestamp": int(datetime.now(UTC).timestamp()), "confidence": 0.99}
        return web.json_response({"coins": dict.fromkeys(coins, told)})

    async def receive(self, request: web.Request) -> web.Response:
        message = await request.json()
        about = f"{message['type']} {message['data']['id']}"
        self.asked[request.match_info["who"], "webhook", about] += 1
        await self._held(request.match_info["who"])
        return web.Response()

    async def has_heard_all(self) -> None:
        """Wait until all questions are counted that were put before: connections are accepted in their order."""
        async with aiohttp.ClientSession() as session:
            message = {"type": "last", "data": {"id": ""}}
            async with session.post(f"{self.url}/last/hook", json=message) as answer:
                assert answer.status == 200

    async def _held(self, who: str) -> None:
        if who in self.holds:
            await asyncio.Event().wait()

    @asynccontextmanager
    async def process(self, command: str, folder: Path, dsn: str) -> AsyncIterator[Process]:
        """Run ``serve`` or ``worker``, named after its folder, until the block ends."""
        here = f"{self.url}/{folder.name}"
        more = _SETTINGS.format(here=here, pause=LONG_MS, chain=self.market.chain.id)
        settings = SETTINGS.replace("sources = []", _PRICES.format(here=here)) + more
        chains = chain_section(self.market, f"{here}/node")
        async with running_on(command, chains, folder, dsn, settings=settings) as process:
            yield process


JSON = {"content-type": "application/json"}


@asynccontextmanager
async def outside_of(market: Market) -> AsyncIterator[Outside]:
    outside = Outside(market)
    app = web.Application()
    app.router.add_post("/{who}/node", outside.node)
    app.router.add_get("/{who}/bridge/intents/status/v3", outside.bridge)
    app.router.add_get("/{who}/prices/{coins:.*}", outside.prices)
    app.router.add_post("/{who}/hook", outside.receive)
    async with hosted(app) as outside.url, aiohttp.ClientSession() as outside._session:
        yield outside


def pending(number: int, now: datetime) -> TransactionRecord:
    """Return a transfer that its bridge is to be asked about at once."""
    mark = f"0x{number:064x}"
    return TransactionRecord(
        id=f"pending{number}", transaction_id=mark, origin_chain_id=1, origin_tx_hash=mark, origin_log_index=0,
        origin_block_number=number, origin_block_hash=mark, origin_time=now - timedelta(minutes=1),
        destination_chain_id=10, sender="0x" + "11" * 20, receiver="0x" + "11" * 20, integrator="acme",
        protocol="RELAY", route_type=RouteType.BRIDGE, status=TransferState.BRIDGE_PENDING,
        status_source=StatusSource.BRIDGE_API,
        terms=TransferTerms("RELAY", "0x" + "11" * 20, "0x" + "22" * 20, 5, "0x" + "22" * 20, 4, mark),
        next_bridge_check_at=now, created_at=now, updated_at=now,
    )  # fmt: skip
