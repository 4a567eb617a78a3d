"""Swaps of a Uniswap V3 pool, to the wei, in logarithmic time: by exact input, and by exact output.

``UniswapV3Pool.swap`` goes from stop to stop: initialised ticks, and the ends of bitmap words, at which it rounds as
well. The input and output of a complete step depend only on its two prices and its liquidity, and the contract's test
for completeness equals ``amount >= ceil(in * 1e6 / (1e6 - fee))``; so the steps of a direction are summed up once, and
a quote is a binary search and one partial step. Sources, read 2026-11: v3-core 1.0.1, UniswapV3Pool.sol, SwapMath.sol,
TickBitmap.sol; v3-periphery SafeCast of the routers' amounts (int256).
"""

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import NoReturn

from rhumbline.liquidity.kinds.ladder import Ladder
from rhumbline.liquidity.kinds.tick_math import (
    FEE_UNITS,
    HIGHEST_LIMIT,
    LOWEST_LIMIT,
    MAX_TICK,
    MIN_TICK,
    amount0_between,
    amount1_between,
    outermost_words,
    price_after_input,
    price_after_output,
    sqrt_price_at,
    word_of,
)
from rhumbline.liquidity.kinds.unswappable import TicksUnknown, Unswappable

Q96 = 1 << 96
_MAX_INT256 = 2**255 - 1


@dataclass(frozen=True, slots=True)
class V3State:
    """A pool at one block. ``fee`` in millionths; ``sqrt_price`` Q64.96; ``tick`` as slot0 has it.

    ``ticks`` has the net liquidity of every initialised tick in the bitmap words ``first_word`` to ``last_word``.
    """

    fee: int
    spacing: int
    sqrt_price: int
    tick: int
    liquidity: int
    ticks: Mapping[int, int]
    first_word: int
    last_word: int

    def swap_fee(self, _: bool, /) -> int:
        """Fee of a direction in millionths."""
        return self.fee

    def spot(self, zero_for_one: bool) -> Fraction:
        """Raw units out for one raw unit in, for an infinitely small trade without its fee."""
        square = self.sqrt_price * self.sqrt_price
        return Fraction(square, 1 << 192) if zero_for_one else Fraction(1 << 192, square)


@dataclass(frozen=True, slots=True)
class V3Swap:
    """What a swap does: raw units out, the price after it (Q64.96), the fee in raw units in.

    ``steps`` counts the stops passed, ``crossed`` the initialised ticks among them.
    """

    output: int
    sqrt_price: int
    fee: int
    steps: int
    crossed: int


@dataclass(frozen=True, slots=True)
class V3Curve:
    """One direction of one state. Place i of each list is after i whole steps; ``complete``: up to the price limit."""

    zero_for_one: bool
    fee: int
    complete: bool
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    fees: tuple[int, ...]
    crossed: tuple[int, ...]
    prices: tuple[int, ...]
    liquidities: tuple[int, ...]

    def output(self, amount: int) -> int:
        """Raw units out for an exact input, rounded down, as QuoterV2 answers where the whole amount is taken.

        Raise Unswappable when the amount is not positive, leaves int256, or is more than the pool takes, and its
        TicksUnknown when it reaches beyond the ticks that the state has.
        """
        inputs = self.inputs
        i = bisect_left(inputs, amount)
        if not 0 < i < len(inputs):
            self._refuse(amount)
        if inputs[i] == amount:
            return self.outputs[i]
        i -= 1
        price, liquidity, rest = self.prices[i], self.liquidities[i], amount - inputs[i]
        after = price_after_input(price, liquidity, rest * (FEE_UNITS - self.fee) // FEE_UNITS, self.zero_for_one)
        if self.zero_for_one:
            return self.outputs[i] + (liquidity * (price - after) >> 96)
        return self.outputs[i] + (liquidity << 96) * (after - price) // after // price

    def input_for(self, output: int) -> int:
        """Raw units in for an exact output, fee included, as QuoterV2 answers without a price limit.

        Raise Unswappable when the output is not positive or more than the pool gives, and its TicksUnknown as
        ``output`` does.
        """
        outputs = self.outputs
        i = bisect_left(outputs, output)
        if not 0 < i < len(outputs):
            self._refuse(output)
        if outputs[i] == output:
            return self.inputs[i]
        i -= 1
        price, liquidity = self.prices[i], self.liquidities[i]
        after = price_after_output(price, liquidity, output - outputs[i], self.zero_for_one)
        cost, _ = _amounts(price, after, liquidity, self.zero_for_one)
        return self.inputs[i] + cost + -(-cost * self.fee // (FEE_UNITS - self.fee))

    def swap(self, amount: int) -> V3Swap:
        """Everything about an exact input; raises as ``output`` does."""
        inputs = self.inputs
        i = bisect_left(inputs, amount)
        if not 0 < i < len(inputs):
            self._refuse(amount)
        if inputs[i] == amount:
            return V3Swap(self.outputs[i], self.prices[i], self.fees[i], i, self.crossed[i])
        i -= 1
        price, liquidity, rest = self.prices[i], self.liquidities[i], amount - inputs[i]
        after = price_after_input(price, liquidity, rest * (FEE_UNITS - self.fee) // FEE_UNITS, self.zero_for_one)
        cost, gain = _amounts(price, after, liquidity, self.zero_for_one)
        return V3Swap(self.outputs[i] + gain, after, self.fees[i] + rest - cost, i, self.crossed[i])

    def ladder(self) -> Ladder:
        """Return the known steps, those of one liquidity in a row as one."""
        begins = [i for i, each in enumerate(self.liquidities[:-1]) if not i or each != self.liquidities[i - 1]]
        prices = [self.prices[i] for i in (*begins, -1)]
        roots = [Q96 / price if self.zero_for_one else price / Q96 for price in prices]
        liquidities = [*(float(self.liquidities[i]) for i in begins), 0.0]
        return Ladder(roots, liquidities, 1 - self.fee / FEE_UNITS, self.complete)

    def _refuse(self, amount: int) -> NoReturn:
        if amount <= 0:
            raise Unswappable("the amount is not positive")
        if self.complete or amount > _MAX_INT256:
            raise Unswappable("the pool's liquidity is less than the whole amount")
        raise TicksUnknown("the amount reaches beyond the known ticks")


class V3Pool:
    """A V3 pool at one block, with its curves as soon as they are asked for."""

    __slots__ = ("_curves", "_ladders", "state")
    least_gas, crossing_gas, step_gas = 52_000, 22_000, 5_000

    def __init__(self, state: V3State) -> None:
        self.state = state
        self._curves: dict[bool, V3Curve] = {}
        self._ladders: dict[bool, Ladder] = {}

    def curve(self, zero_for_one: bool) -> V3Curve:
        """Return the curve of a direction; raise Unswappable when the state contradicts itself."""
        if (curve := self._curves.get(zero_for_one)) is None:
            curve = self._curves[zero_for_one] = v3_curve(self.state, zero_for_one)
        return curve

    def output(self, amount: int, zero_for_one: bool) -> int:
        return self.curve(zero_for_one).output(amount)

    def input_for(self, output: int, zero_for_one: bool) -> int:
        return self.curve(zero_for_one).input_for(output)

    def fee(self, amount: int, zero_for_one: bool) -> int:
        """Exactly what the pool keeps of an input as its fee."""
        return self.swap(amount, zero_for_one).fee

    def swap(self, amount: int, zero_for_one: bool) -> V3Swap:
        """Everything about an exact input; raises as ``output`` does."""
        return self.curve(zero_for_one).swap(amount)

    def spot(self, zero_for_one: bool) -> Fraction:
        return self.state.spot(zero_for_one)

    def gas(self, amount: int, zero_for_one: bool) -> int:
        swap = self.swap(amount, zero_for_one)
        return self.least_gas + self.crossing_gas * swap.crossed + self.step_gas * (swap.steps - swap.crossed)

    def ladder(self, zero_for_one: bool) -> Ladder:
        """Return what the search sees of a direction; Unswappable when the state contradicts itself."""
        if (ladder := self._ladders.get(zero_for_one)) is None:
            ladder = self._ladders[zero_for_one] = self.curve(zero_for_one).ladder()
        return ladder


def v3_curve(state: V3State, zero_for_one: bool) -> V3Curve:
    """Sum up the steps of a direction over the known ticks.

    Raise Unswappable when the ticks contradict the liquidity, or the fee is the whole input.
    """
    fee_rate = state.swap_fee(zero_for_one)
    if fee_rate >= FEE_UNITS:
        raise Unswappable("the pool keeps the whole input as its fee")
    limit = LOWEST_LIMIT if zero_for_one else HIGHEST_LIMIT
    price, liquidity = state.sqrt_price, state.liquidity
    inputs, outputs, fees, crossed = [0], [0], [0], [0]
    prices, liquidities = [price], [liquidity]
    complete = price <= limit if zero_for_one else price >= limit
    for tick in () if complete else _stops(state, zero_for_one):
        target = sqrt_price_at(tick)
        target = max(target, limit) if zero_for_one else min(target, limit)
        cost, gain = _amounts(price, target, liquidity, zero_for_one)
        fee = -(-cost * fee_rate // (FEE_UNITS - fee_rate))
        net = state.ticks.get(tick)
        complete = target == limit
        if net is not None and not complete:
            liquidity += -net if zero_for_one else net
        if liquidity < 0:
            raise Unswappable("the pool's ticks contradict its liquidity")
        price = target
        inputs.append(inputs[-1] + cost + fee)
        outputs.append(outputs[-1] + gain)
        fees.append(fees[-1] + fee)
        crossed.append(crossed[-1] + (net is not None))
        prices.append(price)
        liquidities.append(liquidity)
        if complete:
            break
    columns = (inputs, outputs, fees, crossed, prices, liquidities)
    return V3Curve(zero_for_one, fee_rate, complete, *(tuple(each) for each in columns))


def _amounts(price: int, target: int, liquidity: int, zero_for_one: bool) -> tuple[int, int]:
    """Return what the pool takes (rounded up, without its fee) and gives (rounded down) between two prices."""
    if zero_for_one:
        return (
            amount0_between(target, price, liquidity, up=True),
            amount1_between(target, price, liquidity, up=False),
        )
    return amount1_between(price, target, liquidity, up=True), amount0_between(price, target, liquidity, up=False)


def _stops(state: V3State, zero_for_one: bool) -> Iterator[int]:
    """Ticks at which the contract stops, outwards: initialised ones, each word's end, and the outermost tick."""
    spacing, tick = state.spacing, state.tick
    highest = outermost_words(spacing)[1]
    if zero_for_one:
        start = word_of(tick, spacing)
        if not state.first_word <= start <= state.last_word:
            return
        stops = {max((word << 8) * spacing, MIN_TICK) for word in range(state.first_word, start + 1)}
        stops.update(t for t in state.ticks if t <= tick)
        yield from sorted(stops, reverse=True)
        return
    start = tick // spacing + 1 >> 8
    # From the last tick of the last usable word the search begins in a word that has no tick.
    if start <= highest and not state.first_word <= start <= state.last_word:
        return
    stops = {min(((word << 8) + 255) * spacing, MAX_TICK) for word in range(start, state.last_word + 1)}
    stops.update(t for t in state.ticks if t > tick)
    if state.last_word >= highest:
        stops.add(MAX_TICK)
    yield from sorted(stops)
