"""Fields of upstreams' answers: exact, in their form, or refused without a word of what was there."""

import string
from decimal import Decimal
from typing import Any

import pytest
from eth_utils.address import to_checksum_address
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field

from rhumbline.domain.errors import UpstreamFailed
from rhumbline.gateways.http.strict_json import read_json, write_json
from rhumbline.gateways.upstreams.fields import (
    LARGEST_AMOUNT,
    Answer,
    EvmAddress,
    HexBytes,
    Number,
    Quantity,
    RawAmount,
)
from rhumbline.gateways.upstreams.spec import read_answer


class Amounts(Answer):
    raw: RawAmount | None = None
    quantity: Quantity | None = None
    number: Number | None = None
    address: EvmAddress | None = None
    data: HexBytes | None = None
    plain: int | None = None
    text: str | None = None
    flag: bool | None = None


class Envelope(Answer):
    inside: Amounts
    renamed: RawAmount = Field(default=0, alias="re-named")
    many: tuple[RawAmount, ...] = Field(default=(), strict=False)


def read(**fields: object) -> Amounts:
    """Read fields as they come out of JSON."""
    return read_answer(Amounts, read_json(write_json(fields)))


def refuses(**fields: Any) -> None:
    ((name, value),) = fields.items()
    with pytest.raises(UpstreamFailed) as caught:
        read_answer(Amounts, {name: value})
    assert caught.value.reason == f"answered something unexpected: {name} is not as documented"
    assert caught.value.__cause__ is None


AMOUNTS = st.integers(0, LARGEST_AMOUNT)


@given(AMOUNTS)
def test_amounts_are_read_exactly(amount: int) -> None:
    assert read(raw=amount).raw == read(raw=str(amount)).raw == amount
    assert read(quantity=hex(amount)).quantity == read(quantity=f"0X{amount:064X}").quantity == amount
    assert read(quantity=amount).quantity == read(quantity=str(amount)).quantity == amount
    refuses(raw=hex(amount))


@given(st.integers(max_value=-1) | st.integers(min_value=LARGEST_AMOUNT + 1, max_value=10**390))
def test_amounts_out_of_range_are_refused(amount: int) -> None:
    for value in (amount, str(amount)):
        refuses(raw=value)
        refuses(quantity=value)


@pytest.mark.parametrize("value", [10**80, -(10**80), Decimal("1e80"), Decimal("1e999999"), Decimal("1e-999999")])
def test_numbers_that_are_short_to_write_and_long_to_reckon_with_are_refused(value: object) -> None:
    refuses(number=value)


@pytest.mark.parametrize("value", [0, Decimal(0), 10**79, Decimal("1e-300"), Decimal("-0.5")])
def test_numbers_of_ordinary_size_are_read(value: Decimal) -> None:
    assert read_answer(Amounts, {"number": value}).number == value


STRANGE_AMOUNTS: list[object] = [
    "", " ", "-0", "+1", "01", "00", "1 ", " 1", "1\n", "1.0", "1e3", "1_000", "1,000", "٣", "１", "0x", "x1", "NaN",
    "null", 1.0, 1e18, Decimal(1), Decimal("1e18"), True, False, [], {}, [1], b"1",
]  # fmt: skip


@pytest.mark.parametrize("value", STRANGE_AMOUNTS, ids=repr)
def test_what_is_no_amount(value: object) -> None:
    refuses(raw=value)
    refuses(quantity=value)


@pytest.mark.parametrize("value", ["0x" + 65 * "0", "0x1g", "0x 1", "1x1", "0x1\n", "-0x1", "0x٣"], ids=repr)
def test_what_is_no_hex_quantity(value: str) -> None:
    refuses(quantity=value)


def test_a_number_of_json_with_a_point_is_no_amount() -> None:
    for text in (b'{"raw":1.0}', b'{"raw":1e18}', b'{"quantity":5.0}', b'{"plain":1.0}'):
        with pytest.raises(UpstreamFailed, match="is not as documented"):
            read_answer(Amounts, read_json(text))


@given(st.decimals(allow_nan=False, allow_infinity=False, min_value=Decimal("-1e30"), max_value=Decimal("1e30")))
def test_numbers_keep_every_digit(number: Decimal) -> None:
    found = read(number=number).number
    assert isinstance(found, Decimal)
    assert found == number
    plain = f"{number:f}"
    if len(plain.partition(".")[2]) <= 80:
        assert read(number=plain).number == number


@given(st.integers(-(10**60), 10**60))
def test_whole_numbers_are_numbers(number: int) -> None:
    assert read(number=number).number == number


@pytest.mark.parametrize(
    "value",
    ["", "-", ".", "1.", ".5", "1e3", "+1", "--1", "1 ", "1\n", " 1", "1,5", "NaN", "Infinity", "-Infinity", "sNaN",
     "0x1", "١", 41 * "9", "0." + 81 * "1", 0.1, float("nan"), True, [], {}, b"1"],
    ids=repr,
)  # fmt: skip
def test_what_is_no_number(value: object) -> None:
    refuses(number=value)


ADDRESSES = st.binary(min_size=20, max_size=20)


@given(ADDRESSES, st.booleans(), st.sampled_from(["0x", "0X"]))
def test_addresses_come_in_any_case_and_leave_in_one(raw: bytes, upper: bool, prefix: str) -> None:
    digits = raw.hex().upper() if upper else raw.hex()
    assert read(address=prefix + digits).address == to_checksum_address(raw)


@pytest.mark.parametrize(
    "value",
    ["", "0x", 40 * "a", "0x" + 39 * "a", "0x" + 41 * "a", "0x" + 40 * "g", "0x" + 40 * "a" + "\n", " 0x" + 40 * "a",
     "0x" + 38 * "a" + "٣٣", "vitalik.eth", 0, None.__class__, 20 * b"a", ["0x" + 40 * "a"]],
    ids=repr,
)  # fmt: skip
def test_what_is_no_address(value: object) -> None:
    refuses(address=value)


@given(st.binary(max_size=300), st.booleans(), st.sampled_from(["0x", "0X"]))
def test_data_is_read_to_the_byte(raw: bytes, upper: bool, prefix: str) -> None:
    assert read(data=prefix + (raw.hex().upper() if upper else raw.hex())).data == raw


@pytest.mark.parametrize(
    "value",
    ["", "0", "x", "00", "0x0", "0x000", "0xg0", "0x00 ", " 0x00", "0x 00", "0x00 00", "0x0\n0", "0x00\n", "0x٣٣",
     "0x0x00", 0, b"00", b"0x00", ["0x00"], True],
    ids=repr,
)  # fmt: skip
def test_what_is_no_data(value: object) -> None:
    refuses(data=value)


@given(st.text(string.hexdigits + "xX \n-_", max_size=12))
def test_data_is_hex_of_whole_bytes_or_refused(text: str) -> None:
    digits = text[2:]
    sound = text[:2] in ("0x", "0X") and len(digits) % 2 == 0 and set(digits) <= set(string.hexdigits)
    if sound:
        assert read(data=text).data == bytes.fromhex(digits)
    else:
        refuses(data=text)


@pytest.mark.parametrize(
    "fields", [{"plain": "1"}, {"plain": True}, {"text": 1}, {"flag": 1}, {"flag": "true"}], ids=repr
)
def test_kinds_are_not_made_of_one_another(fields: dict[str, Any]) -> None:
    refuses(**fields)


def test_other_fields_are_left_alone_and_names_are_the_upstreams() -> None:
    answer = {"inside": {"raw": "1", "more": {"a": []}}, "re-named": "2", "renamed": "3", "many": ["4", 5]}
    found = read_answer(Envelope, read_json(write_json(answer)))
    assert (found.inside.raw, found.renamed, found.many) == (1, 2, (4, 5))


@pytest.mark.parametrize(
    ("answer", "path"),
    [
        ({}, "inside"),
        ({"inside": None}, "inside"),
        ({"inside": []}, "inside"),
        ({"inside": {"raw": "s3cret"}}, "inside.raw"),
        ({"inside": {}, "many": ["1", "s3cret"]}, "many.1"),
        ([], "the answer"),
        ("s3cret", "the answer"),
        (None, "the answer"),
    ],
)
def test_faults_name_the_place_and_never_the_value(answer: Any, path: str) -> None:
    with pytest.raises(UpstreamFailed) as caught:
        read_answer(Envelope, answer)
    assert caught.value.reason == f"answered something unexpected: {path} is not as documented"
    assert "s3cret" not in repr(caught.value) + repr(caught.value.__cause__)


def test_what_was_read_is_not_changed() -> None:
    with pytest.raises(ValueError, match="frozen"):
        read(raw=1).raw = 2
