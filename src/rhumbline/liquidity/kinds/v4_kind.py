"""How pools of Uniswap V4 are found, read and called; their mathematics is in ``v4.py``.

No contract lists them. A pool is where its key says, so those of the usual fees are asked for, without hooks: a hook
may change what a swap gives, or its fee, in ways that no state shows.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from rhumbline.gateways.nodes.evm.multicall import Read
from rhumbline.liquidity.kinds.kind import HopKind, Now, PoolLookup, StateRead, TickedKind
from rhumbline.liquidity.kinds.pools import Pair, Pool, PoolKind, PoolSource
from rhumbline.liquidity.kinds.v4 import V4NativePool, V4Pool, V4State
from rhumbline.liquidity.kinds.v4_storage import (
    PoolKey,
    liquidity_of,
    net_of,
    now_reads,
    slot0_of,
    tick_read,
    word_read,
)

NO_HOOKS = "0x0000000000000000000000000000000000000000"


class V4Kind(TickedKind):
    """Pools of V4's manager, the source's ``factory``. ``Now.first`` is the protocol's fees, ``Now.second`` the fee."""

    hop = HopKind.V4

    def lookups(self, source: PoolSource, pair: Pair) -> list[PoolLookup]:
        found = []
        for pool in _possible(source, pair):
            slot0, _ = now_reads(source.factory, bytes.fromhex(pool.id[2:]))
            found.append(PoolLookup(Read(slot0.to, slot0.data), partial(_pool, pool)))
        return found

    def lens_record(self, pool: Pool) -> bytes:
        return b"\x04" + bytes.fromhex(pool.address[2:]) + bytes.fromhex(pool.id[2:])

    def now_reads(self, pool: Pool) -> tuple[StateRead, ...]:
        return now_reads(pool.address, bytes.fromhex(pool.id[2:]))

    def now(self, _: Pool, answers: Sequence[bytes]) -> Now:
        slot0 = slot0_of(answers[0])
        return Now(slot0.sqrt_price, slot0.tick, liquidity_of(answers[1]), True, slot0.protocol_fee, slot0.fee)

    def word_read(self, pool: Pool, word: int) -> StateRead:
        return word_read(pool.address, bytes.fromhex(pool.id[2:]), word)

    def tick_read(self, pool: Pool, tick: int) -> StateRead:
        return tick_read(pool.address, bytes.fromhex(pool.id[2:]), tick)

    def net(self, data: bytes) -> int:
        return net_of(data)

    def ticked_state(
        self, pool: Pool, now: Now, nets: Mapping[int, int], first_word: int, last_word: int
    ) -> V4Pool | None:
        """Put a state together; None where the manager has no such pool."""
        if not now.sqrt_price:
            return None
        state = V4State(
            now.second, pool.spacing, now.sqrt_price, now.tick, now.liquidity, nets, first_word, last_word, now.first
        )
        return V4NativePool(state) if pool.native else V4Pool(state)

    def place(self, pool: Pool, _: str) -> bytes:
        terms = pool.fee.to_bytes(3) + pool.spacing.to_bytes(3) + bytes.fromhex(NO_HOOKS[2:])
        return bytes.fromhex(pool.address[2:]) + terms


def _possible(source: PoolSource, pair: Pair) -> Iterator[Pool]:
    """List the possible pools: of both tokens, and of native itself if one of them represents it."""
    for fee, spacing in source.tiers:
        for currencies, tokens in _currencies(source, pair):
            pool_id = PoolKey(*currencies, fee, spacing, NO_HOOKS).id.hex()
            native = currencies != tokens
            yield Pool(PoolKind.V4, source.factory, *tokens, fee, spacing, source.key, f"0x{pool_id}", native)


def _currencies(source: PoolSource, pair: Pair) -> Iterator[tuple[Pair, Pair]]:
    yield pair, pair
    if (wrapped := source.wrapped_native) in pair:
        other = pair[1] if pair[0] == wrapped else pair[0]
        yield (NO_HOOKS, other), (wrapped, other)


def _pool(pool: Pool, answer: bytes | None) -> Pool | None:
    exists = answer is not None and len(answer) == 32 and slot0_of(answer).sqrt_price
    return pool if exists else None
