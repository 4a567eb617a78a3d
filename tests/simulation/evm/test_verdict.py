"""From what the calls of a bundle did to what its run showed."""

from dataclasses import replace

import pytest

from rhumbline.devnet.evm.operator import encoded
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.domain.simulation import ExecutionStatus, OutputValidation
from rhumbline.gateways.nodes.evm.rpc import CallResult, Log
from rhumbline.simulation.evm.bundle import NATIVE_LOG, Bundle, calls_of
from rhumbline.simulation.evm.gas_price import GasPrice
from rhumbline.simulation.evm.outflow import TRANSFER
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
