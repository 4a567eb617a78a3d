"""Price impact in all the ways that upstreams tell it."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.gateways.upstreams.estimates import NEGATIVE_PERCENT, SHARE, price_impact_bps


@pytest.mark.parametrize(
    ("said", "bps"),
    [("0", 0), ("0.0000320221058740248142431269", 1), ("0.01", 100), ("-0.5", 0), ("1", 10_000), ("1.1", None),
     ("1e9", None), ("1e-9", 1), ("", None), ("x", None), (0.5, None), (None, None), (True, None), (3, None),
     ("0" * 99, None), (Decimal("0.0051"), 51), (Decimal("NaN"), None), (Decimal("Infinity"), None)],
)  # fmt: skip
def test_a_share_of_one(said: object, bps: int | None) -> None:
    assert price_impact_bps(said, SHARE) == bps


@pytest.mark.parametrize(
    ("said", "bps"),
    [("0.01", 0), ("0", 0), ("-0.0001", 1), ("-0.011", 2), ("-12", 1200), ("-100", 10_000), (Decimal("-0.07"), 7),
     (-1, 100), ("-101", None), ("1" + "0" * 39, 0), ("--1", None), (".", None), ("-0.1%", None), ("\u0663", None)],
)  # fmt: skip
def test_a_percentage_whose_loss_is_negative(said: object, bps: int | None) -> None:
    assert price_impact_bps(said, NEGATIVE_PERCENT) == bps


@given(st.text() | st.decimals() | st.integers(), st.sampled_from([SHARE, NEGATIVE_PERCENT]))
def test_anything_does_no_harm(said: object, unit: int) -> None:
    found = price_impact_bps(said, unit)
    assert found is None or 0 <= found <= 10_000
