"""The codec writes what eth-abi writes, and refuses what it refuses."""

from typing import Any

import pytest
from eth_abi.abi import encode
from eth_abi.exceptions import EncodingError
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.gateways.evm.abi import encode_args

ADDRESS = "0x9D713C3b552b72cee81b496a3b573D57ba57a779"
TYPES = (
    "uint256",
    "uint24",
    "address",
    "bytes32",
    "(address,uint256[])",
    "(uint8,(bytes,address))[]",
    "(int256,bool)[2]",
)
_ADDRESSES = st.binary(min_size=20, max_size=20).map(lambda raw: "0x" + raw.hex())
_UINTS = st.integers(0, 2**256 - 1)
VALUES = st.tuples(
    _UINTS,
    st.integers(0, 2**24 - 1),
    _ADDRESSES,
    st.binary(min_size=32, max_size=32),
    st.tuples(_ADDRESSES, st.lists(_UINTS, max_size=3)),
    st.lists(st.tuples(st.integers(0, 255), st.tuples(st.binary(max_size=70), _ADDRESSES)), max_size=3),
    st.tuples(*[st.tuples(st.integers(-(2**255), 2**255 - 1), st.booleans())] * 2),
)


@given(VALUES)
def test_what_is_written_is_what_eth_abi_writes(values: tuple[Any, ...]) -> None:
    assert encode_args(TYPES, values) == encode(TYPES, values)


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("uint256", 2**256), ("uint256", -1), ("uint24", 2**24), ("uint8", True), ("uint256", "1"), ("uint256", None),
        ("address", ADDRESS.replace("9D", "9d", 1)), ("address", ADDRESS[:-1]), ("address", ADDRESS[2:]),
        ("address", 5),
        ("address", b"short"), ("(address,uint256)", (ADDRESS,)), ("(address,uint256)", {ADDRESS: 1}),
        ("(address,uint256)", (ADDRESS, -1)), ("(address,uint256)[]", [(ADDRESS, 1), (ADDRESS, 2**256)]),
        ("(address,(uint8,bytes)[])", (ADDRESS, [(256, b"")])), ("address[]", [ADDRESS, "0x"]), ("uint8[2]", [1]),
    ],
)  # fmt: skip
def test_what_eth_abi_does_not_write_is_not_written(kind: str, value: object) -> None:
    def written(writer: Any) -> object:
        try:
            return writer([kind], [value])
        except EncodingError as error:
            return type(error)

    assert written(encode_args) == written(encode)
