"""What a bridge is seen to take: this order's deposit, no other beside it, and as much as was ordered."""

from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.domain.deposit import BURNT, BridgeDeposit, LogPattern
from rhumbline.domain.simulation import Bridged, ExecutionStatus
from rhumbline.domain.unowned_addresses import STAND_IN
from rhumbline.gateways.nodes.evm.rpc import CallResult, Log
from rhumbline.simulation.evm.bundle import NATIVE_LOG, Bundle, calls_of
from rhumbline.simulation.evm.deposits import bridged, deposit_objection
from rhumbline.simulation.evm.task import EvmSimulationTask
from rhumbline.simulation.evm.verdict import judge
from tests.routing.venues import DAI, DIAMOND, OTHER, USDC, WALLET
from tests.simulation.evm.test_verdict import moved, word

BRIDGE = "0x1111111111111111111111111111111111111119"
DEPOSITED = b"\x0d" * 32
ORDER = b"\x0e" * 32
PATTERN = LogPattern(BRIDGE, (DEPOSITED, ORDER), {0: word(WALLET)}, amount_at=1)
DEPOSIT = BridgeDeposit(USDC, 1000, (BRIDGE,), PATTERN)
TASK = EvmSimulationTask(1, WALLET, WALLET, USDC, 1000, None, 500, DIAMOND, 0, b"\x01", DIAMOND, deposit=DEPOSIT)


def bundle_of(task: EvmSimulationTask = TASK, actor: str = WALLET) -> Bundle:
    return Bundle(task, actor, WALLET, b"\x01", None, 10**6, (b"\x01" * 32, b"\x02" * 32))


def deposited(order: bytes = ORDER, who: str = WALLET, amount: int = 1000, emitter: str = BRIDGE) -> Log:
    return Log(emitter.lower(), (DEPOSITED, order), word(who) + amount.to_bytes(32))


def answered(number: int | None) -> CallResult:
    return CallResult(number is not None, b"" if number is None else number.to_bytes(32), 0, 0, ())


def ran(*logs: Log, gain: int | None = 1000, wallet: int = 0, taken: int = 1000) -> Mapping[str, CallResult]:
    return {
        "has": answered(taken),
        "before 0": answered(50),
        "before 1": answered(taken),
        "main": CallResult(True, b"", 100, 100, logs),
        "after 0": answered(None if gain is None else 50 + gain),
        "after 1": answered(wallet),
    }


def test_balances_are_asked_for_before_and_after_the_call() -> None:
    watched = [call for call in calls_of(bundle_of()).values() if call["data"].startswith("0x70a08231")]
    owners = [call["data"][-40:] for call in watched]
    bridge, wallet = BRIDGE[2:].lower(), WALLET[2:].lower()
    assert [owner.lower() for owner in owners] == [wallet, bridge, wallet, bridge, wallet]


def test_the_ordered_deposit_is_fine() -> None:
    finding = judge(bundle_of(), ran(deposited()))
    assert (finding.status, finding.objection) == (ExecutionStatus.SUCCESS, None)
    assert finding.bridged == Bridged(1000, 0)
    assert not finding.stood_in


@pytest.mark.parametrize(
    ("logs", "gain", "reason"),
    [
        ((), 1000, "does not take this order"),
        ((deposited(order=b"\x0f" * 32),), 1000, "does not take this order"),
        ((deposited(who=OTHER),), 1000, "does not take this order"),
        ((deposited(emitter=OTHER),), 1000, "does not take this order"),
        ((deposited(), deposited()), 2000, "more than one deposit"),
        ((deposited(), deposited(order=b"\x0f" * 32, who=OTHER)), 2000, "more than one deposit"),
        ((deposited(),), 900, "deposit is 1000, but it gains 900"),
        ((deposited(amount=900),), 900, "gains only 900 instead of 1000"),
        ((deposited(amount=0),), -5, "gains -5"),
    ],
)
def test_anything_else_is_not(logs: tuple[Log, ...], gain: int, reason: str) -> None:
    objection = judge(bundle_of(), ran(*logs, gain=gain)).objection
    assert objection is not None
    assert reason in objection


def test_what_is_paid_without_a_log_counts_by_what_its_holder_gains() -> None:
    bundle = bundle_of(replace(TASK, deposit=replace(DEPOSIT, log=None)))
    assert judge(bundle, ran()).objection is None
    assert judge(bundle, ran(gain=998)).objection is None
    assert "gains only 997" in str(judge(bundle, ran(gain=997)).objection)


def test_a_balance_that_cannot_be_read_is_no_measure() -> None:
    finding = judge(bundle_of(), ran(deposited(), gain=None))
    assert finding.bridged is None
    assert finding.objection is None


def test_where_a_stand_in_calls_the_bridge_may_name_the_stand_in() -> None:
    bundle = bundle_of(actor=STAND_IN)
    assert bundle.stood_in
    assert judge(bundle, ran(deposited(who=STAND_IN))).objection is None
    assert judge(bundle, ran(deposited())).objection is None
    assert judge(bundle, ran(deposited(who=OTHER))).objection is not None


def test_what_is_burnt_counts_by_the_tokens_own_logs() -> None:
    deposit = BridgeDeposit(USDC, 1000, (BURNT,))
    bundle = bundle_of(replace(TASK, deposit=deposit))
    results = {**ran(moved(USDC, BRIDGE, BURNT, 900), moved(DAI, BRIDGE, BURNT, 500), moved(USDC, BURNT, OTHER, 50))}
    results["before 0"], results["after 0"] = answered(1000), answered(150)
    assert bridged(bundle, results) == Bridged(850, 150)


def test_native_that_comes_back_is_told_by_the_moves() -> None:
    deposit = BridgeDeposit(NATIVE_EVM, 90, (BRIDGE,))
    task = replace(TASK, input_token=NATIVE_EVM, input_amount=100, value=100, spender=None, deposit=deposit)
    results = ran(moved(NATIVE_LOG, WALLET, DIAMOND, 100), moved(NATIVE_LOG, DIAMOND, WALLET, 7), gain=93)
    assert bridged(bundle_of(task), results) == Bridged(93, 7)


@given(st.integers(0, 2**128), st.integers(0, 2**128), st.integers(1, 2**128))
def test_less_than_was_ordered_is_always_refused(gain: int, told: int, least: int) -> None:
    bundle = bundle_of(replace(TASK, deposit=replace(DEPOSIT, least=least)))
    seen = bridged(bundle, ran(gain=gain))
    objection = deposit_objection(bundle, [deposited(amount=told)], seen)
    assert (objection is None) == (gain + 2 >= max(told, least))
