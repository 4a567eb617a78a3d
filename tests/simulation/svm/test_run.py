"""What honest transactions are seen to bring, beside what they bring when they are really executed."""

from typing import Any

import pytest
from solders.keypair import Keypair

from rhumbline.devnet.svm.chain_setup import token
from rhumbline.domain.chain import NATIVE_SVM
from rhumbline.domain.deposit import BURNT, BridgeDeposit
from rhumbline.domain.simulation import Bridged, ExecutionStatus, OutputValidation, Simulation, SimulationSource
from rhumbline.domain.svm import AccountRole, SvmInstruction
from rhumbline.gateways.svm.instructions import SystemTransfer, TokenApproval, TokenTransfer
from rhumbline.gateways.svm.programs import SPL
from tests.simulation.svm.trials import (
    FEE,
    FRIEND,
    NATIVE_IN,
    NATIVE_OUT,
    SOL,
    STABLE,
    TAX,
    TAXED,
    USDC,
    USER,
    WRAPPED,
    WRAPPED_MINT,
    Trials,
    account,
    create,
    name,
    unwrap,
    wrap,
)

AMOUNT = 1000 * 10**6


def seen(simulation: Simulation) -> int:
    assert simulation.result.status is ExecutionStatus.SUCCESS, simulation.result.reason
    assert simulation.objection is None
    assert simulation.result.simulated_output is not None
    return simulation.result.simulated_output


async def test_a_swap_of_two_tokens(trials: Trials) -> None:
    calls = [trials.swap(STABLE, AMOUNT)]
    simulation = await trials.tried(calls)
    before = await trials.amount(account(USER, "USDT"))
    trials.execute(calls)
    assert seen(simulation) == await trials.amount(account(USER, "USDT")) - before
    result = simulation.result
    assert (result.source, result.validation) == (SimulationSource.SOLANA_RUNTIME, OutputValidation.VERIFIED)
    assert result.gas_used is not None
    assert 1000 < result.gas_used < 100_000
    assert not simulation.wallet_fault
    assert not simulation.below_minimum


async def test_less_than_the_minimum_is_seen(trials: Trials) -> None:
    simulation = await trials.tried([trials.swap(STABLE, AMOUNT)], min_output=AMOUNT)
    assert seen(simulation) < AMOUNT
    assert simulation.below_minimum


async def test_somebody_else_gains(trials: Trials) -> None:
    simulation = await trials.tried([trials.swap(STABLE, AMOUNT, to=FRIEND)], receiver=name(FRIEND))
    assert seen(simulation) > 990 * 10**6
    unpaid = await trials.tried([trials.swap(STABLE, AMOUNT)], receiver=name(FRIEND))
    assert seen(unpaid) == 0


async def test_a_tax_is_counted_on_both_sides(trials: Trials) -> None:
    calls = [trials.swap(TAXED, SOL)]
    simulation = await trials.tried(calls, input_token=WRAPPED_MINT, input_amount=SOL, output_token=TAX)
    before = await trials.amount(account(USER, "TAX"))
    trials.execute(calls)
    gained = await trials.amount(account(USER, "TAX")) - before
    assert seen(simulation) == gained
    sold = await trials.tried(
        [trials.swap(TAXED, gained, turned=True)], input_token=TAX, input_amount=gained, output_token=WRAPPED_MINT
    )
    assert 0 < seen(sold) < SOL


@pytest.mark.parametrize("closes", [True, False])
async def test_native_input_is_wrapped_and_the_rest_comes_back(trials: Trials, closes: bool) -> None:
    """The wallet has wrapped SOL already: closing the account hands it back."""
    calls = [*wrap(USER, 2 * SOL), trials.swap(WRAPPED, 2 * SOL), *([unwrap(USER)] if closes else [])]
    assert seen(await trials.tried(calls, **NATIVE_IN)) > 290 * 10**6


async def test_native_output_is_exact(trials: Trials) -> None:
    """Neither the fee nor the wrapped SOL that there was counts: just what the pool gives."""
    calls = [trials.swap(WRAPPED, AMOUNT, turned=True), unwrap(USER)]
    simulation = await trials.tried(calls, **NATIVE_OUT)
    wrapped, lamports = trials.lamports(account(USER, "WSOL")), trials.lamports(USER)
    trials.execute(calls)
    assert seen(simulation) == trials.lamports(USER) - lamports + FEE - wrapped


async def test_native_output_with_new_accounts_is_exact(trials: Trials) -> None:
    """A wallet that has to make its own account of wrapped SOL first, and one of another token that stays."""
    new = Keypair()
    trials.execute([SystemTransfer(name(USER), name(new), SOL).encode(), create(USER, new, "USDC")])
    trials.execute([paid(AMOUNT, account(new, "USDC"))])
    calls = [create(new, new, "WSOL"), create(new, new, "DAI"), trials.swap(WRAPPED, AMOUNT, by=new, turned=True)]
    given = seen(await trials.tried([*calls, unwrap(new)], by=new, **NATIVE_OUT))
    trials.execute([*calls, unwrap(new)], new)
    assert trials.lamports(new) == SOL - FEE - trials.lamports(account(new, "DAI")) + given


async def test_wrapped_output_that_was_to_be_native_has_not_arrived(trials: Trials) -> None:
    assert seen(await trials.tried([trials.swap(WRAPPED, AMOUNT, turned=True)], **NATIVE_OUT)) == 0


async def test_unwrapping_brings_what_was_wrapped(trials: Trials) -> None:
    new = Keypair()
    trials.execute([SystemTransfer(name(USER), name(new), 9 * SOL).encode()])
    trials.execute(wrap(new, 3 * SOL), new)
    said: dict[str, Any] = {**NATIVE_OUT, "input_token": WRAPPED_MINT, "input_amount": 3 * SOL}
    assert seen(await trials.tried([unwrap(new)], by=new, **said)) == 3 * SOL


async def test_lamports_arrive_with_somebody_else(trials: Trials) -> None:
    stranger = name(Keypair())
    calls = [SystemTransfer(name(USER), stranger, SOL).encode()]
    said: dict[str, Any] = {**NATIVE_OUT, "input_token": NATIVE_SVM, "input_amount": SOL, "receiver": stranger}
    assert seen(await trials.tried(calls, **said)) == SOL


async def test_exactly_the_delegate_may_take_exactly_the_input(trials: Trials) -> None:
    calls = [TokenApproval(SPL, account(USER, "USDC"), name(FRIEND), name(USER), AMOUNT).encode()]
    assert seen(await trials.tried(calls, delegate=name(FRIEND))) == 0


async def test_a_deposit_is_measured_by_what_its_holders_gain(trials: Trials) -> None:
    held = account(FRIEND, "USDC")
    deposit = BridgeDeposit(USDC, AMOUNT, (held,))
    simulation = await trials.tried([paid(AMOUNT, held)], output_token=None, deposit=deposit)
    assert simulation.objection is None
    assert simulation.bridged == Bridged(AMOUNT, 0)
    assert simulation.result.validation is OutputValidation.UNVERIFIABLE
    short = await trials.tried([paid(AMOUNT - 1, held)], output_token=None, deposit=deposit)
    assert short.objection == f"the bridge gains only {AMOUNT - 1} instead of {AMOUNT}"
    assert short.bridged == Bridged(AMOUNT - 1, 1)


async def test_what_is_burnt_is_what_there_is_less_of(trials: Trials) -> None:
    roles = (
        AccountRole(account(USER, "USDC"), writable=True), AccountRole(USDC, writable=True),
        AccountRole(name(USER), signer=True),
    )  # fmt: skip
    burn = SvmInstruction(SPL, roles, b"\x08" + AMOUNT.to_bytes(8, "little"))
    simulation = await trials.tried([burn], output_token=None, deposit=BridgeDeposit(USDC, AMOUNT, (BURNT,)))
    assert (simulation.objection, simulation.bridged) == (None, Bridged(AMOUNT, 0))


async def test_a_native_deposit(trials: Trials) -> None:
    deposit = BridgeDeposit(NATIVE_SVM, SOL, (name(FRIEND),))
    calls = [SystemTransfer(name(USER), name(FRIEND), SOL).encode()]
    said: dict[str, Any] = {"input_token": NATIVE_SVM, "input_amount": SOL, "output_token": None, "deposit": deposit}
    simulation = await trials.tried(calls, **said)
    assert (simulation.objection, simulation.bridged) == (None, Bridged(SOL, 0))


def paid(amount: int, to: str) -> SvmInstruction:
    minted = token("USDC")
    source = account(USER, "USDC")
    return TokenTransfer(SPL, source, to, name(USER), amount, str(minted.mint), 6).encode()
