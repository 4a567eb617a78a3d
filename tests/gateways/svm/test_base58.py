"""Base58 of any length, held against the definition: a number's digits, and a one for each leading zero."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rhumbline.gateways.svm import base58

ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
LONGEST = 16 * 1024


def by_definition(data: bytes) -> str:
    number, letters = int.from_bytes(data), ""
    while number:
        number, digit = divmod(number, 58)
        letters = ALPHABET[digit] + letters
    return "1" * (len(data) - len(data.lstrip(b"\x00"))) + letters


@given(st.integers(0, 5), st.binary(max_size=300))
@example(0, b"")
@example(3, b"")
@example(0, bytes([57]))
@example(0, bytes([58]))
@example(1, (58**64 - 1).to_bytes(47))
@example(1, (58**64).to_bytes(47))
def test_it_is_the_definitions(zeros: int, data: bytes) -> None:
    data = bytes(zeros) + data
    text = base58.encode(data)
    assert text == by_definition(data)
    assert base58.decode(text) == data


def test_the_largest_that_a_program_is_given() -> None:
    data = bytes(3) + bytes(range(1, 256)) * 40
    assert base58.encode(data) == by_definition(data)
    assert base58.decode(base58.encode(data)) == data


@given(st.text(ALPHABET, max_size=60), st.characters(exclude_characters=ALPHABET), st.text(ALPHABET, max_size=5))
def test_another_letter_is_refused_wherever_it_stands(before: str, letter: str, after: str) -> None:
    assert base58.is_base58(before + after)
    base58.decode(before + after)
    text = before + letter + after
    assert not base58.is_base58(text)
    with pytest.raises(ValueError, match="not base58"):
        base58.decode(text)


def test_what_is_too_long_is_refused_before_it_is_read() -> None:
    assert base58.is_base58("1" * LONGEST)
    assert base58.decode("1" * LONGEST) == bytes(LONGEST)
    assert not base58.is_base58("1" * (LONGEST + 1))
    with pytest.raises(ValueError, match="base58 text is too long"):
        base58.decode("1" * (LONGEST + 1))
