"""Constant product, as Uniswap V2 computes it, to the wei.

Sources, read 2026-11: UniswapV2Library.sol (v2-periphery; the copy in swap-router-contracts is the one that runs) and
UniswapV2Pair.sol (v2-core 1.0.1).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import sqrt
from typing import ClassVar

from rhumbline.gateways.evm.abi import encode_call, selector
from rhumbline.gateways.nodes.evm.multicall import Read
from rhumbline.liquidity.kinds.kind import HopKind, PlainKind, PoolLookup, StateRead, address_in
from rhumbline.liquidity.kinds.ladder import Ladder
from rhumbline.liquidity.kinds.pools import Pair, Pool, PoolKind, PoolSource
from rhumbline.liquidity.kinds.unswappable import Unswappable

MAX_RESERVE = 2**112 - 1
KEPT_OF = 10_000
"""The denominator of the share that a pair keeps after its fee: 9970 for 0.3 %."""


@dataclass(frozen=True, slots=True)
class V2State:
    """Reserves in raw units of token0 and token1; of the input ``kept / of`` counts (Uniswap: 997 / 1000)."""

    reserve0: int
    reserve1: int
    kept: int = 997
    of: int = 1000
    least_gas: ClassVar[int] = 40_000

    def output(self, amount: int, zero_for_one: bool) -> int:
        """Output for an exact input, rounded down; 0 if it is less than one raw unit (the pair itself then reverts).

        Raise Unswappable where the contracts revert: no input, an empty side, or a reserve beyond 112 bits (so no
        product exceeds 256 bits). The pair's balances are assumed to equal its reserves; tokens donated to it make the
        router's output larger, never smaller.
        """
        reserve_in, reserve_out = self._reserves(zero_for_one)
        if amount <= 0:
            raise Unswappable("the amount is not positive")
        if not reserve_in or not reserve_out:
            raise Unswappable("the pair is empty")
        if reserve_in + amount > MAX_RESERVE:
            raise Unswappable("the amount is larger than a pair can hold")
        counted = amount * self.kept
        return counted * reserve_out // (reserve_in * self.of + counted)

    def input_for(self, output: int, zero_for_one: bool) -> int:
        """Input for an exact output, as the library's ``getAmountIn``: one unit too many if the quotient is whole.

        Raise Unswappable if there is no such output, or the pair cannot hold the input.
        """
        reserve_in, reserve_out = self._reserves(zero_for_one)
        if output <= 0:
            raise Unswappable("the output is not positive")
        if not reserve_in or output >= reserve_out:
            raise Unswappable("the pair has not that much")
        amount = reserve_in * output * self.of // ((reserve_out - output) * self.kept) + 1
        if reserve_in + amount > MAX_RESERVE:
            raise Unswappable("the amount is larger than a pair can hold")
        return amount

    def fee(self, amount: int, _: bool, /) -> int:
        """Part of an input that stays in the pair as its fee, rounded up."""
        return -(-amount * (self.of - self.kept) // self.of)

    def spot(self, zero_for_one: bool) -> Fraction:
        """Raw units out for one raw unit in, for an infinitely small trade without its fee; Unswappable when empty."""
        reserve_in, reserve_out = self._reserves(zero_for_one)
        if not reserve_in:
            raise Unswappable("the pair is empty")
        return Fraction(reserve_out, reserve_in)

    def gas(self, _: int, __: bool, /) -> int:
        return self.least_gas

    def ladder(self, zero_for_one: bool) -> Ladder:
        """One stretch up to the most that the pair can hold; Unswappable when a side is empty."""
        reserve_in, reserve_out = self._reserves(zero_for_one)
        if not reserve_in or not reserve_out:
            raise Unswappable("the pair is empty")
        near, liquidity = sqrt(reserve_in / reserve_out), sqrt(reserve_in * reserve_out)
        far = near + max(MAX_RESERVE - reserve_in, 0) / liquidity
        return Ladder([near, far], [liquidity, 0.0], self.kept / self.of, complete=True)

    def _reserves(self, zero_for_one: bool) -> tuple[int, int]:
        return (self.reserve0, self.reserve1) if zero_for_one else (self.reserve1, self.reserve0)


class V2Kind(PlainKind):
    """Pairs as Uniswap V2 has them; a fork differs by its fee."""

    hop = HopKind.PAIR

    def lookups(self, source: PoolSource, pair: Pair) -> list[PoolLookup]:
        read = Read(source.factory, encode_call("getPair(address,address)", ["address"] * 2, pair))
        return [PoolLookup(read, partial(_pair, source, pair))]

    def reads(self, pool: Pool) -> tuple[StateRead, ...]:
        return (StateRead(pool.address, selector("getReserves()"), 2),)

    def state(self, pool: Pool, answers: Sequence[bytes]) -> V2State:
        data = answers[0]
        return V2State(int.from_bytes(data[:32]), int.from_bytes(data[32:64]), kept(pool), KEPT_OF)

    def place(self, pool: Pool, _: str) -> bytes:
        return bytes.fromhex(pool.address[2:]) + kept(pool).to_bytes(2)


def kept(pool: Pool) -> int:
    """Return of how many parts of ``KEPT_OF`` a pair takes no fee."""
    return KEPT_OF - pool.fee // 100


def _pair(source: PoolSource, pair: Pair, answer: bytes | None) -> Pool | None:
    address = address_in(answer)
    return None if address is None else Pool(PoolKind.V2, address, *pair, source.fee, source=source.key)
