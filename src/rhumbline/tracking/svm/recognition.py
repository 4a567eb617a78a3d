"""Whether a transaction is an issued one, and what its wallet has added.

All that was handed out is there, in its order. What is beside it is of the few kinds that wallets add, and what it
moved is told apart: a record's amounts are those of what was handed out.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from rhumbline.domain.chain import NATIVE_SVM
from rhumbline.domain.svm import SvmInstruction
from rhumbline.domain.transfer import IssuedTransaction
from rhumbline.gateways.nodes.svm.transactions import ExecutedTransaction
from rhumbline.gateways.svm.fingerprint import find_parts, fingerprint, may_be_added
from rhumbline.gateways.svm.instructions import CreateTokenAccount, SystemTransfer, TokenTransfer, decode
from rhumbline.gateways.svm.programs import WRAPPED_SOL


@dataclass(frozen=True, slots=True)
class Recognised:
    """The top-level instructions of a transaction: the issued ones, in order, and the added ones."""

    own: Sequence[SvmInstruction]
    added: Sequence[SvmInstruction] = ()


def recognise(issued: IssuedTransaction, instructions: Sequence[SvmInstruction]) -> Recognised | None:
    """Separate an issued transaction from what its wallet added; None for any other transaction.

    A build of a version before has no parts: nothing may be added to it.
    """
    if issued.data == fingerprint(instructions):
        return Recognised(instructions)
    places = find_parts(instructions, issued.parts)
    if places is None:
        return None
    own = [each for place, each in enumerate(instructions) if place in places]
    added = [each for place, each in enumerate(instructions) if place not in places]
    return Recognised(own, added) if all(map(may_be_added, added)) else None


def moved(executed: ExecutedTransaction, added: Sequence[SvmInstruction], accounts: Collection[str], token: str) -> int:
    """Return what added instructions brought to these accounts of a token, in raw units; below zero: took from them.

    A mint's own fee on a transfer is not taken off: what came in that way counts as more than it was, never as less.
    """
    return sum(_moved(executed, each, accounts, token) for each in added)


def _moved(executed: ExecutedTransaction, call: SvmInstruction, accounts: Collection[str], token: str) -> int:
    native = token == NATIVE_SVM
    match decode(call):
        case SystemTransfer(source=source, destination=destination, lamports=amount) if native:
            pass
        case CreateTokenAccount(payer=source, account=destination) if native:
            made = executed.balances_before.get(destination, 0) == 0
            amount = executed.balances_after.get(destination, 0) if made else 0
        case TokenTransfer(source=source, destination=destination, amount=amount) if _mint_of(
            executed, source, destination
        ) == (WRAPPED_SOL if native else token):
            pass
        case _:
            return 0
    return amount * ((destination in accounts) - (source in accounts))


def _mint_of(executed: ExecutedTransaction, *accounts: str) -> str | None:
    told = (*executed.tokens_before, *executed.tokens_after)
    return next((each.mint for each in told if each.account in accounts), None)
