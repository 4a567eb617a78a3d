"""What it takes to read pools, to answer from what was read, and to keep it."""

import time
import tracemalloc
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

from bench.rows import Row
from bench.v3_market import Market, markets
from rhumbline.domain.token import Token
from rhumbline.gateways.evm.abi import selector
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.http.connection import Reply
from rhumbline.gateways.nodes.evm.multicall import MULTICALL3, Read
from rhumbline.liquidity.block_reads import read_at
from rhumbline.liquidity.deployments import Deployment
from rhumbline.liquidity.kinds.tick_math import word_of
from rhumbline.liquidity.kinds.v3 import V3Pool, V3State
from rhumbline.liquidity.lens import Lens, Wanted
from rhumbline.liquidity.pools import Pool
from rhumbline.liquidity.ticks import reach, tick_read, word_read
from tests.liquidity.made_market import made_market

REPEATS = 20
KEPT_POOLS = 200


class Counting(HttpClient):
    """Counts the bytes of bodies, both ways."""

    octets = 0

    async def ask(self, *what: Any, body: bytes | None = None, **more: Any) -> Reply:
        reply = await super().ask(*what, body=body, **more)
        self.octets += len(body or b"") + len(reply.body or b"")
        return reply


async def run() -> list[Row]:
    """Compare on a chain of the sandbox; keep made pools in memory."""
    async with markets() as chains:
        row = await _read(chains[0])
    return [row, _memory()]


async def _read(market: Market) -> Row:
    weth = Token(1, MULTICALL3, "WETH", 18, "WETH")
    place = Deployment(weth, MULTICALL3)
    pools = [(pool, _near(pool, live)) for pool, live in market.pools]
    wanted = [Wanted(pool, state.first_word, state.last_word, ticks=len(state.ticks)) for pool, state in pools]
    reads = [
        read
        for pool, state in pools
        for read in (
            Read(pool.address, selector("slot0()")),
            Read(pool.address, selector("liquidity()")),
            *(word_read(pool, word) for word in range(state.first_word, state.last_word + 1)),
            *(tick_read(pool, tick) for tick in state.ticks),
        )
    ]
    http = Counting()
    async with http:
        rpc = replace(market.rpc, http=http)
        lens = await _cost(http, lambda: Lens(rpc, place, time.monotonic).read(market.head, wanted))
        multicall = await _cost(http, lambda: read_at(rpc, MULTICALL3, market.head, reads))
    octets, cpu = lens[0] / multicall[0], lens[1] / multicall[1]
    return Row(
        name="liquidity-read",
        value=f"1/{1 / octets:.0f} of the bytes, 1/{1 / cpu:.0f} of the CPU, {len(wanted)} pools, {len(reads)} reads",
        goal="<= 1/10 of Multicall3's",
        met=octets <= 0.1 and cpu <= 0.1,
    )


async def _cost(http: Counting, ask: Callable[[], Awaitable[object]]) -> tuple[float, float]:
    """Return bytes and CPU seconds of one call; what the first one alone needs is not counted."""
    await ask()
    http.octets, begun = 0, time.process_time()
    for _ in range(REPEATS):
        await ask()
    return http.octets / REPEATS, (time.process_time() - begun) / REPEATS


def _near(pool: Pool, live: V3Pool) -> V3State:
    """Return what is read of a pool at first: the ticks around its price."""
    state, more = live.state, reach(pool.spacing)
    first, last = (word_of(state.tick, pool.spacing) + way * more for way in (-1, 1))
    ticks = {tick: net for tick, net in state.ticks.items() if first <= word_of(tick, pool.spacing) <= last}
    return replace(state, ticks=ticks, first_word=first, last_word=last)


def _memory() -> Row:
    tracemalloc.start()
    market, _ = made_market(1, 30, KEPT_POOLS)
    kept = []
    for pool in (pool for pools in market.pools.values() for pool in pools):
        state = market.state(pool)
        kept.append(V3Pool(_near(pool, state)) if isinstance(state, V3Pool) else state)
        ladders = kept[-1].ladder(True), kept[-1].ladder(False)
        assert all(ladders)
    market.states.clear()
    used = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    return Row(
        name="liquidity-memory",
        value=f"{used / 1e6:.1f} MB for {KEPT_POOLS} pools with both curves",
        goal="<= 6 MB",
        met=used <= 6e6,
    )
