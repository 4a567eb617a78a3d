"""Rules over all texts: what they read is what they say, and the schema agrees."""

import re
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from functools import partial

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from rhumbline.api.parameters.addresses import read_currency, read_wallet
from rhumbline.api.parameters.parameter import query_source
from rhumbline.api.parameters.rules import CHAIN_ID, CHAIN_TYPES, Amount, Share, Text, Unreadable, Whole
from rhumbline.api.wire.fees import value_in_usd
from rhumbline.api.wire.shape import decimal_text
from rhumbline.domain.amount import MAX_EVM
from rhumbline.gateways.evm.address import checksummed
from tests.api.api_service import ETH, SOLANA, SOLANA_WALLET, WALLET

FEE = Share(Fraction(1, 10), "0.01 is 1 %")
NUMBERS = st.text("0123456789.eE+-_ ", max_size=12)


def fault_of(read: Callable[[], object]) -> str:
    try:
        read()
    except Unreadable as fault:
        return str(fault)
    return ""


@given(st.one_of(st.integers(-5, 2**256 + 5).map(str), st.text("0123456789 _.-+e", max_size=6), st.text(max_size=4)))
def test_amounts(text: str) -> None:
    schema = Draft202012Validator({"type": "string", **Amount().schema})
    try:
        amount = Amount().read(text)
    except Unreadable:
        assert not (schema.is_valid(text) and int(text) <= MAX_EVM)
    else:
        assert str(amount) == text
        assert 0 < amount <= MAX_EVM
        assert schema.is_valid(text)


@given(st.one_of(NUMBERS, st.decimals(0, Decimal("0.1"), places=5).map(str)))
def test_shares_are_exact(text: str) -> None:
    try:
        share = FEE.read(text)
    except Unreadable:
        return
    assert share == Fraction(text)
    assert 0 <= share <= Fraction(1, 10)


@pytest.mark.parametrize("text", ["0", "0.1", "0.10", "1e-1", "1E-18", "0.0", "-0", "0e5"])
def test_shares_that_are_fine(text: str) -> None:
    assert FEE.read(text) == Fraction(text)


@given(st.integers(1, 10**40), st.integers(0, 60))
@example(5 * 10**41 + 1, 43)
@example(10**18 + 1, 19)
@example(10**30, 48)
def test_every_digit_of_a_share_is_kept(digits: int, places: int) -> None:
    """However many digits it has: nothing is rounded before it is judged."""
    number, text = Fraction(digits, 10**places), f"{digits}e-{places}"
    told = fault_of(partial(FEE.read, text))
    if places > 30:
        assert "exponent of at least -30" in told
    elif number > Fraction(1, 10):
        assert "from 0 to 0.1" in told
    else:
        assert FEE.read(text) == number


@given(st.floats(0, 1, allow_subnormal=False).filter(lambda number: number == 0 or number >= 1e-30))
@example(0.0034712345678901235)
@example(1.2345678901234567e-7)
def test_what_a_program_prints_of_a_number_is_read(number: float) -> None:
    """Browsers print the shortest digits that tell a number from its neighbours, as Python does."""
    text = repr(number)
    assert Share(Fraction(1), "").read(text) == Fraction(Decimal(text))


def test_the_longest_share() -> None:
    fitting = "0." + "0" * 61 + "1"
    assert FEE.read(fitting) == Fraction(1, 10**62)
    assert "64 characters; got 65" in fault_of(partial(FEE.read, "0." + "0" * 62 + "1"))


@given(st.text("0123456789 -+._", max_size=20))
def test_whole_numbers(text: str) -> None:
    rule = Whole(1, 200)
    try:
        assert str(rule.read(text)) == text
    except Unreadable:
        assert not re.fullmatch(r"[1-9][0-9]?|1[0-9][0-9]|200", text)


@given(st.binary(min_size=20, max_size=20))
def test_every_case_of_a_wallet(raw: bytes) -> None:
    canonical = checksummed(raw)
    for text in (canonical, canonical.lower(), "0x" + canonical[2:].upper()):
        assert read_wallet(ETH, text) == canonical
        assert read_currency(ETH, text) in (canonical, "0x" + "0" * 40)
    swapped = "0x" + canonical[2:].swapcase()
    if swapped.lower() != swapped and swapped[2:].upper() != swapped[2:]:
        with pytest.raises(Unreadable, match="checksum"):
            read_wallet(ETH, swapped)
        assert read_currency(ETH, swapped) == canonical


@given(st.text(max_size=60))
def test_no_text_breaks_the_address_rules(text: str) -> None:
    for chain, read in ((ETH, read_wallet), (ETH, read_currency), (SOLANA, read_wallet), (SOLANA, read_currency)):
        assert fault_of(partial(read, chain, text)).isprintable()


def test_base58_is_exact() -> None:
    assert read_wallet(SOLANA, SOLANA_WALLET) == SOLANA_WALLET
    with pytest.raises(Unreadable, match="which is an EVM address"):
        read_wallet(SOLANA, WALLET)
    with pytest.raises(Unreadable, match="which is a Solana address"):
        read_currency(ETH, SOLANA_WALLET)


@given(st.binary(max_size=200))
def test_any_query_can_be_read(query: bytes) -> None:
    for values in query_source(query).values():
        for value in values:
            for rule in (Amount(), FEE, CHAIN_ID, CHAIN_TYPES, Text()):
                assert not value or fault_of(partial(rule.read, value)).isprintable()


@given(st.integers(0, MAX_EVM), st.integers(0, 36), st.decimals(0, 10**6, places=12))
def test_a_fee_in_usd_is_never_understated(amount: int, decimals: int, price: Decimal) -> None:
    exact = Fraction(amount, 10**decimals) * Fraction(price)
    written = Fraction(value_in_usd(amount, decimals, price))
    assert exact <= written < exact + Fraction(1, 10**6)


@given(st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**30), max_value=10**30))
def test_decimals_are_written_plainly(value: Decimal) -> None:
    text = decimal_text(value)
    assert Decimal(text) == value
    assert re.fullmatch(r"-?[0-9]+(\.[0-9]*[1-9])?", text)
