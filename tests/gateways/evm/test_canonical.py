"""Calldata that somebody else made is read as eth-abi reads it, and only if it is exactly what eth-abi would write."""

from typing import Any

import pytest
from eth_abi.abi import decode, encode
from eth_utils.address import to_checksum_address
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.gateways.evm.abi import MalformedAnswer, decode_args, encode_args
from rhumbline.gateways.evm.address import checksummed, is_address
from rhumbline.gateways.evm.calldata import Function
from rhumbline.gateways.evm.canonical import NotCanonical, members, read_canonical

BITS = st.integers(1, 32).map(lambda number: 8 * number)
Typed = tuple[str, st.SearchStrategy[Any]]


def _unsigned(bits: int) -> Typed:
    return f"uint{bits}", st.integers(0, 2**bits - 1)


def _signed(bits: int) -> Typed:
    return f"int{bits}", st.integers(-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


def _fixed(length: int) -> Typed:
    return f"bytes{length}", st.binary(min_size=length, max_size=length)


ADDRESSES = st.binary(min_size=20, max_size=20).map(lambda raw: "0x" + raw.hex())
LEAVES: st.SearchStrategy[Typed] = st.one_of(
    BITS.map(_unsigned),
    BITS.map(_signed),
    st.integers(1, 32).map(_fixed),
    st.sampled_from(
        [("address", ADDRESSES), ("bool", st.booleans()), ("bytes", st.binary(max_size=70)), ("string", st.text())]
    ),
)


def _list_of(item: Typed) -> Typed:
    return f"{item[0]}[]", st.lists(item[1], max_size=3).map(tuple)


def _array_of(item: Typed, length: int) -> Typed:
    return f"{item[0]}[{length}]", st.tuples(*[item[1]] * length)


def _tuple_of(items: list[Typed]) -> Typed:
    return f"({','.join(each[0] for each in items)})", st.tuples(*(each[1] for each in items))


TYPES: st.SearchStrategy[Typed] = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        inner.map(_list_of),
        st.tuples(inner, st.integers(1, 3)).map(lambda pair: _array_of(*pair)),
        st.lists(inner, min_size=1, max_size=3).map(_tuple_of),
    ),
    max_leaves=6,
)


@st.composite
def arguments(draw: st.DrawFn) -> tuple[tuple[str, ...], tuple[object, ...]]:
    chosen = draw(st.lists(TYPES, max_size=4))
    return tuple(each[0] for each in chosen), tuple(draw(each[1]) for each in chosen)


def _by_encoding_again(types: tuple[str, ...], data: bytes) -> tuple[object, ...] | None:
    """What a reader without a parser of its own would do."""
    try:
        values = decode_args(types, data)
    except MalformedAnswer:
        return None
    return values if encode_args(types, values) == data else None


def _read(types: tuple[str, ...], data: bytes) -> tuple[object, ...] | None:
    try:
        values, end = read_canonical(types, data)
    except NotCanonical:
        return None
    return values if end == len(data) else None


@given(arguments(), st.binary(max_size=40))
def test_what_eth_abi_writes_is_read_to_its_end(case: tuple[tuple[str, ...], tuple[object, ...]], rest: bytes) -> None:
    types, values = case
    data = encode(types, values)
    assert read_canonical(types, data) == (decode(types, data), len(data)) == (values, len(data))
    assert read_canonical(types, b"four" + data + rest, 4) == (values, 4 + len(data))


@given(arguments(), st.data())
def test_whatever_is_changed_is_refused_or_another_encoding(
    case: tuple[tuple[str, ...], tuple[object, ...]], draw: st.DataObject
) -> None:
    types, values = case
    data = bytearray(encode(types, values))
    for _ in range(draw.draw(st.integers(1, 3))):
        if data:
            data[draw.draw(st.integers(0, len(data) - 1))] = draw.draw(st.sampled_from([0, 1, 0x20, 0x40, 0x80, 0xFF]))
    if draw.draw(st.booleans()):
        del data[draw.draw(st.integers(0, len(data))) :]
    assert _read(types, bytes(data)) == _by_encoding_again(types, bytes(data))


@given(st.lists(TYPES, max_size=3), st.binary(max_size=300))
def test_noise_is_refused_or_an_encoding(types: list[Typed], noise: bytes) -> None:
    names = tuple(each[0] for each in types)
    assert _read(names, noise) == _by_encoding_again(names, noise)


@pytest.mark.parametrize(
    "name", ["uint", "uint7", "uint264", "int0", "bytes33", "bytes0", "()", "uint8[0]", "x", "()[]"]
)
def test_types_that_are_none(name: str) -> None:
    with pytest.raises(ValueError, match="is no canonical type"):
        read_canonical((name,), bytes(96))


@given(st.lists(TYPES, max_size=4))
def test_types_come_apart_at_their_commas(types: list[Typed]) -> None:
    names = tuple(each[0] for each in types)
    assert members(",".join(names)) == names
    assert Function(f"f({','.join(names)})").types == names


@given(st.binary(min_size=20, max_size=20), st.booleans())
def test_addresses_are_written_as_their_standard_says(raw: bytes, upper: bool) -> None:
    digits = raw.hex().upper() if upper else raw.hex()
    assert checksummed(raw) == checksummed("0x" + digits) == checksummed("0X" + digits) == to_checksum_address(raw)
    assert is_address(checksummed(raw))
