"""What holds for every kind of pool."""

from contextlib import suppress
from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.liquidity.kinds.pool_state import PoolState
from rhumbline.liquidity.kinds.unswappable import Unswappable
from rhumbline.liquidity.kinds.v2 import V2State
from rhumbline.liquidity.kinds.v3 import V3Pool
from tests.liquidity.kinds.test_v2 import reserves
from tests.liquidity.kinds.test_v3 import amounts, states

KINDS: dict[str, st.SearchStrategy[PoolState]] = {
    "v2": st.builds(V2State, reserves, reserves),
    "v3": states().map(V3Pool),
}
kinds = pytest.mark.parametrize("kind", KINDS)


@kinds
@given(st.data(), amounts, st.booleans())
def test_more_never_gives_less_and_nothing_beats_the_price(
    kind: str, data: st.DataObject, amount: int, zero_for_one: bool
) -> None:
    pool = data.draw(KINDS[kind])
    with suppress(Unswappable):
        whole, half = pool.output(2 * amount, zero_for_one), pool.output(amount, zero_for_one)
        assert 0 <= half <= whole <= 2 * amount * pool.spot(zero_for_one)
        assert 0 <= pool.fee(amount, zero_for_one) <= amount
        assert pool.gas(amount, zero_for_one) >= pool.least_gas


@kinds
@given(st.data(), st.booleans(), st.floats(1e-6, 3))
def test_the_ladder_is_the_curve_as_floats(kind: str, data: st.DataObject, zero_for_one: bool, beyond: float) -> None:
    """What pays at a price is what the pool takes up to that price; nothing pays below the fee."""
    pool = data.draw(KINDS[kind])
    try:
        ladder = pool.ladder(zero_for_one)
    except Unswappable:
        return
    assert ladder.start == pytest.approx(-0.5 * log(pool.spot(zero_for_one)) + ladder.half_fee, abs=1e-6)
    taken, given_out, slope = ladder.trade(ladder.start + beyond)
    assert slope >= 0
    if ladder.ends_before(ladder.start + beyond) or taken < 1e9 or given_out < 1e9:
        return
    exact = pool.output(int(taken * (1 - 1e-9)), zero_for_one)
    assert exact == pytest.approx(given_out, rel=1e-5)
