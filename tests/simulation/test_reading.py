"""The pure parts: reverts in words, what logs say was taken, verdicts, slots."""

from dataclasses import replace

import pytest
from eth_utils.crypto import keccak
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.devnet.evm.operator import encoded
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.domain.simulation import ExecutionStatus, OutputValidation
from rhumbline.domain.unowned_addresses import STAND_IN
from rhumbline.gateways.evm.abi import topic
from rhumbline.gateways.nodes.evm.rpc import CallResult, Log
from rhumbline.simulation.evm.bundle import NATIVE_LOG, Bundle, bundle_of, calls_of
from rhumbline.simulation.evm.gas_price import GasPrice
from rhumbline.simulation.evm.outflow import TRANSFER, native_gain, objection
from rhumbline.simulation.evm.reverts import read_revert
from rhumbline.simulation.evm.slots import Layout, Slot, Style, mark, recognised
from rhumbline.simulation.evm.task import EvmSimulationTask
from rhumbline.simulation.evm.verdict import judge
from rhumbline.simulation.verdict import simulation_of
from tests.routing.venues import DAI, DIAMOND, OTHER, USDC, WALLET, WETH

TASK = EvmSimulationTask(
    1, WALLET, WALLET, USDC, 1000, DAI, 500, DIAMOND, 0, b"\x01", DIAMOND, stand_in_data=b"\x02"
)  # fmt: skip
BUNDLE = Bundle(TASK, WALLET, WALLET, b"\x01", None, 10**6, (b"\x01" * 32, b"\x02" * 32))
PRICE = GasPrice(100, 5, 30_000_000)


def word(address: str) -> bytes:
    return bytes.fromhex(address[2:]).rjust(32, b"\0")


def moved(token: str, sender: str, receiver: str, amount: int) -> Log:
    return Log(token.lower(), (TRANSFER, word(sender), word(receiver)), amount.to_bytes(32))


def approved(token: str, owner: str, spender: str, amount: int) -> Log:
    return Log(
        token.lower(), (topic("Approval(address,address,uint256)"), word(owner), word(spender)), amount.to_bytes(32)
    )


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


FOR_ALL = Log(USDC.lower(), (topic("ApprovalForAll(address,address,bool)"), word(WALLET), word(OTHER)), bytes(32))
PERMIT2 = Log(
    OTHER.lower(),
    (topic("Approval(address,address,address,uint160,uint48)"), word(WALLET), word(USDC), word(OTHER)),
    bytes(64),
)
NFT = Log(OTHER.lower(), (TRANSFER, word(WALLET), word(OTHER), bytes(32)), b"")
MULTI = Log(
    OTHER.lower(),
    (topic("TransferSingle(address,address,address,uint256,uint256)"), word(OTHER), word(WALLET), word(OTHER)),
    bytes(64),
)


@pytest.mark.parametrize(
    ("logs", "objects"),
    [
        ([], False),
        ([moved(USDC, WALLET, OTHER, 400), moved(USDC, WALLET, DIAMOND, 600)], False),
        ([moved(USDC, WALLET, OTHER, 401), moved(USDC, WALLET, DIAMOND, 600)], True),
        ([moved(WETH, OTHER, WALLET, 10**30)], False),
        ([moved(WETH, WALLET, OTHER, 1)], True),
        ([approved(USDC, WALLET, DIAMOND, 600)], False),
        ([approved(USDC, WALLET, DIAMOND, 1001)], True),
        ([approved(USDC, WALLET, OTHER, 1)], True),
        ([approved(WETH, WALLET, DIAMOND, 1)], True),
        ([approved(WETH, OTHER, DIAMOND, 1)], False),
        ([FOR_ALL], True),
        ([PERMIT2], True),
        ([NFT], True),
        ([MULTI], True),
        ([moved(NATIVE_LOG, WALLET, OTHER, 1)], True),
        ([Log(OTHER.lower(), (), b"")], False),
    ],
)
def test_what_may_leave_the_sender(logs: list[Log], objects: bool) -> None:
    assert (objection(BUNDLE, logs) is not None) is objects


def test_native_input_may_leave_as_value_only() -> None:
    bundle = replace(BUNDLE, task=replace(TASK, input_token=NATIVE_EVM, spender=None, value=1000))
    assert objection(bundle, [moved(NATIVE_LOG, WALLET, DIAMOND, 1000)]) is None
    assert objection(bundle, [moved(NATIVE_LOG, WALLET, DIAMOND, 1001)]) is not None
    assert objection(bundle, [moved(USDC, WALLET, DIAMOND, 1)]) is not None
    assert objection(bundle, [approved(NATIVE_LOG, WALLET, DIAMOND, 1)]) is not None


def test_native_gain_counts_both_ways() -> None:
    logs = [moved(NATIVE_LOG, OTHER, WALLET, 10), moved(NATIVE_LOG, WALLET, OTHER, 3), moved(USDC, OTHER, WALLET, 99)]
    assert native_gain(logs, WALLET) == 7


def done(number: int = 0, *, ok: bool = True, logs: tuple[Log, ...] = (), data: bytes | None = None) -> CallResult:
    return CallResult(ok, number.to_bytes(32) if data is None else data, 100, 100, logs)


GOOD = {"has": done(1000), "reset": done(1), "approve": done(1), "before": done(7), "main": done(), "after": done(507)}


def test_a_verified_output() -> None:
    simulation = simulation_of(TASK, judge(BUNDLE, GOOD), 3)
    assert simulation.result.status is ExecutionStatus.SUCCESS
    assert simulation.result.validation is OutputValidation.VERIFIED
    assert simulation.result.simulated_output == 500
    assert simulation.result.deviation is not None
    assert simulation.result.deviation.bps == 0
    assert simulation.providers == (simulation.result,)


@pytest.mark.parametrize(
    ("changes", "status", "reason"),
    [
        ({"main": done(ok=False, data=encoded("MinimumZero()"))}, ExecutionStatus.REVERTED, "MinimumZero()"),
        ({"approve": done(ok=False, data=b"")}, ExecutionStatus.REVERTED, "the token refuses the approval"),
        ({"approve": done(0)}, ExecutionStatus.REVERTED, "the token refuses the approval"),
        ({"approve": done(data=b"")}, ExecutionStatus.SUCCESS, None),
        ({"reset": done(ok=False)}, ExecutionStatus.SUCCESS, None),
        ({"after": done(data=b"\x01")}, ExecutionStatus.SUCCESS, "does not tell the receiver's balance"),
    ],
)
def test_verdicts(changes: dict[str, CallResult], status: ExecutionStatus, reason: str | None) -> None:
    finding = judge(BUNDLE, GOOD | changes)
    assert finding.status is status
    assert (finding.reason is None) if reason is None else reason in str(finding.reason)


@pytest.mark.parametrize(("returned", "output"), [(done(507).data, 507), (b"", 0), (bytes(64), 0)])
def test_a_contract_that_measures_is_taken_at_what_it_returns(returned: bytes, output: int) -> None:
    """What returns something else is not the Diamond, and brings nothing."""
    bundle = replace(BUNDLE, task=replace(TASK, returns_gain=True), asks_balance=False)
    assert list(calls_of(bundle)) == ["approve", "main"]
    finding = judge(bundle, {"approve": done(1), "main": done(data=returned)})
    assert (finding.status, finding.output) == (ExecutionStatus.SUCCESS, output)


def test_a_call_that_takes_more_is_objected_to() -> None:
    finding = judge(BUNDLE, GOOD | {"main": done(logs=(moved(WETH, WALLET, OTHER, 1),))})
    assert "takes" in str(finding.objection)


@pytest.mark.parametrize(("has", "supported"), [(1000, True), (999, False)])
def test_without_an_override_what_the_wallet_has_must_do(has: int, supported: bool) -> None:
    finding = judge(replace(BUNDLE, balance_word=None), GOOD | {"has": done(has)})
    assert (finding.status is ExecutionStatus.SUCCESS) is supported
    assert finding.wallet_fault is not supported


@pytest.mark.parametrize(
    ("after", "moves", "output"),
    [(1500, 500, 500), (1500 - 100 * 105, 500, 500), (1499, 500, None)],
    ids=["gas is free", "gas is charged", "neither"],
)
def test_native_output_to_the_sender_is_counted_without_gas(after: int, moves: int, output: int | None) -> None:
    bundle = replace(BUNDLE, task=replace(TASK, output_token=NATIVE_EVM), price=PRICE)
    logs = (moved(NATIVE_LOG, OTHER, WALLET, moves),)
    before = 1000 + 100 * 105
    finding = judge(bundle, GOOD | {"before": done(before), "after": done(after + 100 * 105), "main": done(logs=logs)})
    assert finding.output == output


def test_an_output_elsewhere_cannot_be_seen() -> None:
    bundle = replace(BUNDLE, task=replace(TASK, output_token=None))
    simulation = simulation_of(bundle.task, judge(bundle, {"has": done(1000), "approve": done(1), "main": done()}), 1)
    assert simulation.result.status is ExecutionStatus.SUCCESS
    assert simulation.result.validation is OutputValidation.UNVERIFIABLE


def test_placeholders_are_exchanged() -> None:
    task = replace(TASK, sender=NATIVE_EVM, receiver=NATIVE_EVM)
    bundle = bundle_of(task, None)
    assert (bundle.actor, bundle.receiver, bundle.data) == (STAND_IN, STAND_IN, b"\x02")
    sender_only = bundle_of(replace(TASK, sender=NATIVE_EVM), None)
    assert (sender_only.actor, sender_only.receiver, sender_only.data) == (STAND_IN, WALLET, b"\x01")
    fixed = bundle_of(replace(task, stand_in_data=None), None)
    assert (fixed.actor, fixed.receiver, fixed.data) == (STAND_IN, NATIVE_EVM, b"\x01")


def test_places_of_mappings() -> None:
    """Solidity hashes key and place, Vyper place and key; a mapping in a mapping does it twice."""
    assert Layout(Style.SOLIDITY, 9).key(WALLET) == keccak(word(WALLET) + (9).to_bytes(32))
    assert Layout(Style.VYPER, 9).key(WALLET) == keccak((9).to_bytes(32) + word(WALLET))
    inner = keccak(word(WALLET) + (10).to_bytes(32))
    assert Layout(Style.SOLIDITY, 10).key(WALLET, OTHER) == keccak(word(OTHER) + inner)
    solady = bytes.fromhex(WALLET[2:]) + bytes(8) + bytes.fromhex("87a211a2")
    assert Layout(Style.SOLADY, 0x87A211A2).key(WALLET) == keccak(solady)


@pytest.mark.parametrize("width", [64, 96, 112, 128, 160, 255, 256])
def test_a_place_is_recognised_with_its_width(width: int) -> None:
    marks = {Layout(Style.SOLIDITY, position): mark(position.to_bytes(32)) for position in range(50)}
    layout = Layout(Style.SOLIDITY, 33)
    seen = int.from_bytes(marks[layout]) & ((1 << width) - 1)
    assert recognised(marks, seen.to_bytes(32)) == Slot(layout, width)


@pytest.mark.parametrize("answer", [b"", bytes(32), b"\xff" * 32, b"\x01" * 31])
def test_nobodys_mark(answer: bytes) -> None:
    marks = {Layout(Style.SOLIDITY, position): mark(position.to_bytes(32)) for position in range(50)}
    assert recognised(marks, answer) is None


@given(st.integers(0, 2**256 - 1), st.binary(min_size=32, max_size=32), st.integers(64, 256))
def test_flags_beside_a_balance_stay(number: int, present: bytes, width: int) -> None:
    written = Slot(Layout(Style.SOLIDITY, 0), width).word(number, present)
    if number >= 1 << width:
        assert written is None
        return
    assert written is not None
    value = int.from_bytes(written)
    assert value & ((1 << width) - 1) == number
    assert value >> width == int.from_bytes(present) >> width
