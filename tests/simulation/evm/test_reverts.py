"""Why a call reverted, in words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.devnet.evm.operator import encoded
from rhumbline.simulation.evm.reverts import read_revert
from tests.routing.venues import USDC


@pytest.mark.parametrize(
    ("data", "text", "names"),
    [
        (b"", "reverted without a reason", [""]),
        (encoded("Error(string)", "Too little received"), "Too little received", ["Error"]),
        (encoded("Panic(uint256)", 0x11), "panic: arithmetic overflow", ["Panic"]),
        (encoded("Panic(uint256)", 0x51), "panic: code 0x51", ["Panic"]),
        (encoded("MinimumZero()"), "MinimumZero()", ["MinimumZero"]),
        (encoded("OutputBelowMinimum(uint256,uint256)", 7, 5), "OutputBelowMinimum(7, 5)", ["OutputBelowMinimum"]),
        (encoded("TargetRefused(address)", USDC), f"TargetRefused({USDC})", ["TargetRefused"]),
        (
            encoded("OperationFailed(uint256,bytes)", 0, encoded("Error(string)", "STF")),
            "operation 0 failed: STF",
            ["OperationFailed", "Error"],
        ),
        (b"\xde\xad\xbe\xef" + bytes(32), "reverted with 0xdeadbeef" + "00" * 32, [""]),
        (encoded("Error(string)", "x")[:40], "reverted with 0x08c379a0" + "00" * 31 + "20", [""]),
        (b"plain words", "plain words", [""]),
        (encoded("Error(string)", "a\x00\x1b[31mb"), "a[31mb", ["Error"]),
    ],
)
def test_reverts(data: bytes, text: str, names: list[str]) -> None:
    revert = read_revert(data)
    assert revert.text == text
    assert [layer.name for layer in revert.layers()] == names


@given(st.binary(max_size=300))
def test_no_revert_data_breaks_the_reader(data: bytes) -> None:
    assert read_revert(data).text
    assert read_revert(encoded("OperationFailed(uint256,bytes)", 1, data)).text.startswith("operation 1 failed: ")


def test_endless_nesting_ends() -> None:
    data = b""
    for _ in range(50):
        data = encoded("OperationFailed(uint256,bytes)", 0, data)
    assert len(list(read_revert(data).layers())) == 5
