"""The pools' state at one block.

Of a pool's ticks those around the price are read, and more only when an amount reaches them: outputs stay exact, and
a pool with a tick spacing of 1 would otherwise cost 7,000 reads a block.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from rhumbline.gateways.nodes.evm.multicall import Read
from rhumbline.gateways.nodes.evm.rpc import EvmRpc
from rhumbline.gateways.upstreams.joined_calls import JoinedCalls
from rhumbline.liquidity.block_reads import Head, read_at, read_head
from rhumbline.liquidity.deployments import Deployment
from rhumbline.liquidity.kinds.kind import PlainKind, StateRead, TickedKind
from rhumbline.liquidity.kinds.pool_state import PoolState
from rhumbline.liquidity.kinds.pools import Pool
from rhumbline.liquidity.kinds.registry import KINDS
from rhumbline.liquidity.kinds.v3 import V3Pool, V3State
from rhumbline.liquidity.lens import Lens, PoolRead
from rhumbline.liquidity.ticks import TickDraft, reach

MOST_POOLS = 2_000
MOST_WORDS = 64
"""If a large amount made a pool's words many, the next block begins again with a few."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Pools at one block, by their keys; None for one that cannot be traded with, or does not answer as its kind.

    Entries never change; pools that are requested for the first time are added when read, at the same block.
    """

    head: Head
    states: dict[str, PoolState | None] = field(default_factory=dict)


class PoolBook:
    """Reads one chain's pools. Concurrent askers share requests; of older blocks only the places of ticks are kept."""

    def __init__(self, rpc: EvmRpc, deployment: Deployment, seconds: Callable[[], float]) -> None:
        self._rpc, self._deployment = rpc, deployment
        self._lens = Lens(rpc, deployment, seconds)
        self._newest: Snapshot | None = None
        self._before: dict[str, V3State] = {}
        self._heads, self._work = JoinedCalls(), JoinedCalls()

    async def newest(self, pools: Sequence[Pool] = ()) -> Snapshot:
        """Ask the chain for its newest block; of a new one read ``pools`` before anybody has it.

        Raise HeadGone, NodeUnavailable or RpcError.
        """
        with self._heads.join(None, lambda: read_head(self._rpc)) as call:
            head: Head = await call
        known = self._newest
        made = known if known is not None and known.head == head else Snapshot(head)
        await self.states(made, pools)
        if made is not known and known is self._newest:
            if known is not None:
                self._keep_ticks(known)
            self._newest = made
        return made

    async def states(self, snapshot: Snapshot, pools: Sequence[Pool]) -> dict[str, PoolState | None]:
        """Return the state of every pool at a snapshot's block, by its key; raises as ``newest``."""
        unknown = {pool.key: pool for pool in pools if pool.key not in snapshot.states}
        if unknown:
            question = (snapshot.head, frozenset(unknown))
            with self._work.join(question, lambda: self._read(snapshot.head, tuple(unknown.values()))) as found:
                snapshot.states.update(await found)
        return {pool.key: snapshot.states[pool.key] for pool in pools}

    async def widen(
        self, snapshot: Snapshot, pools: Sequence[tuple[Pool, V3Pool, bool]]
    ) -> Mapping[str, PoolState | None]:
        """Read four times as many ticks of pools in a direction each, at the same block; raises as ``newest``."""
        head = snapshot.head
        drafts = {pool.key: TickDraft.widened(pool, live, direction) for pool, live, direction in pools}
        question = (head, *((key, draft.first, draft.last) for key, draft in drafts.items()))

        async def read() -> Mapping[str, PoolState | None]:
            spans = [PoolRead(draft.pool, draft.first, draft.last, 0, len(draft.nets)) for draft in drafts.values()]
            states = await self._lens.read(head, spans)
            if states is None:
                whole = await self._fill(head, list(drafts.values()))
                states = {key: draft.finished() if key in whole else None for key, draft in drafts.items()}
            return states

        with self._work.join(question, read) as found:
            widened: Mapping[str, PoolState | None] = await found
        snapshot.states.update(widened)
        return widened

    def _keep_ticks(self, snapshot: Snapshot) -> None:
        if len(self._before) > MOST_POOLS:
            self._before.clear()
        self._before |= {
            key: live.state
            for key, live in snapshot.states.items()
            if isinstance(live, V3Pool) and live.state.last_word - live.state.first_word < MOST_WORDS
        }

    async def _read(self, head: Head, pools: Sequence[Pool]) -> Mapping[str, PoolState | None]:
        before = {pool.key: self._before.get(pool.key) for pool in pools}
        states = await self._lens.read(head, [_pool_read(pool, before[pool.key]) for pool in pools])
        return await self._read_each(head, pools, before) if states is None else states

    async def _read_each(
        self, head: Head, pools: Sequence[Pool], before: Mapping[str, V3State | None]
    ) -> Mapping[str, PoolState | None]:
        """Read everything, the ticks of the block before on suspicion: if the price moved little, one request does."""
        plans = [_reads(pool, before[pool.key]) for pool in pools]
        reads = [(pool, read) for pool, plan in zip(pools, plans, strict=True) for read in plan]
        answers = iter(await self._answers(head, [read for _, read in reads]))
        states: dict[str, PoolState | None] = dict.fromkeys((pool.key for pool in pools), None)
        drafts: list[TickDraft] = []
        for pool, plan in zip(pools, plans, strict=True):
            kind, part = KINDS[pool.kind], [next(answers) for _ in plan]
            received = [answer for answer in part if answer is not None]
            if len(received) < len(part):
                continue
            if isinstance(kind, PlainKind):
                states[pool.key] = kind.state(pool, received)
            elif (draft := _draft(kind, pool, received, before[pool.key])) is not None:
                drafts.append(draft)
        whole = await self._fill(head, drafts)
        return states | {draft.pool.key: draft.finished() for draft in drafts if draft.pool.key in whole}

    async def _fill(self, head: Head, drafts: Sequence[TickDraft]) -> set[str]:
        """Complete drafts: first the words they lack, then the ticks these name; return the keys of those it could."""
        whole = {draft.pool.key for draft in drafts}
        words = [(draft, word) for draft in drafts for word in draft.missing_words()]
        reads = [_ticked(draft.pool).word_read(draft.pool, word) for draft, word in words]
        for (draft, word), data in zip(words, await self._answers(head, reads), strict=True):
            if data is None:
                whole.discard(draft.pool.key)
            else:
                draft.take_word(word, data)
        ticks = [(draft, tick) for draft in drafts if draft.pool.key in whole for tick in draft.missing_ticks()]
        reads = [_ticked(draft.pool).tick_read(draft.pool, tick) for draft, tick in ticks]
        for (draft, tick), data in zip(ticks, await self._answers(head, reads), strict=True):
            if data is None:
                whole.discard(draft.pool.key)
            else:
                draft.take_tick(tick, _ticked(draft.pool).net(data))
        return whole

    async def _answers(self, head: Head, reads: Sequence[StateRead]) -> list[bytes | None]:
        """Make reads; None for one that failed, or whose answer is too short for its kind."""
        calls = [Read(read.to, read.data) for read in reads]
        answers = await read_at(self._rpc, self._deployment.multicall, head, calls)
        return [
            answer if answer is not None and len(answer) >= 32 * read.words else None
            for read, answer in zip(reads, answers, strict=True)
        ]


def _draft(kind: TickedKind, pool: Pool, answers: Sequence[bytes], before: V3State | None) -> TickDraft | None:
    count = len(kind.now_reads(pool))
    base = kind.ticked_state(pool, kind.now(pool, answers[:count]), {}, 0, -1)
    if not isinstance(base, V3Pool):
        return None
    draft = TickDraft.around(pool, base)
    if before is not None and draft.adopt(before):
        rest = iter(answers[count:])
        for word in range(before.first_word, before.last_word + 1):
            draft.take_word(word, next(rest))
        for known in before.ticks:
            draft.take_tick(known, kind.net(next(rest)))
    return draft


def _ticked(pool: Pool) -> TickedKind:
    kind = KINDS[pool.kind]
    if isinstance(kind, PlainKind):
        raise TypeError(f"pools of the kind {pool.kind} have no ticks")
    return kind


def _pool_read(pool: Pool, before: V3State | None) -> PoolRead:
    if isinstance(KINDS[pool.kind], PlainKind):
        return PoolRead(pool)
    if before is None:
        return PoolRead(pool, reach=reach(pool.spacing))
    return PoolRead(pool, before.first_word, before.last_word, reach(pool.spacing), len(before.ticks))


def _reads(pool: Pool, before: V3State | None) -> list[StateRead]:
    kind = KINDS[pool.kind]
    if isinstance(kind, PlainKind):
        return list(kind.reads(pool))
    reads = list(kind.now_reads(pool))
    if before is not None:
        reads += [kind.word_read(pool, word) for word in range(before.first_word, before.last_word + 1)]
        reads += [kind.tick_read(pool, tick) for tick in before.ticks]
    return reads
