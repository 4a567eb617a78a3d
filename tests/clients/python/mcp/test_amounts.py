"""Amounts as people write them: exact, and nothing that could mean two."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline_client.mcp.amounts import share_of, units_of, written_of
from rhumbline_client.mcp.failures import ToolFailure


@pytest.mark.parametrize(
    ("written", "decimals", "units"),
    [("1.5", 6, 1_500_000), ("100", 18, 100 * 10**18), ("0.000001", 6, 1), ("007", 0, 7), ("2.50", 1, 25)],
)
def test_an_amount_is_read_exactly(written: str, decimals: int, units: int) -> None:
    assert units_of("amount", written, decimals, "X") == units


@pytest.mark.parametrize(
    "written",
    ["", "0", "0.0", "-1", "+1", "1e3", "1E3", ".5", "5.", "1,5", "1,000", "1 000", "1_000", "½", "٣", "0x10", "inf",
     "NaN", "1.5 ETH", "1\n", "9" * 81],
)  # fmt: skip
def test_what_is_no_amount_is_refused(written: str) -> None:
    with pytest.raises(ToolFailure, match=r"^amount: give a decimal number above 0 of USDC .* such as 100 or 0.25"):
        units_of("amount", written, 6, "USDC")


def test_more_decimals_than_the_token_has_are_refused() -> None:
    with pytest.raises(ToolFailure, match=r"^amount: USDC has 6 decimals, so 1.0000001 is no amount of it"):
        units_of("amount", "1.0000001", 6, "USDC")


@given(st.integers(min_value=1, max_value=2**256 - 1), st.integers(min_value=0, max_value=60))
def test_what_is_written_is_read_as_the_same(units: int, decimals: int) -> None:
    assert units_of("amount", written_of(units, decimals), decimals, "X") == units


@pytest.mark.parametrize(
    ("units", "decimals", "written"),
    [(0, 6, "0"), (1, 6, "0.000001"), (1_500_000, 6, "1.5"), (7, 0, "7"), (-5, 1, "-0.5")],
)
def test_an_amount_is_written_with_every_digit(units: int, decimals: int, written: str) -> None:
    assert written_of(units, decimals) == written


def test_percent_are_a_fraction() -> None:
    assert share_of("slippage_percent", "0.5") == Decimal("0.005")


@pytest.mark.parametrize("percent", ["0", "100", "-1", "0.5%", "5e-1", "0.0000001", "a", "1,5"])
def test_what_are_no_percent_is_refused(percent: str) -> None:
    with pytest.raises(ToolFailure, match=r"^slippage_percent: give percent .* such as 0.5 for half a percent"):
        share_of("slippage_percent", percent)
