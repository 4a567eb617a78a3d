"""Calls of a function are read by its signature, and others are refused."""

import pytest

from rhumbline.gateways.evm.abi import MalformedAnswer
from rhumbline.gateways.evm.calldata import Function

WORDS = [
    ("a gap before the bytes", "bytes", (0x40, 0, 0)),
    ("bytes that begin in their own offset", "bytes", (0, 0)),
    ("an offset beyond all data", "bytes", (2**255, 0)),
    ("a length beyond all data", "bytes", (0x20, 2**255)),
    ("a list longer than all data", "uint256[]", (0x20, 2**64)),
    ("a list of lists longer than all data", "uint256[][]", (0x20, 2**40, 0x20)),
    ("two lists that share their data", "bytes,bytes", (0x40, 0x40, 0)),
    ("lists in another order", "bytes,bytes", (0x60, 0x40, 0, 0)),
    ("an address with a thirteenth byte", "address", (1 << 160,)),
    ("a boolean of two", "bool", (2,)),
    ("an integer that is too large", "uint8", (256,)),
    ("a negative integer without its sign", "int8", (128,)),
    ("an integer that is too small", "int8", (2**256 - 129,)),
    ("padding of fixed bytes", "bytes4", (1,)),
    ("padding of bytes", "bytes", (0x20, 1, (0xAB << 248) + 1)),
    ("a text that is no UTF-8", "string", (0x20, 1, 0xFF << 248)),
    ("nothing", "uint256", ()),
]


@pytest.mark.parametrize(("types", "words"), [case[1:] for case in WORDS], ids=[case[0] for case in WORDS])
def test_strange_data_is_refused(types: str, words: tuple[int, ...]) -> None:
    function = Function(f"trap({types})")
    data = function.selector + b"".join(word.to_bytes(32) for word in words)
    with pytest.raises(MalformedAnswer):
        function.decode(data)
    with pytest.raises(MalformedAnswer):
        function.decode_first(data)


def test_what_follows_the_arguments_is_told_apart() -> None:
    function = Function("pay(address,bytes)")
    data = function.encode("0x" + 20 * "ab", b"note")
    assert function.decode(data) == ("0x" + 20 * "ab", b"note")
    assert function.decode_first(data + b"mark") == (("0x" + 20 * "ab", b"note"), b"mark")
    assert function.decode_loosely(data + b"mark") == ("0x" + 20 * "ab", b"note")
    with pytest.raises(MalformedAnswer, match="goes on after its arguments"):
        function.decode(data + b"\0")


@pytest.mark.parametrize("data", [b"", b"\xff\xff\xff\xff", Function("pay(bytes,address)").selector + bytes(96)])
def test_calls_of_other_functions_are_refused(data: bytes) -> None:
    for read in (Function("pay(address,bytes)").decode, Function("pay(address,bytes)").decode_loosely):
        with pytest.raises(MalformedAnswer, match="not a call of"):
            read(data)


@pytest.mark.parametrize("signature", ["pay", "pay(address", "(address)", "1pay()"])
def test_signatures_that_are_none(signature: str) -> None:
    with pytest.raises(ValueError, match="is no function signature"):
        _ = Function(signature).types
