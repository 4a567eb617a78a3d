"""What every kind of pool answers."""

from fractions import Fraction
from typing import Protocol

from rhumbline.liquidity.kinds.ladder import CLOSED, Ladder
from rhumbline.liquidity.kinds.unswappable import Unswappable


class PoolState(Protocol):
    """A pool at one block. Amounts are raw units; ``zero_for_one``: token0 goes in.

    Every method raises Unswappable where the contract would revert or take only a part.
    """

    @property
    def least_gas(self) -> int:
        """Gas of a swap that stays at the present price."""

    def output(self, amount: int, zero_for_one: bool, /) -> int:
        """Return the output for an exact input, as the contract rounds it."""

    def input_for(self, output: int, zero_for_one: bool, /) -> int:
        """Return the input that the contract asks for exactly this output; sent in, it gives that much or more."""

    def fee(self, amount: int, zero_for_one: bool, /) -> int:
        """Return what the pool keeps of an input."""

    def spot(self, zero_for_one: bool, /) -> Fraction:
        """Return raw units out for one raw unit in, for an infinitely small trade without its fee."""

    def gas(self, amount: int, zero_for_one: bool, /) -> int:
        """Return roughly what the swap costs."""

    def ladder(self, zero_for_one: bool, /) -> Ladder:
        """Return the direction as stretches of constant liquidity."""


def both_ladders(state: PoolState) -> tuple[Ladder, Ladder]:
    """Return the ladders of both directions, 0 → 1 first; Unswappable where neither can be traded."""
    ladders = []
    for zero_for_one in (True, False):
        try:
            ladders.append(state.ladder(zero_for_one))
        except Unswappable:
            ladders.append(CLOSED)
    if all(ladder is CLOSED for ladder in ladders):
        raise Unswappable("nothing can be traded with it")
    return ladders[0], ladders[1]
