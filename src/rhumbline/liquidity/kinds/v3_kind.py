"""How pools of Uniswap V3 and its forks are found, read and called; their mathematics is in ``v3.py``.

Sources, read 2026-11: v3-core 1.0.1, UniswapV3Factory.sol, IUniswapV3PoolState.sol.
"""

from collections.abc import Mapping, Sequence
from functools import partial

from rhumbline.gateways.evm.abi import encode_call, selector
from rhumbline.gateways.nodes.evm.multicall import Read
from rhumbline.liquidity.kinds.kind import HopKind, Now, PoolLookup, StateRead, TickedKind, address_in
from rhumbline.liquidity.kinds.pools import Pair, Pool, PoolKind, PoolSource
from rhumbline.liquidity.kinds.v3 import V3Pool, V3State


class V3Kind(TickedKind):
    """Pools as Uniswap V3 has them. ``Now.first`` is the spacing of the ticks, ``Now.second`` the fee in millionths."""

    hop = HopKind.CONCENTRATED

    def lookups(self, source: PoolSource, pair: Pair) -> list[PoolLookup]:
        types = ["address", "address", "uint24"]
        return [
            PoolLookup(
                Read(source.factory, encode_call("getPool(address,address,uint24)", types, [*pair, fee])),
                partial(_pool, source, pair, fee, spacing),
            )
            for fee, spacing in source.tiers
        ]

    def lens_record(self, pool: Pool) -> bytes:
        return b"\x03" + bytes.fromhex(pool.address[2:]) + bytes(32)

    def now_reads(self, pool: Pool) -> tuple[StateRead, ...]:
        sizes = {"slot0()": 6, "liquidity()": 1, "tickSpacing()": 1, "fee()": 1}
        return tuple(StateRead(pool.address, selector(name), words) for name, words in sizes.items())

    def now(self, _: Pool, answers: Sequence[bytes]) -> Now:
        """Read what ``slot0`` and others answer; whether the pool is unlocked is slot0's last word, of any fork."""
        slot0, liquidity, spacing, fee = answers
        price, tick = int.from_bytes(slot0[:32]), int.from_bytes(slot0[32:64], signed=True)
        numbers = [int.from_bytes(each[:32]) for each in (liquidity, spacing, fee)]
        return Now(price, tick, numbers[0], any(slot0[-32:]), *numbers[1:])

    def word_read(self, pool: Pool, word: int) -> StateRead:
        return StateRead(pool.address, selector("tickBitmap(int16)") + word.to_bytes(32, signed=True), 1)

    def tick_read(self, pool: Pool, tick: int) -> StateRead:
        return StateRead(pool.address, selector("ticks(int24)") + tick.to_bytes(32, signed=True), 2)

    def net(self, data: bytes) -> int:
        return int.from_bytes(data[32:64], signed=True)

    def ticked_state(
        self, pool: Pool, now: Now, nets: Mapping[int, int], first_word: int, last_word: int
    ) -> V3Pool | None:
        """Refuse a pool with another spacing than its tier has: its ticks would have been read at wrong places."""
        if not now.sqrt_price or not now.unlocked or now.first != pool.spacing:
            return None
        state = V3State(now.second, pool.spacing, now.sqrt_price, now.tick, now.liquidity, nets, first_word, last_word)
        return V3Pool(state)

    def place(self, pool: Pool, _: str) -> bytes:
        return bytes.fromhex(pool.address[2:])


def _pool(source: PoolSource, pair: Pair, fee: int, spacing: int, answer: bytes | None) -> Pool | None:
    address = address_in(answer)
    return None if address is None else Pool(PoolKind.V3, address, *pair, fee, spacing, source.key)
