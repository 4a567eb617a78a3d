"""A chain is followed while somebody asks, nobody waits long for its node, and then the node is left alone."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from rhumbline.domain.errors import NodeUnavailable
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.evm.rpc import EvmRpc
from rhumbline.gateways.nodes.heads import Heads
from rhumbline.liquidity.block_reads import Head
from rhumbline.liquidity.deployments import DEPLOYMENTS
from rhumbline.liquidity.kinds.pool_state import PoolState
from rhumbline.liquidity.kinds.pools import Pool, PoolKind
from rhumbline.liquidity.kinds.v2 import V2State
from rhumbline.liquidity.live_snapshot import NEWEST, LiveRules, LiveSnapshot
from rhumbline.liquidity.snapshots import PoolBook, Snapshot
from tests.virtual_time import in_virtual_time

POOL, OTHER = (Pool(PoolKind.V2, f"0x{number:040x}", "0x" + "11" * 20, "0x" + "22" * 20) for number in (1, 2))
RULES = LiveRules(fresh_s=2.0, wait_s=0.3, oldest_s=6.0, hot_s=300.0)


def now() -> float:
    return asyncio.get_running_loop().time()


@dataclass
class Chain(PoolBook):
    """A node with a block every twelve seconds, whose answer takes a while; it notes what it was asked."""

    answer_s: float = 0.05
    dead: bool = False
    asked: list[tuple[float, tuple[Pool, ...]]] = field(default_factory=list)
    known: Snapshot | None = None

    def __post_init__(self) -> None:
        super().__init__(EvmRpc("http://127.0.0.1:9", HttpClient()), DEPLOYMENTS[1], now)

    async def newest(self, pools: Sequence[Pool] = ()) -> Snapshot:
        self.asked.append((now(), tuple(pools)))
        await asyncio.sleep(self.answer_s)
        if self.dead:
            raise NodeUnavailable("eth: the node is away")
        number = int(now() // 12)
        if self.known is None or self.known.head.number != number:
            self.known = Snapshot(Head(number, f"0x{number:064x}"))
        await self.states(self.known, pools)
        return self.known

    async def states(self, snapshot: Snapshot, pools: Sequence[Pool]) -> dict[str, PoolState | None]:
        snapshot.states.update({pool.key: V2State(10**18 + snapshot.head.number, 10**18) for pool in pools})
        return {pool.key: snapshot.states[pool.key] for pool in pools}


@in_virtual_time
async def test_a_warm_quote_waits_for_nobody_and_has_the_newest_block() -> None:
    chain = Chain()
    live = LiveSnapshot(chain, now, RULES)
    await live.states(await live.snapshot(), [POOL])
    for _ in range(100):
        await asyncio.sleep(0.73)
        begun = now()
        snapshot = await live.snapshot()
        assert now() == begun
        assert snapshot.head.number >= (begun - RULES.fresh_s) // 12
        assert POOL.key in snapshot.states, "it was read before anybody asked"
    await live.close()


@in_virtual_time
async def test_a_chain_that_nobody_asks_about_is_left_alone() -> None:
    chain = Chain()
    live = LiveSnapshot(chain, now, RULES)
    await asyncio.sleep(1000)
    assert not chain.asked
    await live.states(await live.snapshot(), [POOL])
    await asyncio.sleep(1000)
    last = chain.asked[-1][0]
    assert 1000 + RULES.hot_s - 2 < last < 1000 + RULES.hot_s + 2
    # Who comes back waits for the newest block, and is followed again.
    assert (await live.snapshot()).head.number == int(now() // 12)
    await asyncio.sleep(10)
    assert chain.asked[-1][0] > now() - 2
    assert chain.asked[-1][1] == (), "pools of long ago are forgotten"
    await live.close()


@in_virtual_time
async def test_pools_are_followed_for_as_long_as_they_are_asked_for() -> None:
    chain = Chain()
    live = LiveSnapshot(chain, now, RULES)
    await live.states(await live.snapshot(), [POOL, OTHER])
    for _ in range(200):
        await asyncio.sleep(2)
        await live.states(await live.snapshot(), [POOL])
    assert chain.asked[0][1] == ()
    assert set(chain.asked[5][1]) == {POOL, OTHER}
    assert chain.asked[-1][1] == (POOL,)
    await live.close()


@in_virtual_time
async def test_behind_a_slow_node_nobody_waits_longer_than_stated() -> None:
    chain = Chain()
    live = LiveSnapshot(chain, now, RULES)
    await live.snapshot()
    chain.answer_s = 1.5
    waits = []
    for _ in range(40):
        await asyncio.sleep(0.5)
        begun = now()
        await live.snapshot()
        waits.append(round(now() - begun, 3))
    assert set(waits) == {0.0, 0.3}
    await live.close()


@in_virtual_time
async def test_a_block_that_is_too_old_is_no_answer() -> None:
    """The node is away: for a while the older block will do, then quotes say so; it comes back, and they go on."""
    chain = Chain()
    live = LiveSnapshot(chain, now, RULES)
    await live.snapshot()
    chain.dead = True
    await asyncio.sleep(5)
    assert (await live.snapshot()).head.number == 0
    await asyncio.sleep(2)
    with pytest.raises(NodeUnavailable, match="away"):
        await live.snapshot()
    chain.dead = False
    await asyncio.sleep(10)
    assert (await live.snapshot()).head.number == 1
    await live.close()


@in_virtual_time
async def test_who_wants_the_newest_block_asks_for_it_each_time() -> None:
    chain = Chain()
    live = LiveSnapshot(chain, now, NEWEST)
    for _ in range(3):
        await live.states(await live.snapshot(), [POOL])
    await asyncio.sleep(100)
    assert [pools for _, pools in chain.asked] == [(), (), ()]


class Announced(Heads):
    """A socket that tells of each block as it comes."""

    def __init__(self) -> None:
        self.bell = asyncio.Event()
        self._number, self._doubted = None, False

    async def listen(self, wanted: Any = lambda: True) -> None:
        try:
            while wanted():
                self._turn(int(now() // 12))
                await asyncio.sleep(12 - now() % 12)
        finally:
            self._turn(None)

    def _agrees(self, number: int, head: int) -> bool:
        return number == head

    async def _subscribe(self, connection: Any) -> None: ...

    async def _check_chain(self, connection: Any) -> None: ...

    async def _newest(self, connection: Any) -> int:
        return 0

    def _number_of(self, head: Any) -> int:
        return 0


@in_virtual_time
async def test_announced_blocks_are_read_at_once_and_nothing_is_asked_on_a_clock() -> None:
    chain = Chain()
    live = LiveSnapshot(chain, now, RULES, Announced())
    await live.states(await live.snapshot(), [POOL])
    for _ in range(240):
        await asyncio.sleep(1)
        begun = now()
        snapshot = await live.snapshot()
        assert now() == begun
        assert snapshot.head.number >= (begun - 0.2) // 12
    # Twenty blocks, a look each five seconds in case the socket is silent, and the first questions.
    assert len(chain.asked) < 20 + 240 / 5 + 5
    await live.close()
