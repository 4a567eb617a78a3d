import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.catalog.symbols import hides_something, is_plain, skeleton


@pytest.mark.parametrize(
    "disguise",
    [
        "usdc",
        "UЅDС",
        "ＵＳＤＣ",
        "US\u200bDC",
        "U\u00adSDC",
        "𝐔𝐒𝐃𝐂",
        "ÙSDĊ",
        "USD\u2064C",
        "U\u202eSDC",
        "ՍSDC",
        "USDϹ",
        "ꓴSDC",
    ],
)
def test_a_disguise_looks_like_what_it_imitates(disguise: str) -> None:
    assert skeleton(disguise) == skeleton("USDC") == "usdc"


@pytest.mark.parametrize(
    ("one", "other"), [("USD0", "USDO"), ("USDC", "USDC.e"), ("1INCH", "IINCH"), ("S", "5"), ("rETH", "stETH")]
)
def test_real_tokens_stay_apart(one: str, other: str) -> None:
    assert skeleton(one) != skeleton(other)


def test_the_tether_sign_is_a_letter() -> None:
    assert (skeleton("USD₮"), skeleton("USD₮0")) == ("usdt", "usdt0")


@given(st.text(max_size=20))
def test_a_skeleton_is_its_own_skeleton_and_has_no_case(symbol: str) -> None:
    seen = skeleton(symbol)
    assert skeleton(seen) == seen
    assert not hides_something(seen) or symbol.isascii()


@given(st.text(string.ascii_letters + string.digits + ".$-_+", min_size=1, max_size=20))
def test_plain_symbols_differ_by_more_than_case_or_not_at_all(symbol: str) -> None:
    assert is_plain(symbol)
    assert skeleton(symbol) == symbol.lower()


@pytest.mark.parametrize(
    "text", ["US\u200bDC", "\u202eCDSU", "A\u3164", "A\x07", "tab\there", "\ufeffUSDC", "A\u00a0B"]
)
def test_hidden_characters_are_noticed(text: str) -> None:
    assert hides_something(text)


@pytest.mark.parametrize("text", ["USD Coin", "Žluť", "柴犬", "USD₮", "(PoS) Dai's"])
def test_open_text_hides_nothing(text: str) -> None:
    assert not hides_something(text)
