"""Slipstream, the concentrated liquidity of Velodrome and Aerodrome: Uniswap V3 by tick spacing, with a variable fee.

Source, read 2026-11: contracts/core/CLPool.sol, CLFactory.sol and fees/DynamicSwapFeeModule.sol of
https://github.com/aerodrome-finance/slipstream (commit 7844368 of 2025-12-18). A swap's steps are V3's, and so is its
callback. A pair has one pool for each tick spacing. ``fee()`` asks the factory, which asks a module: it may depend on
the pool's average price of the last minutes, and grows as the price moves away from it. It is read at the block like
the price. ``slot0`` has six words, of which the last is the lock, and ``ticks`` has the net liquidity second.
"""

from collections.abc import Mapping
from functools import partial

from rhumbline.gateways.evm.abi import encode_call
from rhumbline.gateways.nodes.evm.multicall import Read
from rhumbline.liquidity.kinds.kind import Now, PoolLookup, address_in
from rhumbline.liquidity.kinds.pools import Pair, Pool, PoolKind, PoolSource
from rhumbline.liquidity.kinds.v3 import V3Pool
from rhumbline.liquidity.kinds.v3_kind import V3Kind


class SlipstreamPool(V3Pool):
    """A pool at one block; a swap asks for the fee through two more contracts, and is itself a call of a clone."""

    __slots__ = ()
    least_gas = 100_000


class SlipstreamKind(V3Kind):
    """Pools as Slipstream has them. Of a source's tiers only the tick spacings count."""

    def lookups(self, source: PoolSource, pair: Pair) -> list[PoolLookup]:
        types = ["address", "address", "int24"]
        return [
            PoolLookup(
                Read(source.factory, encode_call("getPool(address,address,int24)", types, [*pair, spacing])),
                partial(_pool, source, pair, spacing),
            )
            for _, spacing in source.tiers
        ]

    def ticked_state(
        self, pool: Pool, now: Now, nets: Mapping[int, int], first_word: int, last_word: int
    ) -> SlipstreamPool | None:
        """Refuse what ``V3Kind`` refuses; the fee is the block's."""
        found = super().ticked_state(pool, now, nets, first_word, last_word)
        return None if found is None else SlipstreamPool(found.state)


def _pool(source: PoolSource, pair: Pair, spacing: int, answer: bytes | None) -> Pool | None:
    address = address_in(answer)
    if address is None:
        return None
    return Pool(PoolKind.SLIPSTREAM, address, *pair, spacing=spacing, source=source.key)
