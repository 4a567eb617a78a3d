from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.adapters.mayan import amounts
from rhumbline.domain.errors import UpstreamFailed

DECIMALS = st.integers(0, 36)
AMOUNTS = st.integers(0, 10**30)


@pytest.mark.parametrize(("text", "decimals", "units"), [
    ("9.974999", 6, 9_974_999),
    ("0.0345678", 6, 34_567),  # the seventh decimal is cut off
    ("0.00000099999", 6, 1),  # rounding the one after it carries
    ("0.0039123456789", 18, 3_912_340_000_000_000),  # eight decimals and no more
    ("0.00001", 18, 10**13),
    ("10", 0, 10),
    ("2.96", 0, 3),
    ("2.94", 0, 2),
    ("1E-5", 18, 10**13),
    ("0", 18, 0),
])  # fmt: skip
def test_numbers_become_units_as_the_vendors_sdk_makes_them(text: str, decimals: int, units: int) -> None:
    assert amounts.whole_units(Decimal(text), decimals) == units


def test_what_is_not_told_is_nothing_and_negative_is_refused() -> None:
    assert amounts.whole_units(None, 6) == 0
    with pytest.raises(UpstreamFailed):
        amounts.whole_units(Decimal("-0.1"), 6)


@given(AMOUNTS, DECIMALS)
def test_what_is_cut_off_is_less_than_one_unit_of_the_protocol(amount: int, decimals: int) -> None:
    kept = amounts.floored(amount, decimals)
    assert 0 <= amount - kept < max(1, 10 ** (decimals - 8)) if decimals > 8 else amount == kept
    assert amounts.floored(kept, decimals) == kept
    assert amounts.denormalised(amounts.normalised(amount, decimals), decimals) == kept


@given(st.integers(0, 10**15), DECIMALS)
def test_whole_numbers_of_the_protocol_come_through(units: int, decimals: int) -> None:
    number = Decimal(units).scaleb(-min(8, decimals))
    assert amounts.protocol_units(number, decimals) == units
    assert amounts.whole_units(number, decimals) == amounts.denormalised(units, decimals)


@given(st.decimals(0, 10**9, places=12), DECIMALS)
def test_rounding_never_gains_a_unit(number: Decimal, decimals: int) -> None:
    kept = min(8, decimals)
    found = Decimal(amounts.protocol_units(number, decimals)).scaleb(-kept)
    assert abs(found - number) < Decimal(1).scaleb(-kept)
    assert found <= number or (found - number) <= Decimal("0.05").scaleb(-kept)


@given(st.integers())
def test_only_what_64_bits_hold_fits(amount: int) -> None:
    if 0 <= amount <= amounts.LARGEST_U64:
        assert amounts.fitting(amount) == amount
    else:
        with pytest.raises(UpstreamFailed):
            amounts.fitting(amount)
