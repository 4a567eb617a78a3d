"""A state that is written and read again is the same."""

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.liquidity.kinds.linear import LinearState
from rhumbline.liquidity.kinds.unswappable import Unswappable
from rhumbline.liquidity.kinds.written_state import read_state, write_state
from tests.liquidity.kinds.test_curve import states as curve_states
from tests.liquidity.kinds.test_properties import KINDS
from tests.liquidity.kinds.test_v3 import amounts

POOLS = {name: kind.pools for name, kind in KINDS.items()} | {
    "curve": curve_states(),
    "linear": st.builds(LinearState, amounts, amounts, amounts, amounts, st.booleans(), st.booleans(), amounts),
}


@pytest.mark.parametrize("kind", POOLS)
@given(st.data(), amounts, st.booleans())
def test_every_kind_is_read_as_it_was_written(kind: str, data: st.DataObject, amount: int, zero_for_one: bool) -> None:
    pool = data.draw(POOLS[kind])
    written = write_state(pool)
    again = read_state(json.loads(json.dumps(written)))
    assert type(again) is type(pool)
    assert write_state(again) == written
    with suppress(Unswappable):
        assert again.output(amount, zero_for_one) == pool.output(amount, zero_for_one)


@pytest.mark.parametrize(
    "written", [{}, {"form": "V9State"}, {"form": "V2State"}, {"form": "V2State", "reserve0": 1}, {"form": ["V2State"]}]
)
def test_what_is_no_state_is_refused(written: dict[str, object]) -> None:
    with pytest.raises((ValueError, TypeError)):
        read_state(written)
