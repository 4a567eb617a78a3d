"""The pools' state at the chain's newest block, kept until the chain moves.

Of a V3 pool's ticks those around the price are read, and more only when an amount reaches them: outputs stay exact, and
a pool with a tick spacing of 1 would otherwise cost 7,000 reads a block.
"""

from collections.abc import Callable, Mapping, Sequence

from rhumbline.domain.errors import NodeUnavailable
from rhumbline.gateways.evm.abi import selector
from rhumbline.gateways.nodes.evm.multicall import Read
from rhumbline.gateways.nodes.evm.rpc import EvmRpc
from rhumbline.gateways.upstreams.joined_calls import JoinedCalls
from rhumbline.liquidity.block_reads import Head, read_at, read_head
from rhumbline.liquidity.deployments import Deployment
from rhumbline.liquidity.kinds.pool_state import PoolState
from rhumbline.liquidity.kinds.v2 import V2State
from rhumbline.liquidity.kinds.v3 import V3Pool, V3State
from rhumbline.liquidity.lens import Lens, Wanted
from rhumbline.liquidity.pools import Pool, Version
from rhumbline.liquidity.ticks import TickDraft, reach, tick_read, word_read

MOST_POOLS = 2_000
MOST_WORDS = 64
"""Once a large amount made a pool's words many, the next block begins anew with a few."""


class PoolBook:
    """Reads one chain's pools. Concurrent askers share requests; whatever belongs to an older block is forgotten."""

    def __init__(self, rpc: EvmRpc, deployment: Deployment, seconds: Callable[[], float]) -> None:
        self._rpc, self._deployment = rpc, deployment
        self._lens = Lens(rpc, deployment, seconds)
        self._head: Head | None = None
        self._states: dict[str, PoolState | None] = {}
        self._before: dict[str, V3State] = {}
        self._heads, self._work = JoinedCalls(), JoinedCalls()

    async def head(self) -> Head:
        """Ask the chain for its newest block; raise NodeUnavailable or RpcError."""
        with self._heads.join(None, lambda: read_head(self._rpc)) as asked:
            head: Head = await asked
        if head != self._head:
            if len(self._before) > MOST_POOLS:
                self._before.clear()
            self._before |= {
                address: live.state
                for address, live in self._states.items()
                if isinstance(live, V3Pool) and live.state.last_word - live.state.first_word < MOST_WORDS
            }
            self._head, self._states = head, {}
        return head

    async def states(self, head: Head, pools: Sequence[Pool]) -> dict[str, PoolState | None]:
        """Return the state of every pool at a block, by address; raise HeadGone, NodeUnavailable or RpcError."""
        known = dict(self._states) if head == self._head else {}
        unknown = {pool.address: pool for pool in pools if pool.address not in known}
        if unknown:
            key = (head, frozenset(unknown))
            with self._work.join(key, lambda: self._read(head, tuple(unknown.values()))) as found:
                known |= await found
        return {pool.address: known[pool.address] for pool in pools}

    async def widen(self, head: Head, wanted: Sequence[tuple[Pool, V3Pool, bool]]) -> Mapping[str, PoolState | None]:
        """Read four times as many ticks of pools in a direction each, at the same block; raises as ``states``."""
        drafts = {pool.address: TickDraft.widened(pool, live.state, direction) for pool, live, direction in wanted}
        key = (head, *((address, draft.first, draft.last) for address, draft in drafts.items()))

        async def read() -> Mapping[str, PoolState | None]:
            spans = [Wanted(draft.pool, draft.first, draft.last, 0, len(draft.nets)) for draft in drafts.values()]
            states = await self._lens.read(head, spans)
            if states is None:
                await self._fill(head, list(drafts.values()))
                states = {address: V3Pool(draft.state()) for address, draft in drafts.items()}
            return self._keep(head, states)

        with self._work.join(key, read) as found:
            widened: Mapping[str, PoolState | None] = await found
        return widened

    async def _read(self, head: Head, pools: Sequence[Pool]) -> Mapping[str, PoolState | None]:
        before = {pool.address: self._before.get(pool.address) for pool in pools}
        states = await self._lens.read(head, [_wanted(pool, before[pool.address]) for pool in pools])
        return self._keep(head, await self._read_each(head, pools, before) if states is None else states)

    async def _read_each(
        self, head: Head, pools: Sequence[Pool], before: Mapping[str, V3State | None]
    ) -> Mapping[str, PoolState | None]:
        """Read everything, the ticks of the block before on suspicion: if the price moved little, one request does."""
        plans = [_reads(pool, before[pool.address]) for pool in pools]
        answers = await read_at(self._rpc, self._deployment.multicall, head, [read for plan in plans for read in plan])
        states: dict[str, PoolState | None] = {}
        drafts: list[TickDraft] = []
        place = 0
        for pool, plan in zip(pools, plans, strict=True):
            part = answers[place : place + len(plan)]
            place += len(plan)
            if pool.version == Version.V2:
                states[pool.address] = self._v2(pool, part[0])
            elif (draft := self._v3(pool, part, before[pool.address])) is None:
                states[pool.address] = None
            else:
                drafts.append(draft)
        await self._fill(head, drafts)
        return states | {draft.pool.address: V3Pool(draft.state()) for draft in drafts}

    def _keep(self, head: Head, states: Mapping[str, PoolState | None]) -> Mapping[str, PoolState | None]:
        if head == self._head:
            self._states |= states
        return states

    async def _fill(self, head: Head, drafts: Sequence[TickDraft]) -> None:
        """Complete drafts: first the words they lack, then the ticks these name."""
        words = [(draft, word) for draft in drafts for word in draft.missing_words()]
        for (draft, word), data in await self._each(head, words, word_read, 32):
            draft.take_word(word, data)
        ticks = [(draft, tick) for draft in drafts for tick in draft.missing_ticks()]
        for (draft, tick), data in await self._each(head, ticks, tick_read, 64):
            draft.take_tick(tick, data)

    async def _each(
        self,
        head: Head,
        wanted: Sequence[tuple[TickDraft, int]],
        read: Callable[[Pool, int], Read],
        size: int,
    ) -> list[tuple[tuple[TickDraft, int], bytes]]:
        reads = [read(draft.pool, number) for draft, number in wanted]
        answers = await read_at(self._rpc, self._deployment.multicall, head, reads)
        return [(each, self._data(each[0].pool, answer, size)) for each, answer in zip(wanted, answers, strict=True)]

    def _v2(self, pool: Pool, answer: bytes | None) -> V2State:
        data = self._data(pool, answer, 64)
        reserves = int.from_bytes(data[:32]), int.from_bytes(data[32:64])
        return V2State(*reserves, self._deployment.v2_kept, self._deployment.v2_of)

    def _v3(self, pool: Pool, answers: Sequence[bytes | None], before: V3State | None) -> TickDraft | None:
        slot0, liquidity = self._data(pool, answers[0], 224), self._data(pool, answers[1], 32)
        sqrt_price, tick = int.from_bytes(slot0[:32]), int.from_bytes(slot0[32:64], signed=True)
        unlocked = any(slot0[192:224])
        if not sqrt_price or not unlocked:
            return None
        draft = TickDraft.around(pool, sqrt_price, tick, int.from_bytes(liquidity))
        if before is not None and draft.adopt(before):
            rest = iter(answers[2:])
            for word in range(before.first_word, before.last_word + 1):
                draft.take_word(word, self._data(pool, next(rest), 32))
            for known in before.ticks:
                draft.take_tick(known, self._data(pool, next(rest), 64))
        return draft

    def _data(self, pool: Pool, answer: bytes | None, size: int) -> bytes:
        if answer is None or len(answer) < size:
            kind = f"Uniswap V{pool.version.value} pool"
            raise NodeUnavailable(f"{self._rpc.name}: {pool.address} does not answer as a {kind}")
        return answer


def _wanted(pool: Pool, before: V3State | None) -> Wanted:
    if pool.version == Version.V2:
        return Wanted(pool)
    if before is None:
        return Wanted(pool, reach=reach(pool.spacing))
    return Wanted(pool, before.first_word, before.last_word, reach(pool.spacing), len(before.ticks))


def _reads(pool: Pool, before: V3State | None) -> list[Read]:
    if pool.version == Version.V2:
        return [Read(pool.address, selector("getReserves()"))]
    reads = [Read(pool.address, selector(name)) for name in ("slot0()", "liquidity()")]
    if before is not None:
        words = range(before.first_word, before.last_word + 1)
        reads += [word_read(pool, word) for word in words]
        reads += [tick_read(pool, tick) for tick in before.ticks]
    return reads
