"""A quote's calls of a node: requests, and how many of them wait for each other, alone and for twenty at once.

Between the service and the sandbox's nodes a relay counts requests and delays each a little, as a network does, which
distinguishes sequential requests from concurrent ones.
"""

import asyncio
import json
import statistics
import tempfile
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import aiohttp
from aiohttp import web

from bench.rows import Row
from bench.tools import CACHE
from rhumbline.api.server.listener import reserve, serve
from rhumbline.app.log import configure_logging
from rhumbline.app.sandbox_settings import sandbox_settings
from rhumbline.app.settings import load_settings
from rhumbline.app.store import opened_store
from rhumbline.app.wiring import wired
from rhumbline.devnet.evm.accounts import sandbox_account
from rhumbline.devnet.hosts import hosted
from rhumbline.devnet.local_chains import running_sandbox
from rhumbline.devnet.sandbox import Sandbox, SandboxChain, SandboxConfig
from rhumbline.devnet.svm import accounts as solana
from rhumbline.devnet.upstreams import EMULATORS, PRICE_EMULATORS
from rhumbline.devnet.upstreams.server import running_emulators
from rhumbline.devnet.upstreams.world import running_world

ALONE, TOGETHER = 20, 20
PAUSE_S, TRIP_S = 0.5, 0.02
GOALS: Mapping[str, tuple[str, int, int]] = {
    "KYBERSWAP": ("sbxa", 3, 3),
    "ONCHAIN": ("sbxa", 3, 3),
    "JUPITER": ("sbxs", 5, 4),
}
"""By adapter: the chain, the most requests of a quote, and the most that wait for each other."""
_AMOUNT = 100_000_000


@dataclass
class Relay:
    """Passes requests on, and keeps when each came and was answered, in the loop's time."""

    nodes: Mapping[str, str]
    made: list[tuple[float, float]] = field(default_factory=list)

    async def answer(self, request: web.Request) -> web.Response:
        clock = asyncio.get_running_loop().time
        came, body = clock(), await request.read()
        await asyncio.sleep(TRIP_S)
        headers = {"content-type": "application/json"}
        async with self.session.post(self.nodes[request.match_info["chain"]], data=body, headers=headers) as reply:
            answer = web.Response(body=await reply.read(), status=reply.status, headers=headers)
        self.made.append((came, clock()))
        return answer

    @asynccontextmanager
    async def running(self) -> AsyncIterator[str]:
        app = web.Application(client_max_size=2**24)
        app.router.add_post("/{chain}", self.answer)
        async with aiohttp.ClientSession() as self.session, hosted(app) as url:
            yield url

    def taken(self) -> tuple[int, int]:
        """Return the requests since the last call, and the length of the longest sequence of them."""
        made, longest = sorted(self.made), list[tuple[float, int]]()
        self.made.clear()
        for came, answered in made:
            longest.append((answered, 1 + max((trips for ended, trips in longest if ended <= came), default=0)))
        return len(made), max((trips for _, trips in longest), default=0)


async def run() -> list[Row]:
    """Ask alone, then together, of each adapter."""
    rows: list[Row] = []
    async with AsyncExitStack() as stack:
        relay, sandbox, url = await _quoting(stack)
        session = await stack.enter_async_context(aiohttp.ClientSession(url))
        for adapter, (key, most, most_trips) in GOALS.items():
            chain = next(each for each in sandbox.chains if each.key == key)
            ask = _question(adapter, chain)
            for warming in range(4):
                await _answered(session, ask, warming)
            alone = []
            for each in range(ALONE):
                await asyncio.sleep(PAUSE_S)
                relay.made.clear()
                await _answered(session, ask, 100 + each)
                alone.append(relay.taken())
            await asyncio.gather(*(_answered(session, ask, 200 + each) for each in range(TOGETHER)))
            shared = relay.taken()[0] / TOGETHER
            requests, trips = (statistics.median(each) for each in zip(*alone, strict=True))
            mean = statistics.mean(each[0] for each in alone)
            rows.append(
                Row(
                    name=f"node-calls {adapter}",
                    value=f"{requests:.0f} (mean {mean:.1f}), {trips:.0f} in turn; {shared:.1f} of {TOGETHER} at once",
                    goal=f"≤ {most}, ≤ {most_trips} in turn",
                    met=requests <= most and trips <= most_trips and shared <= most,
                )
            )
    return rows


async def _quoting(stack: AsyncExitStack) -> tuple[Relay, Sandbox, str]:
    """Start the chains, the upstreams, the relay and a service that follows no chain; return its URL."""
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=CACHE)))
    sandbox = await stack.enter_async_context(running_sandbox(SandboxConfig(cache=CACHE.parent)))
    world = await stack.enter_async_context(running_world(sandbox))
    kinds = [each for each in (*EMULATORS, *PRICE_EMULATORS) if each.key in GOALS or each in PRICE_EMULATORS]
    emulators = await stack.enter_async_context(running_emulators(world, kinds))
    relay = Relay({chain.key: chain.rpc_url for chain in sandbox.chains})
    between = await stack.enter_async_context(relay.running())
    text = sandbox_settings(
        sandbox, folder / "store", "http://127.0.0.1:1", sandbox_account(61).address, emulators.values()
    )
    for chain in sandbox.chains:
        text = text.replace(f'rpc = "{chain.rpc_url}"', f'rpc = "{between}/{chain.key}"')
    (folder / "settings.toml").write_text(text)
    settings = load_settings(folder / "settings.toml", {})
    configure_logging(settings.log)
    engine = await stack.enter_async_context(opened_store(settings))
    wiring = await stack.enter_async_context(wired(settings, engine))
    await wiring.prices.refresh_due()
    listener, started = reserve("127.0.0.1", 0), asyncio.Event()
    serving = asyncio.create_task(serve(wiring.app, listener, started=lambda _: started.set()))
    stack.callback(serving.cancel)
    await started.wait()
    return relay, sandbox, f"http://127.0.0.1:{listener.getsockname()[1]}"


def _question(adapter: str, chain: SandboxChain) -> dict[str, str]:
    wallet = solana.sandbox_account(4).address if chain.key == "sbxs" else sandbox_account(4).address
    return {
        "senderAddress": wallet, "originChainId": str(chain.id), "destinationChainId": str(chain.id),
        "originCurrency": chain.tokens["USDC"].address, "destinationCurrency": chain.tokens["WETH"].address,
        "includeExchanges": adapter,
    }  # fmt: skip


async def _answered(session: aiohttp.ClientSession, question: Mapping[str, str], more: int) -> None:
    async with session.get("/v1/quotes", params={**question, "amount": str(_AMOUNT + more)}) as answer:
        if answer.status != 200:
            raise SystemExit(f"bench: no quote: {json.dumps(await answer.json())[:500]}")
