"""Amounts as the pages write them."""

import pytest

from rhumbline.api.pages.language import ENGLISH
from rhumbline.api.portal.display import quantity


@pytest.mark.parametrize(
    ("raw", "decimals", "text"),
    [
        (0, 6, "0 T"),
        (1_234_567_890_000, 6, "1,234,567.89 T"),
        (123_456_789, 18, "0.00000000… T"),
        (1_999_999_999_999_999_999, 18, "1.99999999… T"),
        (2**256 - 1, 0, f"{2**256 - 1:,} T"),
    ],
)
def test_amounts_are_cut_off_and_never_rounded_up(raw: int, decimals: int, text: str) -> None:
    assert quantity(ENGLISH, raw, decimals, "T") == text
