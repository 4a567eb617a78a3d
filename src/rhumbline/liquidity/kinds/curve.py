"""Two coins of a Curve stableswap-NG pool, to the wei as its ``exchange`` pays.

Sources, read 2026-11: https://github.com/curvefi/stableswap-ng, contracts/main/CurveStableSwapNG.vy (``_exchange``,
``_dynamic_fee``, ``upkeep_oracles``) and CurveStableSwapMetaNG.vy, whose swaps between its own two coins are the same.
``get_dy`` takes A without its hundredths, so it differs from ``exchange`` while A is ramped; this is ``exchange``.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import isfinite, prod, sqrt

from rhumbline.liquidity.kinds.curve_math import (
    A_PRECISION,
    FEE_UNITS,
    PRECISION,
    balance_after,
    check_prices,
    dynamic_fee,
    invariant,
    quotient,
    word,
)
from rhumbline.liquidity.kinds.fitted_ladder import fitted_ladder
from rhumbline.liquidity.kinds.ladder import Ladder
from rhumbline.liquidity.kinds.unswappable import Unswappable

_SPOT_UNITS = 10**36
_LEAST_NET = 1e-9
_MOST_GUESSES = 12
_GAS, _GAS_A_COIN = 145_000, 16_000
_EVERYTHING = 2**256


class _TooLittle(Unswappable):
    """The contract's rounding leaves less than nothing."""


@dataclass(frozen=True)
class CurveState:
    """A pool at one block. ``index0`` and ``index1`` are the places of token0 and token1 among its 2 to 8 coins.

    ``amplification`` is A in hundredths at the block's time, ``base_fee`` in 1e-10, ``off_peg`` by how much it grows
    far from the balance, in 1e-10. ``rates`` turn ``balances``, raw units without what is owed to the DAO, into
    1e18ths of one value.
    """

    amplification: int
    base_fee: int
    off_peg: int
    rates: tuple[int, ...]
    balances: tuple[int, ...]
    index0: int
    index1: int

    @property
    def least_gas(self) -> int:
        """About what ``exchange`` of the genuine contract takes, 122 to 159 thousand for two coins, and an approval."""
        return _GAS + _GAS_A_COIN * len(self.balances)

    @cached_property
    def scaled(self) -> tuple[int, ...]:
        """The balances in 1e18ths of one value."""
        return tuple(word(rate * balance) // PRECISION for rate, balance in zip(self.rates, self.balances, strict=True))

    @cached_property
    def invariant(self) -> int:
        return invariant(self.scaled, self.amplification)

    def output(self, amount: int, zero_for_one: bool) -> int:
        """Output for an exact input, rounded down and one 1e18th of a value less, its fee taken off.

        Not quite monotone: the fee grows in steps of 1e-10 while the pool leaves its balance.
        """
        return self._trade(amount, zero_for_one)[0]

    def input_for(self, output: int, zero_for_one: bool) -> int:
        """Return an input that gives this output or more, while one unit less gives less; found by bisection."""
        if output <= 0:
            raise Unswappable("the output is not positive")
        if output >= self.balances[self._places(zero_for_one)[1]]:
            raise Unswappable("the pool has not that much")
        spot, low, gap = self.spot(zero_for_one), 0, output
        for _ in range(_MOST_GUESSES):
            # The price only falls: at the first one this is still too little, or just enough.
            high = low + max(1, -(-gap * spot.denominator // spot.numerator))
            if (gap := output - self._paid(high, zero_for_one)) <= 0:
                break
            low = high
        else:
            high = 2 * low
            while self._paid(high, zero_for_one) < output:
                low, high = high, 2 * high
        least = self._least(low, high, output, zero_for_one)
        if self.output(least, zero_for_one) < output:
            raise Unswappable("the pool has not that much")
        return least

    def fee(self, amount: int, zero_for_one: bool) -> int:
        """Part of an input that is worth what the pool keeps of the output, rounded up."""
        return -(-amount * self._trade(amount, zero_for_one)[1] // FEE_UNITS)

    def spot(self, zero_for_one: bool) -> Fraction:
        """Raw units out for one raw unit in, for an infinitely small trade without its fee; Unswappable when empty."""
        sold, bought = self._places(zero_for_one)
        count, product = len(self.scaled), _SPOT_UNITS * self.invariant
        for balance in self.scaled:
            product = product * self.invariant // (balance * count)
        base = _SPOT_UNITS * self.amplification * count // A_PRECISION
        slopes = [base + product // self.scaled[place] for place in (sold, bought)]
        return Fraction(slopes[0] * self.rates[sold], slopes[1] * self.rates[bought])

    def gas(self, _: int, __: bool, /) -> int:
        return self.least_gas

    def ladder(self, zero_for_one: bool) -> Ladder:
        """Return a direction as stretches, its fee as it is at the present price; Unswappable for an empty pool."""
        return self._ladders[zero_for_one]

    @cached_property
    def _ladders(self) -> dict[bool, Ladder]:
        return {zero_for_one: self._fitted(zero_for_one) for zero_for_one in (True, False)}

    def _least(self, low: int, high: int, output: int, zero_for_one: bool) -> int:
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if self._paid(middle, zero_for_one) >= output else (middle, high)
        return high

    def _paid(self, amount: int, zero_for_one: bool) -> int:
        """Return the output, nothing for too little, and everything for more than the contract computes with."""
        try:
            return self.output(amount, zero_for_one)
        except _TooLittle:
            return 0
        except Unswappable:
            return _EVERYTHING

    def _places(self, zero_for_one: bool) -> tuple[int, int]:
        return (self.index0, self.index1) if zero_for_one else (self.index1, self.index0)

    def _trade(self, amount: int, zero_for_one: bool) -> tuple[int, int]:
        """Return the output, and the fee in 1e-10."""
        if amount <= 0:
            raise Unswappable("the amount is not positive")
        sold, bought = self._places(zero_for_one)
        total, before = self.invariant, self.scaled
        balance = word(before[sold] + word(amount * self.rates[sold]) // PRECISION)
        left = balance_after(before, sold, bought, balance, self.amplification, total)
        gross = before[bought] - left - 1
        if gross < 0:
            raise _TooLittle("the amount is less than the pool's rounding")
        fee = dynamic_fee((before[sold] + balance) // 2, (before[bought] + left) // 2, self.base_fee, self.off_peg)
        after = list(before)
        after[sold], after[bought] = balance, left
        check_prices(after, self.amplification, total)
        net = gross - word(gross * fee) // FEE_UNITS
        return quotient(net * PRECISION, self.rates[bought]), fee

    def _fitted(self, zero_for_one: bool) -> Ladder:
        sold, bought = self._places(zero_for_one)
        check_prices(self.scaled, self.amplification, self.invariant)
        fee = dynamic_fee(self.scaled[sold], self.scaled[bought], self.base_fee, self.off_peg) / FEE_UNITS
        unit = self.rates[sold] / PRECISION
        curve = _Curve(self, sold, bought)
        scale = self.rates[sold] / self.rates[bought] / (1 - fee)

        def price(counted: float) -> float:
            return scale * curve.net_price(counted * unit / (1 - fee))

        if not isfinite(price(0.0)) or fee >= 1:
            raise Unswappable("the pool's numbers leave 256 bits")
        return fitted_ladder(price, self.scaled[sold] / unit, 1 - fee)


class _Curve:
    """The curve of two coins in floats, for the search."""

    def __init__(self, state: CurveState, sold: int, bought: int) -> None:
        self._sold, self._bought = float(state.scaled[sold]), float(state.scaled[bought])
        others = [float(each) for place, each in enumerate(state.scaled) if place not in (sold, bought)]
        count, self._total = len(state.scaled), float(state.invariant)
        self._factor = state.amplification * count / A_PRECISION
        self._others = sum(others)
        self._product = prod((self._total / (count * each) for each in others), start=self._total / count / count)
        self._fee, self._steepness = state.base_fee / FEE_UNITS, max(state.off_peg / FEE_UNITS, 1.0)

    def net_price(self, taken: float) -> float:
        """Return what the next unit in gives once ``taken`` are in, the fee of the whole trade taken into account."""
        sold = self._sold + taken
        left = self._left(sold)
        crossed = self._product * self._total / sold * self._total / left
        price = (self._factor + crossed / sold) / (self._factor + crossed / left)
        fee, slope = self._fee_at((self._sold + sold) / 2, (self._bought + left) / 2, price)
        # Where the fee grows faster than the output no more is taken; a search needs some price there.
        return max(price * (1 - fee) - (self._bought - left) * slope, _LEAST_NET * price)

    def _left(self, sold: float) -> float:
        """Solve the invariant, a quadratic equation in the remaining balance, in the form without cancellation."""
        b = self._others + sold + self._total / self._factor - self._total
        c = self._product * self._total / sold * self._total / self._factor
        root = sqrt(b * b + 4 * c)
        return 2 * c / (b + root) if b > 0 else (root - b) / 2

    def _fee_at(self, sold: float, bought: float, price: float) -> tuple[float, float]:
        """Return the fee at mean balances, and its slope by the input."""
        both = sold + bought
        balance = 4 * sold * bought / both / both
        weight = 1 + (self._steepness - 1) * balance
        turn = 2 * (bought - sold) * (bought + price * sold) / both**3
        fee = self._fee * self._steepness / weight
        return fee, -fee * (self._steepness - 1) * turn / weight
