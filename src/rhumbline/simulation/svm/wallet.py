"""Whether the wallet caused a failed simulation, because it lacks something that the transaction needs. Pure."""

from rhumbline.domain.chain import NATIVE_SVM
from rhumbline.gateways.nodes.svm.transaction_error import TransactionError
from rhumbline.gateways.svm.account import Rent
from rhumbline.gateways.svm.compute_budget import NetworkFee
from rhumbline.gateways.svm.programs import SYSTEM
from rhumbline.gateways.svm.tokens import ACCOUNT_SIZE
from rhumbline.simulation.svm.run import State
from rhumbline.simulation.svm.task import SvmSimulationTask

_PAYERS = frozenset({"AccountNotFound", "InsufficientFundsForFee", "InvalidAccountForFee"})
_RENT = "InsufficientFundsForRent"
_INSTRUCTION = "InstructionError"
_SHORT_OF_LAMPORTS = frozenset({"InsufficientFunds", "Custom"})
_TOO_LITTLE = 1
"""The error code by which the System Program and the token programs report insufficient funds."""
_MADE = 2
"""Token accounts that a route makes as a rule: for the output, and for wrapped SOL."""


def lack_of(task: SvmSimulationTask, fee: NetworkFee, rent: Rent, before: State, error: TransactionError) -> str | None:
    """Return what the wallet lacks, so that the transaction had to fail; None if that is not the reason."""
    pays = fee.payer == task.sender
    if error.kind in _PAYERS:
        return _lack_of_payer(task, fee, before) if pays else None
    if error.kind == _RENT:
        # The payer is the message's first account.
        return "the wallet would have less than its minimum balance" if pays and error.account == 0 else None
    if error.kind != _INSTRUCTION:
        return None
    return _lack_of_input(task, before) or _lack_of_lamports(task, fee, rent, before, error)


def _lack_of_payer(task: SvmSimulationTask, fee: NetworkFee, before: State) -> str | None:
    account = before.accounts.get(task.sender)
    if account is None:
        return "the wallet has no SOL"
    if account.owner != SYSTEM:
        return "the wallet's account belongs to a program and cannot pay fees"
    return f"the wallet has {account.lamports} lamports, and the network fee is {fee.least}"


def _lack_of_input(task: SvmSimulationTask, before: State) -> str | None:
    if task.input_token == NATIVE_SVM:
        return None
    accounts = before.held(task.sender, task.input_token)
    if any(each.frozen for each in accounts.values()):
        return "the wallet's token account is frozen"
    amount = sum(each.amount for each in accounts.values())
    if amount < task.input_amount:
        return f"the wallet has {amount} of the input token, and {task.input_amount} are needed"
    return None


def _lack_of_lamports(
    task: SvmSimulationTask, fee: NetworkFee, rent: Rent, before: State, error: TransactionError
) -> str | None:
    lamports = before.lamports(task.sender)
    spent = task.native_fee + task.tip + (task.input_amount if task.input_token == NATIVE_SVM else 0)
    needed = spent + (fee.least if fee.payer == task.sender else 0)
    short = error.reason in _SHORT_OF_LAMPORTS and (error.custom in (None, _TOO_LITTLE))
    if short and task.fee_payer is None:
        # Insufficient funds may also mean the rent of an account to be created.
        needed += _MADE * rent.minimum(ACCOUNT_SIZE)
    return None if lamports >= needed else f"the wallet has {lamports} lamports, and {needed} are needed"
