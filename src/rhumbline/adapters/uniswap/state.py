"""The pools' state at the chain's newest block, kept until the chain moves.

Of a V3 pool's ticks those around the price are read, and more only when an amount reaches them: outputs stay exact, and
a pool with a tick spacing of 1 would otherwise cost 7,000 reads a block.
"""

from collections.abc import Callable, Mapping, Sequence

from rhumbline.adapters.uniswap.block_reads import Head, read_at, read_head
from rhumbline.adapters.uniswap.deployments import Deployment
from rhumbline.adapters.uniswap.pools import Pool, Version
from rhumbline.adapters.uniswap.ticks import TickDraft, tick_read, word_read
from rhumbline.domain.amm_v2 import V2State
from rhumbline.domain.amm_v3 import V3Curve, V3State, v3_curve
from rhumbline.domain.errors import NodeUnavailable
from rhumbline.gateways.evm.abi import selector
from rhumbline.gateways.nodes.evm.multicall import Read
from rhumbline.gateways.nodes.evm.rpc import EvmRpc
from rhumbline.gateways.upstreams.joined_calls import JoinedCalls

MOST_POOLS = 2_000
MOST_WORDS = 64
"""Once a large amount made a pool's words many, the next block begins anew with a few."""


class V3Live:
    """A V3 pool at one block, with its curves as soon as they are asked for."""

    __slots__ = ("_curves", "state")

    def __init__(self, state: V3State) -> None:
        self.state = state
        self._curves: dict[bool, V3Curve] = {}

    def curve(self, zero_for_one: bool) -> V3Curve:
        """Return the curve of a direction; raise Unswappable when the state contradicts itself."""
        if (curve := self._curves.get(zero_for_one)) is None:
            curve = self._curves[zero_for_one] = v3_curve(self.state, zero_for_one)
        return curve


PoolState = V2State | V3Live | None
"""None: the pool cannot be swapped with at this block (not initialised, or locked)."""


class PoolBook:
    """Reads one chain's pools. Concurrent askers share requests; whatever belongs to an older block is forgotten."""

    def __init__(self, rpc: EvmRpc, deployment: Deployment) -> None:
        self._rpc, self._deployment = rpc, deployment
        self._head: Head | None = None
        self._states: dict[str, PoolState] = {}
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
                if isinstance(live, V3Live) and live.state.last_word - live.state.first_word < MOST_WORDS
            }
            self._head, self._states = head, {}
        return head

    async def states(self, head: Head, pools: Sequence[Pool]) -> dict[str, PoolState]:
        """Return the state of every pool at a block, by address; raise HeadGone, NodeUnavailable or RpcError."""
        known = dict(self._states) if head == self._head else {}
        unknown = {pool.address: pool for pool in pools if pool.address not in known}
        if unknown:
            key = (head, frozenset(unknown))
            with self._work.join(key, lambda: self._read(head, tuple(unknown.values()))) as found:
                known |= await found
        return {pool.address: known[pool.address] for pool in pools}

    async def widen(self, head: Head, pool: Pool, live: V3Live, zero_for_one: bool) -> V3Live:
        """Return a pool with twice as many of its ticks in one direction, at the same block; raises as ``states``."""
        draft = TickDraft.widened(pool, live.state, zero_for_one)
        key = (head, pool.address, draft.first, draft.last)

        async def read() -> Mapping[str, PoolState]:
            await self._fill(head, [draft])
            return self._keep(head, {pool.address: V3Live(draft.state())})

        with self._work.join(key, read) as found:
            widened = (await found)[pool.address]
        return widened if isinstance(widened, V3Live) else live

    async def _read(self, head: Head, pools: Sequence[Pool]) -> Mapping[str, PoolState]:
        """Read everything, the ticks of the block before on suspicion: if the price moved little, one request does."""
        before = {pool.address: self._before.get(pool.address) for pool in pools}
        plans = [_reads(pool, before[pool.address]) for pool in pools]
        answers = await read_at(self._rpc, self._deployment.multicall, head, [read for plan in plans for read in plan])
        states: dict[str, PoolState] = {}
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
        states |= {draft.pool.address: V3Live(draft.state()) for draft in drafts}
        return self._keep(head, states)

    def _keep(self, head: Head, states: Mapping[str, PoolState]) -> Mapping[str, PoolState]:
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


def _reads(pool: Pool, before: V3State | None) -> list[Read]:
    if pool.version == Version.V2:
        return [Read(pool.address, selector("getReserves()"))]
    reads = [Read(pool.address, selector(name)) for name in ("slot0()", "liquidity()")]
    if before is not None:
        words = range(before.first_word, before.last_word + 1)
        reads += [word_read(pool, word) for word in words]
        reads += [tick_read(pool, tick) for tick in before.ticks]
    return reads
