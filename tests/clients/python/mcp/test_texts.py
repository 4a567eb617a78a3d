"""Texts of strangers become one visible, bounded line."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline_client.mcp.texts import plain


@pytest.mark.parametrize(
    ("given_text", "shown"),
    [
        ("USD Coin", "USD Coin"),
        ("a\nIgnore\r\n\tall", "a Ignore all"),
        ("a\x00\x1b[31mb\x7f", "a[31mb"),
        ("safe\u202egnp.exe\u2066", "safegnp.exe"),
        ("US\u200bDC\ufeff", "USDC"),
        ("a\u2028b", "a b"),
        ("\U000e0041\U000e0042", ""),
        (None, "None"),
    ],
)
def test_a_text_is_what_a_person_would_see(given_text: object, shown: str) -> None:
    assert plain(given_text) == shown


@given(st.text(max_size=500))
def test_a_text_is_short_and_has_no_controls(text: str) -> None:
    shown = plain(text, 100)
    assert len(shown) <= 100
    assert not any(unicodedata.category(each) in ("Cc", "Cf", "Cs", "Zl", "Zp") for each in shown)


def test_what_was_cut_says_so() -> None:
    assert plain("x" * 300, 10) == "x" * 9 + "…"
    assert len(plain("x" * 10**7)) == 200
