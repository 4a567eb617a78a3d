"""The cost of reading pools, of answering from the data, and of storing them."""

import random
import tempfile
import time
import tracemalloc
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from bench.rows import Row
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.http.connection import Reply
from rhumbline.gateways.nodes.evm.multicall import MULTICALL3, Read
from rhumbline.liquidity.block_reads import read_at, read_head
from rhumbline.liquidity.kinds.pools import Pool
from rhumbline.liquidity.kinds.tick_math import sqrt_price_at, word_of
from rhumbline.liquidity.kinds.v3 import V3Pool, V3State
from rhumbline.liquidity.kinds.v3_kind import V3Kind
from rhumbline.liquidity.lens import Lens, PoolRead
from rhumbline.liquidity.ticks import reach
from tests.liquidity.exact.chain import BareChain, bare_chain
from tests.liquidity.exact.positions import Position
from tests.liquidity.exact.v3_venue import uniswap
from tests.liquidity.made_market import made_market

POOLS, TICKS = 20, 52
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
    """Compare over Uniswap's own pools on a bare chain; keep made pools in memory."""
    with tempfile.TemporaryDirectory() as folder:
        async with bare_chain(Path(folder)) as chain:
            row = await _read(chain)
    return [row, _memory()]


async def _pools(chain: BareChain) -> list[Pool]:
    """Make pools of one pair of tokens each, with positions around the price."""
    venue, dice = await uniswap(chain), random.Random(1)
    pools = []
    for number in range(POOLS):
        fee, spacing = sorted(venue.spacings.items())[number % 3]
        tokens, price = await chain.tokens(venue.manager, venue.router), sqrt_price_at(0)
        near = [
            Position(-low * spacing, high * spacing, dice.randint(10**18, 10**20))
            for low, high in zip(range(1, TICKS // 2 + 1), dice.sample(range(1, 90), TICKS // 2), strict=True)
        ]
        pools.append(await venue.open(tokens, fee, price, near))
    return pools


async def _read(chain: BareChain) -> Row:
    place, kind = chain.deployment, V3Kind()
    whole = await chain.whole_pools(made := await _pools(chain))
    pools = [(pool, _near(pool, whole[pool.key])) for pool in made]
    pool_reads = [PoolRead(pool, state.first_word, state.last_word, ticks=len(state.ticks)) for pool, state in pools]
    reads = [
        Read(read.to, read.data)
        for pool, state in pools
        for read in (
            *kind.now_reads(pool)[:2],
            *(kind.word_read(pool, word) for word in range(state.first_word, state.last_word + 1)),
            *(kind.tick_read(pool, tick) for tick in state.ticks),
        )
    ]
    http = Counting()
    async with http:
        rpc = replace(chain.rpc, http=http)
        head = await read_head(rpc)
        lens = await _cost(http, lambda: Lens(rpc, place, time.monotonic).read(head, pool_reads))
        multicall = await _cost(http, lambda: read_at(rpc, MULTICALL3, head, reads))
    octets, cpu = lens[0] / multicall[0], lens[1] / multicall[1]
    ticks = sum(len(state.ticks) for _, state in pools)
    return Row(
        name="liquidity-read",
        value=f"1/{1 / octets:.0f} of the bytes, 1/{1 / cpu:.0f} of the CPU, {len(pool_reads)} pools, {ticks} ticks",
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
    """Return the first read of a pool: the ticks around its price."""
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
