"""Runs that fail: by the wallet's lack, or by the transaction's own fault."""

from dataclasses import replace
from typing import Any

from solders.keypair import Keypair
from solders.pubkey import Pubkey

from rhumbline.devnet.svm.accounts import OPERATOR, keypair
from rhumbline.devnet.svm.chain_setup import token
from rhumbline.domain.chain import NATIVE_SVM
from rhumbline.domain.deposit import BridgeDeposit
from rhumbline.domain.simulation import ExecutionStatus, OutputValidation, Simulation
from rhumbline.domain.svm import AccountRole, SvmInstruction
from rhumbline.gateways.svm.instructions import SystemTransfer, TokenTransfer
from rhumbline.gateways.svm.programs import SPL
from rhumbline.simulation.svm.task import FeePayer
from tests.simulation.svm.trials import (
    FEE,
    FRIEND,
    NATIVE_IN,
    POOR,
    SOL,
    STABLE,
    USDC,
    USER,
    WRAPPED,
    Trials,
    account,
    create,
    name,
    unwrap,
    wrap,
)

AMOUNT = 1000 * 10**6
UNSEEN = "only a simulation shows what it does, and that needs a wallet with the funds"


def lacks(simulation: Simulation, words: str) -> None:
    result = simulation.result
    assert (result.status, result.validation) == (ExecutionStatus.REVERTED, OutputValidation.NOT_SIMULATED)
    assert simulation.wallet_fault
    assert words in (result.reason or "")


def new_wallet(trials: Trials, lamports: int, symbol: str | None = None, amount: int = 0) -> Keypair:
    wallet = Keypair()
    trials.execute([SystemTransfer(name(USER), name(wallet), lamports).encode()])
    if symbol is not None:
        minted = token(symbol)
        held = account(wallet, symbol)
        trials.execute([create(USER, wallet, symbol), TokenTransfer(
            SPL, account(USER, symbol), held, name(USER), amount, str(minted.mint), 6).encode()])  # fmt: skip
    return wallet


async def test_a_wallet_with_nothing(trials: Trials) -> None:
    """Where a pinned program holds it to the minimum it is offered all the same; elsewhere it is not."""
    calls = [trials.swap(STABLE, AMOUNT, by=POOR)]
    held = await trials.tried(calls, by=POOR, is_enforced=True)
    lacks(held, "the wallet has no SOL")
    assert held.objection is None
    simulation = await trials.tried(calls, by=POOR)
    lacks(simulation, "the wallet has no SOL")
    assert simulation.objection == f"{UNSEEN}: the wallet has no SOL"


async def test_a_deposit_by_a_wallet_with_nothing(trials: Trials) -> None:
    deposit = BridgeDeposit(NATIVE_SVM, SOL, (name(FRIEND),))
    calls = [SystemTransfer(name(POOR), name(FRIEND), SOL).encode()]
    said: dict[str, Any] = {"input_token": NATIVE_SVM, "input_amount": SOL, "output_token": None, "deposit": deposit}
    simulation = await trials.tried(calls, by=POOR, **said)
    assert simulation.objection == f"{UNSEEN}: the wallet has no SOL"
    assert simulation.bridged is None


async def test_less_than_the_fee(trials: Trials) -> None:
    rent = trials.solana.server.chain.rent(0)
    wallet = new_wallet(trials, rent + FEE - 1)
    simulation = await trials.tried([trials.swap(STABLE, AMOUNT, by=wallet)], by=wallet, is_enforced=True)
    assert simulation.wallet_fault
    assert simulation.objection is None


async def test_no_account_of_the_input(trials: Trials) -> None:
    wallet = new_wallet(trials, SOL)
    simulation = await trials.tried([trials.swap(STABLE, AMOUNT, by=wallet)], by=wallet, is_enforced=True)
    lacks(simulation, f"the wallet has 0 of the input token, and {AMOUNT} are needed")


async def test_less_than_the_input(trials: Trials) -> None:
    wallet = new_wallet(trials, SOL, "USDC", AMOUNT - 1)
    calls = [create(wallet, wallet, "USDT"), trials.swap(STABLE, AMOUNT, by=wallet)]
    simulation = await trials.tried(calls, by=wallet, is_enforced=True)
    lacks(simulation, f"the wallet has {AMOUNT - 1} of the input token, and {AMOUNT} are needed")


async def test_too_little_sol_for_a_native_input(trials: Trials) -> None:
    wallet = new_wallet(trials, 2 * SOL)
    calls = [*wrap(wallet, 2 * SOL), create(wallet, wallet, "USDC"), trials.swap(WRAPPED, 2 * SOL, by=wallet),
             unwrap(wallet)]  # fmt: skip
    simulation = await trials.tried(calls, by=wallet, is_enforced=True, **NATIVE_IN)
    lacks(simulation, f"the wallet has {2 * SOL} lamports, and ")


async def test_too_little_sol_for_the_rent_of_an_account(trials: Trials) -> None:
    wallet = new_wallet(trials, trials.solana.server.chain.rent(0) + FEE, "USDC", AMOUNT)
    calls = [create(wallet, wallet, "USDT"), trials.swap(STABLE, AMOUNT, by=wallet)]
    lacks(await trials.tried(calls, by=wallet, is_enforced=True), "lamports, and ")


async def test_nothing_to_keep_the_wallet_with(trials: Trials) -> None:
    """The runtime fails a transaction that leaves a wallet with something, and less than it must keep."""
    wallet = new_wallet(trials, SOL)
    calls = [SystemTransfer(name(wallet), name(FRIEND), SOL - FEE - 1).encode()]
    said: dict[str, Any] = {
        "input_token": NATIVE_SVM,
        "input_amount": SOL - FEE - 1,
        "output_token": None,
        "is_enforced": True,
    }
    lacks(await trials.tried(calls, by=wallet, **said), "the wallet would have less than its minimum balance")


async def test_a_frozen_account(trials: Trials) -> None:
    operator = keypair(OPERATOR)
    wallet = new_wallet(trials, SOL, "USDC", AMOUNT)
    roles = (AccountRole(account(wallet, "USDC"), writable=True), AccountRole(USDC),
             AccountRole(name(operator), signer=True))  # fmt: skip
    trials.execute([SvmInstruction(SPL, roles, b"\x0a")], operator)
    calls = [create(wallet, wallet, "USDT"), trials.swap(STABLE, AMOUNT, by=wallet)]
    lacks(await trials.tried(calls, by=wallet, is_enforced=True), "the wallet's token account is frozen")


async def test_a_transaction_that_fails_by_itself(trials: Trials) -> None:
    """The wallet has all that it needs: the pool gives less than the call's own minimum."""
    greedy = replace_minimum(trials.swap(STABLE, AMOUNT), 2 * AMOUNT)
    simulation = await trials.tried([greedy])
    assert simulation.result.status is ExecutionStatus.REVERTED
    assert not simulation.wallet_fault
    assert simulation.objection is None, "it is refused for its failure, whatever could be seen of it"
    assert "instruction 2: Custom" in (simulation.result.reason or "")


def replace_minimum(swap: SvmInstruction, minimum: int) -> SvmInstruction:
    return replace(swap, data=swap.data[:9] + minimum.to_bytes(8, "little"))


async def test_a_program_that_is_not_there(trials: Trials) -> None:
    call = SvmInstruction(str(Pubkey([9] * 32)), (AccountRole(name(USER), signer=True),), b"")
    simulation = await trials.tried([call])
    assert (simulation.result.status, simulation.wallet_fault) == (ExecutionStatus.REVERTED, False)


async def test_a_fault_of_the_tokens_is_told_in_its_programs_words(trials: Trials) -> None:
    """More than the account holds, although the amount that was agreed is there."""
    held = await trials.amount(account(USER, "USDC"))
    call = TokenTransfer(SPL, account(USER, "USDC"), account(FRIEND, "USDC"), name(USER), held + 1, USDC, 6).encode()
    simulation = await trials.tried([call], output_token=None)
    assert not simulation.wallet_fault
    assert simulation.result.reason == "Error: insufficient funds (instruction 2: Custom 1 (0x1))"


async def test_a_wallet_that_cannot_pay_its_tip(trials: Trials) -> None:
    tip = 10_000_000
    wallet = new_wallet(trials, 5_000_000, "USDC", AMOUNT)
    calls = [SystemTransfer(name(wallet), name(FRIEND), tip).encode()]
    simulation = await trials.tried(calls, by=wallet, is_enforced=True, tip=tip, input_amount=0)
    needed = tip + FEE + 2 * trials.solana.server.chain.rent(165)
    lacks(simulation, f"the wallet has 5000000 lamports, and {needed} are needed")


async def test_what_a_fee_payer_lacks_is_not_the_wallets_fault(trials: Trials) -> None:
    """The wallet has what it pays itself: nothing. The route is dropped, not answered with a warning."""
    payer = new_wallet(trials, 2_000_000)
    calls = [create(payer, POOR, "USDT")]
    who = {"sender": name(USER), "receiver": name(USER), "fee_payer": FeePayer(name(payer))}
    task = trials.task(calls, by=payer, input_amount=0, **who)
    simulation = await trials.simulator.simulate(task)
    assert simulation.result.status is ExecutionStatus.REVERTED
    assert not simulation.wallet_fault
