"""What changes one token into another at a rate: vaults of ERC-4626, wrapped stakes. Exact to the wei."""

from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

from rhumbline.liquidity.kinds.ladder import Ladder
from rhumbline.liquidity.kinds.unswappable import Unswappable

_WIDTH = 0.4e-6
_DECADES = 16
"""By this part the ladder begins above the rate: a search needs some slope, on every scale of amounts."""
_MOST, _MOST_RATE = 2**128 - 1, 2**144 - 1


@dataclass(frozen=True, slots=True)
class LinearState:
    """At one block: token0 becomes ``numerator / denominator`` of token1, and back; both ways are rounded down.

    ``most0`` and ``most1`` are the most that goes in of each, raw units; 0 closes a direction. ``shares0`` or
    ``shares1``: this token is kept in shares of itself, of which it is worth ``numerator / denominator`` (stETH), so
    that what is sent of it is rounded to whole shares once more.
    """

    numerator: int
    denominator: int
    most0: int
    most1: int
    shares0: bool = False
    shares1: bool = False
    least_gas: int = 120_000

    def output(self, amount: int, zero_for_one: bool) -> int:
        """Output for an exact input; 0 if it is less than one raw unit.

        For a token held in shares: the balance afterwards of an account that had none; another account gains that much,
        or one unit more.
        """
        top, bottom = self._rate(zero_for_one)
        if amount <= 0:
            raise Unswappable("the amount is not positive")
        if amount > self._most(zero_for_one):
            raise Unswappable("more than is taken")
        output = amount * top // bottom
        if self.shares1 if zero_for_one else self.shares0:
            output = output * bottom // top * top // bottom
        return output

    def input_for(self, output: int, zero_for_one: bool) -> int:
        """Return the least input that gives this output; Unswappable where that is more than is taken."""
        top, bottom = self._rate(zero_for_one)
        if output <= 0:
            raise Unswappable("the output is not positive")
        amount = -(-output * bottom // top)
        # Rounding to whole shares may require one more.
        while self.output(amount, zero_for_one) < output:
            amount += 1
        return amount

    def fee(self, _: int, __: bool, /) -> int:
        """Nothing."""
        return 0

    def spot(self, zero_for_one: bool) -> Fraction:
        return Fraction(*self._rate(zero_for_one))

    def gas(self, _: int, __: bool, /) -> int:
        return self.least_gas

    def ladder(self, zero_for_one: bool) -> Ladder:
        """Return a direction as stretches so short that they are a line."""
        top, bottom = self._rate(zero_for_one)
        most = self._most(zero_for_one)
        if not most:
            raise Unswappable("more than is taken")
        root = sqrt(bottom / top)
        roots = [root * (1 - _WIDTH * (1 - step / _DECADES)) for step in range(_DECADES + 1)]
        taken = [0.0, *(most / 10 ** (_DECADES - 1 - step) for step in range(_DECADES))]
        liquidities = [(taken[i + 1] - taken[i]) / (roots[i + 1] - roots[i]) for i in range(_DECADES)]
        return Ladder(roots, [*liquidities, 0.0], 1.0, complete=True)

    def _rate(self, zero_for_one: bool) -> tuple[int, int]:
        top, bottom = (self.numerator, self.denominator) if zero_for_one else (self.denominator, self.numerator)
        if not 0 < top <= _MOST_RATE or not 0 < bottom <= _MOST_RATE:
            raise Unswappable("there is no rate")
        return top, bottom

    def _most(self, zero_for_one: bool) -> int:
        return min(self.most0 if zero_for_one else self.most1, _MOST)
