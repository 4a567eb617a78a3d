"""Constant product, as Uniswap V2 computes it, to the wei.

Sources, read 2026-11: UniswapV2Library.sol (v2-periphery; the copy in swap-router-contracts is the one that runs) and
UniswapV2Pair.sol (v2-core 1.0.1).
"""

from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import ClassVar

from rhumbline.liquidity.kinds.ladder import Ladder
from rhumbline.liquidity.kinds.unswappable import Unswappable

MAX_RESERVE = 2**112 - 1


@dataclass(frozen=True, slots=True)
class V2State:
    """Reserves in raw units of token0 and token1; of the input ``kept / of`` counts (Uniswap: 997 / 1000)."""

    reserve0: int
    reserve1: int
    kept: int = 997
    of: int = 1000
    least_gas: ClassVar[int] = 70_000

    def output(self, amount: int, zero_for_one: bool) -> int:
        """Output for an exact input, rounded down; 0 when it is less than one raw unit (the pair itself then reverts).

        Raise Unswappable where the contracts revert: no input, an empty side, or a reserve beyond 112 bits (within
        which no product leaves 256). The pair is taken to hold its reserves exactly; what was donated to it makes the
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
