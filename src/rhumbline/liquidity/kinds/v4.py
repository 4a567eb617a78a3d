"""Pools of Uniswap V4 whose swaps no hook touches, to the wei: the mathematics of V3 with a fee for each direction.

Sources, read 2026-11: v4-core 1.0.2, Pool.sol, SwapMath.sol, ProtocolFeeLibrary.sol; V4Quoter.sol of
v4-periphery 1.0.3. Where V4's arithmetic differs from V3's (the part of a step that is a fee), what is taken and given
does not.
"""

from dataclasses import dataclass

from rhumbline.liquidity.kinds.tick_math import FEE_UNITS
from rhumbline.liquidity.kinds.unswappable import Unswappable
from rhumbline.liquidity.kinds.v3 import V3Pool, V3State, V3Swap

_MAX_INT128 = 2**127 - 1


@dataclass(frozen=True, slots=True)
class V4State(V3State):
    """A pool at one block: ``fee`` is the liquidity providers', ``protocol_fee`` has 12 bits a direction as slot0."""

    protocol_fee: int = 0

    def swap_fee(self, zero_for_one: bool, /) -> int:
        """Fee of a direction in millionths: the protocol's of the input, then the providers' of the rest."""
        protocol = self.protocol_fee & 0xFFF if zero_for_one else self.protocol_fee >> 12
        return protocol + self.fee - protocol * self.fee // FEE_UNITS


class V4Pool(V3Pool):
    """A V4 pool at one block; amounts beyond int128 are refused, as the manager does."""

    __slots__ = ()
    least_gas, crossing_gas = 80_000, 15_000

    def output(self, amount: int, zero_for_one: bool) -> int:
        return _int128(super().output(_int128(amount), zero_for_one))

    def input_for(self, output: int, zero_for_one: bool) -> int:
        return _int128(super().input_for(_int128(output), zero_for_one))

    def swap(self, amount: int, zero_for_one: bool) -> V3Swap:
        swap = super().swap(_int128(amount), zero_for_one)
        _int128(swap.output)
        return swap


class V4NativePool(V4Pool):
    """A pool that holds native itself: a plan unwraps before it, or wraps after it."""

    __slots__ = ()
    least_gas = 100_000


def _int128(amount: int) -> int:
    if amount > _MAX_INT128:
        raise Unswappable("the amount is larger than V4 can account for")
    return amount
