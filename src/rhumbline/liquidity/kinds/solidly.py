"""Solidly's two curves, as Velodrome V2 and Aerodrome compute them, to the wei: volatile x·y, stable x³·y + y³·x.

Sources, read 2026-11: contracts/Pool.sol and PoolFactory.sol of https://github.com/aerodrome-finance/contracts (commit
a5fae2e of 2024-06-05), Pool.sol of https://github.com/velodrome-finance/contracts (1ea5fee of 2025-07-18) and of
https://github.com/velodrome-finance/superchain-contracts (7e54588 of 2025-04-03). They differ in one comparison; an
amount of which they do not agree is refused. The stable curve is computed on reserves scaled to 18 decimals. Every
product is divided by 10^18 and rounded down, so an output lies a few such units off the true curve, to either side.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import asinh, sinh, sqrt

from rhumbline.liquidity.kinds.fitted_ladder import fitted_ladder
from rhumbline.liquidity.kinds.ladder import Ladder
from rhumbline.liquidity.kinds.unswappable import Unswappable

FEE_UNITS = 10_000
ONE = 10**18
MOST_STEPS = 255
_MAX_UINT256 = 2**256 - 1
_MOST_TRIES = 64
"""Inputs tried one after another where the contract cannot compute some of them."""


@dataclass(frozen=True, slots=True)
class SolidlyState:
    """Reserves in raw units; ``unit0`` and ``unit1`` raw units in a whole token (10^decimals); ``rate`` in 1/10,000."""

    reserve0: int
    reserve1: int
    unit0: int
    unit1: int
    rate: int
    stable: bool

    @property
    def least_gas(self) -> int:
        """What the contract takes on a local chain, with the transfer of the input and its own question."""
        return 150_000 if self.stable else 130_000

    def output(self, amount: int, zero_for_one: bool) -> int:
        """``getAmountOut``, rounded down; 0 when it is less than one raw unit (the pool itself then reverts).

        Raise Unswappable where the contract reverts: no input, an empty side, a product beyond 256 bits, a search that
        does not end, or an output with which ``swap`` finds the invariant broken. One amount in a thousand is such.
        """
        if amount <= 0:
            raise Unswappable("the amount is not positive")
        after_fee = amount - self.fee(amount, zero_for_one)
        side = self._side(zero_for_one)
        if not self.stable:
            return side.volatile_output(after_fee)
        output, sound = side.stable_output(after_fee)
        if not sound:
            raise Unswappable("the pool cannot compute its output")
        if output and not side.keeps_invariant(after_fee, output):
            raise Unswappable("the pool finds its own output too large")
        return output

    def fee(self, amount: int, _: bool, /) -> int:
        """Part of an input that is taken as the fee before the curve sees it, rounded down."""
        return amount * self.rate // FEE_UNITS

    def input_for(self, output: int, zero_for_one: bool) -> int:
        """Least input that gives at least ``output``; Unswappable where none does.

        The contract has no such function. Inputs that it cannot compute are passed over.
        """
        side = self._side(zero_for_one)
        if not 0 < output < side.reserve_out:
            raise Unswappable("the pool cannot pay this output")
        after_fee = side.least_stable_input(output) if self.stable else side.least_volatile_input(output)
        # The fee is rounded down, so this is the least input of which more than ``counted - 1`` is left.
        least = (after_fee - 1) * FEE_UNITS // (FEE_UNITS - self.rate) + 1
        for amount in range(least, least + _MOST_TRIES):
            try:
                if self.output(amount, zero_for_one) >= output:
                    return amount
            except Unswappable:
                continue
        raise Unswappable("the pool cannot compute what this output costs")

    def spot(self, zero_for_one: bool) -> Fraction:
        """Raw units out for one raw unit in, for an infinitely small trade without its fee; Unswappable when empty."""
        return self._side(zero_for_one).spot(stable=self.stable)

    def gas(self, _: int, __: bool, /) -> int:
        return self.least_gas

    def ladder(self, zero_for_one: bool) -> Ladder:
        """One stretch where it is volatile, up to the most that the pool computes with; else the curve, split.

        Unswappable when a side is empty.
        """
        side = self._side(zero_for_one)
        if self.stable:
            side.scaled()  # Refuses what the contract cannot compute with, and floats could not either.
            return fitted_ladder(side.stable_price, float(side.reserve_in), 1 - self.rate / FEE_UNITS)
        near, liquidity = sqrt(side.reserve_in / side.reserve_out), sqrt(side.reserve_in * side.reserve_out)
        far = near + side.most_input / liquidity
        return Ladder([near, far], [liquidity, 0.0], 1 - self.rate / FEE_UNITS, complete=True)

    def _side(self, zero_for_one: bool) -> "_Side":
        sides = (self.reserve0, self.unit0), (self.reserve1, self.unit1)
        (reserve_in, unit_in), (reserve_out, unit_out) = sides if zero_for_one else sides[::-1]
        if not reserve_in or not reserve_out:
            raise Unswappable("the pool is empty")
        if self.rate >= FEE_UNITS:
            raise Unswappable("the pool's fee takes everything")
        return _Side(reserve_in, reserve_out, unit_in, unit_out, (self.unit0, self.unit1))


class SolidlyPool:
    """A pool at one block, with its ladders as soon as they are asked for: a stable one's takes a millisecond."""

    __slots__ = ("_ladders", "fee", "gas", "input_for", "least_gas", "output", "spot", "state")

    def __init__(self, state: SolidlyState) -> None:
        self.state, self.least_gas = state, state.least_gas
        self.output, self.input_for, self.spot = state.output, state.input_for, state.spot
        self.fee, self.gas = state.fee, state.gas
        self._ladders: dict[bool, Ladder] = {}

    def ladder(self, zero_for_one: bool) -> Ladder:
        """Return what the search sees of a direction; Unswappable when a side is empty."""
        if (ladder := self._ladders.get(zero_for_one)) is None:
            ladder = self._ladders[zero_for_one] = self.state.ladder(zero_for_one)
        return ladder


@dataclass(frozen=True, slots=True)
class _Side:
    """One direction, in raw units; inputs are without their fee. ``units`` are token0's and token1's."""

    reserve_in: int
    reserve_out: int
    unit_in: int
    unit_out: int
    units: tuple[int, int]

    @property
    def most_input(self) -> int:
        return _MAX_UINT256 // self.reserve_out

    def spot(self, *, stable: bool) -> Fraction:
        if not stable:
            return Fraction(self.reserve_out, self.reserve_in)
        x, y = self.reserve_in * self.unit_out, self.reserve_out * self.unit_in
        return Fraction(y * (3 * x * x + y * y) * self.unit_out, x * (x * x + 3 * y * y) * self.unit_in)

    def stable_price(self, taken: float) -> float:
        """Raw units out for the next raw unit in, once ``taken`` went in: the cubic's only root by hyperbolic sines."""
        x, y = self.reserve_in / self.unit_in, self.reserve_out / self.unit_out
        if taken:
            total, product = x + taken / self.unit_in, x * y * (x * x + y * y)
            y = 2 / sqrt(3) * total * sinh(asinh(1.5 * sqrt(3) * product / total**4) / 3)
            x = total
        return y * (3 * x * x + y * y) / (x * (x * x + 3 * y * y)) * self.unit_out / self.unit_in

    def volatile_output(self, after_fee: int) -> int:
        if after_fee > self.most_input:
            raise Unswappable("the amount is larger than the pool computes with")
        return after_fee * self.reserve_out // (self.reserve_in + after_fee)

    def least_volatile_input(self, output: int) -> int:
        return -(-output * self.reserve_in // (self.reserve_out - output))

    def stable_output(self, after_fee: int) -> tuple[int, bool]:
        """``_getAmountOut``, and whether the contract converges."""
        invariant, x, y = self.scaled()
        left, sound = self._other(x + after_fee * ONE // self.unit_in, invariant, y)
        output = (y - left) * self.unit_out // ONE
        if not 0 <= output < self.reserve_out:
            raise Unswappable("the pool does not have this output")
        return output, sound

    def least_stable_input(self, output: int) -> int:
        """Bisect, around where the curve itself has the output."""
        invariant, x, _ = self.scaled()
        try:
            guess, _ = self._other((self.reserve_out - output) * ONE // self.unit_out, invariant, x)
        except Unswappable:
            guess = 2 * x
        high = max(1, (guess - x) * self.unit_in // ONE)
        low, step = 0, 1
        while not self._pays(high, output):
            low, high, step = high, high + step, 2 * step
        step = 1
        while low < high - step and self._pays(high - step, output):
            high, step = high - step, 2 * step
        low = max(low, high - step)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if self._pays(middle, output) else (middle, high)
        return high

    def _pays(self, after_fee: int, output: int) -> bool:
        """Tell whether an input is enough; what the contract cannot compute is too much."""
        try:
            return self.stable_output(after_fee)[0] >= output
        except Unswappable:
            return True

    def keeps_invariant(self, after_fee: int, output: int) -> bool:
        """Tell whether ``swap`` is content with the balances it is left with."""
        after = self._invariant(self.reserve_in + after_fee, self.reserve_out - output)
        return after >= self._invariant(self.reserve_in, self.reserve_out)

    def scaled(self) -> tuple[int, int, int]:
        """Return the invariant, and both reserves with 18 decimals."""
        return (
            self._invariant(self.reserve_in, self.reserve_out),
            self.reserve_in * ONE // self.unit_in,
            self.reserve_out * ONE // self.unit_out,
        )

    def _invariant(self, x: int, y: int) -> int:
        """``_k``: of raw units."""
        return _f(_word(x * ONE) // self.unit_in, _word(y * ONE) // self.unit_out)

    def _other(self, x: int, invariant: int, y: int) -> tuple[int, bool]:
        """``_get_y``: search the other reserve by Newton's method from ``y``; tell whether all contracts end so."""
        for _ in range(MOST_STEPS):
            k, slope = _f(x, y), _d(x, y)
            if not slope:
                raise Unswappable("the pool's reserves are too small for its curve")
            step = _word(abs(invariant - k) * ONE) // slope
            if not step and k < invariant:
                beyond = _f(x, y + 1) > invariant
                if beyond is not self._first_says(x, y + 1, invariant):
                    return y + 1, False
                if beyond:
                    return y + 1, True
            elif not step and (k == invariant or _f(x, y - 1) < invariant):
                return y, True
            y += max(step, 1) if k < invariant else -max(step, 1)
            if y < 0:
                raise Unswappable("the pool cannot compute its output")
        return y, False

    def _first_says(self, x: int, y: int, invariant: int) -> bool | None:
        """Aerodrome's ``_k(x0, y + 1) > xy``; None where that leaves 256 bits.

        It scales numbers that are scaled already, and ``x`` by token0's decimals whatever it is of: for tokens with
        fewer than 18 the result is far too large. Velodrome's contracts have ``_f(x0, y + 1) > xy`` there.
        """
        try:
            return _f(_word(x * ONE) // self.units[0], _word(y * ONE) // self.units[1]) > invariant
        except Unswappable:
            return None


def _f(x: int, y: int) -> int:
    """``_f``: x³·y + y³·x, rounded down after each product."""
    cross, squares = _word(x * y) // ONE, _word(x * x) // ONE + _word(y * y) // ONE
    return _word(cross * squares) // ONE


def _d(x: int, y: int) -> int:
    """``_d``: the slope of ``_f`` along y."""
    return _word(3 * x * (y * y // ONE)) // ONE + _word(x * x // ONE * x) // ONE


def _word(value: int) -> int:
    if value > _MAX_UINT256:
        raise Unswappable("the amount is larger than the pool computes with")
    return value
