"""Which types the arguments of a call have."""

import pytest

from rhumbline.devnet.evm.operator import argument_types


@pytest.mark.parametrize(
    ("signature", "types"),
    [
        ("deposit()", []),
        ("approve(address,uint256)", ["address", "uint256"]),
        ("f((address,(uint256,bytes)[]),uint8[2])", ["(address,(uint256,bytes)[])", "uint8[2]"]),
    ],
)
def test_argument_types(signature: str, types: list[str]) -> None:
    assert argument_types(signature) == types
