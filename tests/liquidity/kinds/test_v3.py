"""Curves against a literal port of the contract's loop, and what must hold whatever the numbers."""

from dataclasses import dataclass, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.liquidity.kinds import tick_math
from rhumbline.liquidity.kinds.unswappable import TicksUnknown, Unswappable
from rhumbline.liquidity.kinds.v3 import V3State, v3_curve

MILLION = 1_000_000
# A spacing of 578 ends exactly with a word, so that the search goes on in a word beyond all ticks.
SPACINGS = {100: 1, 400: 578, 500: 10, 3000: 60, 10000: 200}


@dataclass
class Walked:
    """What `UniswapV3Pool.swap` leaves behind: raw units taken, fee included, and given."""

    input: int
    output: int
    sqrt_price: int
    rest: int
    fees: int


def ceil_div(a: int, b: int) -> int:
    return -(-a // b)


def literal_swap(state: V3State, amount: int, zero_for_one: bool) -> Walked:
    """`UniswapV3Pool.swap`, `TickBitmap` and `computeSwapStep`, line by line, with the bitmap as a dictionary.

    As there, a negative amount is what shall come out.
    """
    bitmap: dict[int, int] = {}
    for tick in state.ticks:
        compressed = tick // state.spacing
        bitmap[compressed >> 8] = bitmap.get(compressed >> 8, 0) | 1 << (compressed & 255)
    limit = tick_math.LOWEST_LIMIT if zero_for_one else tick_math.HIGHEST_LIMIT
    price, tick, liquidity = state.sqrt_price, state.tick, state.liquidity
    rest, taken_in, output, fees = amount, 0, 0, 0
    while rest != 0 and price != limit:
        compressed = tick // state.spacing
        if zero_for_one:
            word, bit = compressed >> 8, compressed & 255
            masked = bitmap.get(word, 0) & ((1 << bit) - 1 + (1 << bit))
            initialised = masked != 0
            following = compressed - (bit - (masked.bit_length() - 1)) if initialised else compressed - bit
        else:
            word, bit = compressed + 1 >> 8, compressed + 1 & 255
            masked = bitmap.get(word, 0) >> bit << bit
            initialised = masked != 0
            lowest = (masked & -masked).bit_length() - 1
            following = compressed + 1 + (lowest - bit) if initialised else compressed + 1 + (255 - bit)
        following = max(tick_math.MIN_TICK, min(tick_math.MAX_TICK, following * state.spacing))
        at_next = tick_math.sqrt_price_at(following)
        beyond = at_next < limit if zero_for_one else at_next > limit
        target = limit if beyond else at_next

        after, taken, given = literal_step(price, target, liquidity, rest, state.fee)
        whole_fee = ceil_div(taken * state.fee, MILLION - state.fee)
        fee = rest - taken if amount > 0 and after != target else whole_fee
        rest += given if amount < 0 else -(taken + fee)
        taken_in += taken + fee
        output += given
        fees += fee
        price = after
        if price == at_next:
            if initialised:
                liquidity += -state.ticks[following] if zero_for_one else state.ticks[following]
            tick = following - 1 if zero_for_one else following
    return Walked(taken_in, output, price, rest, fees)


def literal_step(price: int, target: int, liquidity: int, rest: int, fee: int) -> tuple[int, int, int]:
    """`computeSwapStep`: the price after it, what is taken without its fee, and what is given."""
    zero_for_one = price >= target
    into = tick_math.amount0_between if zero_for_one else tick_math.amount1_between
    out_of = tick_math.amount1_between if zero_for_one else tick_math.amount0_between
    if rest >= 0:
        counted = rest * (MILLION - fee) // MILLION
        taken = into(price, target, liquidity, up=True)
        after = target if counted >= taken else tick_math.price_after_input(price, liquidity, counted, zero_for_one)
    else:
        given = out_of(price, target, liquidity, up=False)
        after = target if -rest >= given else literal_price_after_output(price, liquidity, -rest, zero_for_one)
    taken, given = into(price, after, liquidity, up=True), out_of(price, after, liquidity, up=False)
    return after, taken, given if rest >= 0 else min(given, -rest)


def literal_price_after_output(price: int, liquidity: int, amount: int, zero_for_one: bool) -> int:
    """`getNextSqrtPriceFromOutput`, its requirements asserted."""
    if zero_for_one:
        quotient = ceil_div(amount << 96, liquidity)
        assert price > quotient
        return price - quotient
    numerator, product = liquidity << 96, amount * price
    assert numerator > product
    assert product < 2**256
    return ceil_div(numerator * price, numerator - product)


@st.composite
def states(draw: st.DrawFn) -> V3State:
    """A pool with up to 8 positions, some far from the price, gaps without liquidity among them."""
    fee = draw(st.sampled_from(sorted(SPACINGS)))
    spacing = SPACINGS[fee]
    usable = tick_math.MAX_TICK // spacing
    centre = draw(st.integers(-usable // 4, usable // 4))
    near = st.integers(-600, 600)
    ticks: dict[int, int] = {}
    positions = []
    for _ in range(draw(st.integers(0, 8))):
        low, high = sorted((draw(near), draw(near)))
        if low == high:
            continue
        amount = draw(st.integers(1, 10**24))
        positions.append((centre + low, centre + high, amount))
    if draw(st.booleans()):
        positions.append((-usable, usable, draw(st.integers(1, 10**20))))
    for low, high, amount in positions:
        ticks[low * spacing] = ticks.get(low * spacing, 0) + amount
        ticks[high * spacing] = ticks.get(high * spacing, 0) - amount
    tick = (centre + draw(near)) * spacing + draw(st.integers(0, spacing - 1))
    at, above = tick_math.sqrt_price_at(tick), tick_math.sqrt_price_at(tick + 1)
    # At the lower end of a tick's prices as often as within: that is where crossing errors hide.
    price = at if draw(st.booleans()) else draw(st.integers(at, above - 1))
    # Right after a downward crossing the price stands on a tick that slot0 says is above.
    if price == at and tick % spacing == 0 and draw(st.booleans()):
        tick -= 1
    active = sum(amount for low, high, amount in positions if low * spacing <= tick < high * spacing)
    first, last = tick_math.outermost_words(spacing)
    return V3State(fee, spacing, price, tick, active, ticks, first, last)


amounts = st.integers(0, 110).flatmap(lambda bits: st.integers(1 << bits, (2 << bits) - 1))


@given(states(), amounts, st.booleans())
def test_the_curve_is_the_contracts_loop(state: V3State, amount: int, zero_for_one: bool) -> None:
    walked = literal_swap(state, amount, zero_for_one)
    curve = v3_curve(state, zero_for_one)
    assert curve.complete
    if walked.rest:
        with pytest.raises(Unswappable):
            curve.output(amount)
    else:
        swap = curve.swap(amount)
        assert (swap.output, swap.sqrt_price, swap.fee) == (walked.output, walked.sqrt_price, walked.fees)
        assert curve.output(amount) == walked.output


@given(states(), amounts, st.booleans())
def test_the_input_for_an_output_is_the_contracts_loop(state: V3State, amount: int, zero_for_one: bool) -> None:
    walked = literal_swap(state, -amount, zero_for_one)
    curve = v3_curve(state, zero_for_one)
    if walked.rest:
        with pytest.raises(Unswappable, match="liquidity is less"):
            curve.input_for(amount)
    else:
        assert curve.input_for(amount) == walked.input
        assert walked.output == amount


@given(states(), st.booleans(), st.data())
def test_outputs_around_every_whole_step_are_exact(state: V3State, zero_for_one: bool, data: st.DataObject) -> None:
    curve = v3_curve(state, zero_for_one)
    edge = data.draw(st.sampled_from(curve.outputs))
    for output in (edge - 1, edge, edge + 1):
        if 0 < output <= curve.outputs[-1]:
            assert curve.input_for(output) == literal_swap(state, -output, zero_for_one).input


@given(states(), st.booleans(), st.data())
def test_amounts_around_every_whole_step_are_exact(state: V3State, zero_for_one: bool, data: st.DataObject) -> None:
    curve = v3_curve(state, zero_for_one)
    edge = data.draw(st.sampled_from(curve.inputs))
    for amount in (edge - 1, edge, edge + 1):
        if 0 < amount <= curve.inputs[-1]:
            walked = literal_swap(state, amount, zero_for_one)
            swap = curve.swap(amount)
            assert (swap.output, swap.sqrt_price, swap.fee) == (walked.output, walked.sqrt_price, walked.fees)


@given(states(), amounts, st.integers(1, 2**80), st.booleans())
def test_more_in_never_gives_less_and_never_beats_the_price(
    state: V3State, amount: int, more: int, zero_for_one: bool
) -> None:
    curve = v3_curve(state, zero_for_one)
    if amount + more > curve.inputs[-1]:
        more = 0
    if amount <= curve.inputs[-1]:
        output = curve.output(amount)
        assert curve.output(amount + more) >= output
        counted = amount - curve.swap(amount).fee
        assert output <= counted * state.spot(zero_for_one)


@given(states(), amounts, st.booleans())
def test_with_few_ticks_known_it_is_exact_or_says_so(state: V3State, amount: int, zero_for_one: bool) -> None:
    """Never a wrong number: what a part of the ticks answers is what all of them answer, or a refusal."""
    here = tick_math.word_of(state.tick, state.spacing)
    first, last = max(here - 1, state.first_word), min(here + 1, state.last_word)
    inside = {tick: net for tick, net in state.ticks.items() if first <= tick_math.word_of(tick, state.spacing) <= last}
    part = v3_curve(replace(state, ticks=inside, first_word=first, last_word=last), zero_for_one)
    walked = literal_swap(state, amount, zero_for_one)
    if amount <= part.inputs[-1]:
        assert part.output(amount) == walked.output
        assert walked.rest == 0
    elif part.complete:
        assert walked.rest
    else:
        with pytest.raises(TicksUnknown):
            part.output(amount)
    asked = literal_swap(state, -amount, zero_for_one)
    if amount <= part.outputs[-1]:
        assert part.input_for(amount) == asked.input
    elif part.complete:
        assert asked.rest
    else:
        with pytest.raises(TicksUnknown):
            part.input_for(amount)


@pytest.mark.parametrize("zero_for_one", [True, False])
def test_a_pool_at_its_price_limit_takes_nothing(zero_for_one: bool) -> None:
    first, last = tick_math.outermost_words(60)
    tick = tick_math.MIN_TICK if zero_for_one else tick_math.MAX_TICK - 1
    state = V3State(
        3000, 60, tick_math.LOWEST_LIMIT if zero_for_one else tick_math.HIGHEST_LIMIT, tick, 10**18, {}, first, last
    )
    with pytest.raises(Unswappable):
        v3_curve(state, zero_for_one).output(1)


def test_a_pool_without_liquidity_takes_nothing() -> None:
    first, last = tick_math.outermost_words(60)
    curve = v3_curve(V3State(3000, 60, 1 << 96, 0, 0, {}, first, last), True)
    for ask in (curve.output, curve.input_for):
        with pytest.raises(Unswappable):
            ask(1)


def test_amounts_outside_int256_are_refused_even_where_ticks_are_unknown() -> None:
    curve = v3_curve(V3State(3000, 60, 1 << 96, 0, 10**18, {}, -1, 1), True)
    for ask in (curve.output, curve.input_for):
        with pytest.raises(TicksUnknown):
            ask(2**255 - 1)
        for amount in (2**255, 0, -1):
            with pytest.raises(Unswappable, match=r"liquidity is less|not positive"):
                ask(amount)


def test_ticks_that_contradict_the_liquidity_are_noticed() -> None:
    first, last = tick_math.outermost_words(60)
    with pytest.raises(Unswappable, match="contradict"):
        v3_curve(V3State(3000, 60, 1 << 96, 0, 10, {-60: 11}, first, last), True)
