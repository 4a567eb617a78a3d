"""The fees that a transaction paid: the sender's transfers at its beginning."""

from collections.abc import Iterator, Sequence

from rhumbline.domain.chain import NATIVE_SVM
from rhumbline.domain.fee import Charge, FeeKind
from rhumbline.domain.svm import SvmInstruction
from rhumbline.domain.tracking import RecordAmount
from rhumbline.domain.transfer import IssuedTransaction
from rhumbline.gateways.nodes.svm.transactions import ExecutedTransaction
from rhumbline.gateways.svm.fingerprint import of_wallets
from rhumbline.gateways.svm.instructions import SystemTransfer, TokenTransfer, decode


def paid_fees(
    executed: ExecutedTransaction, own: Sequence[SvmInstruction], issued: IssuedTransaction
) -> dict[FeeKind, RecordAmount]:
    """Return what was paid of the charges that were agreed, by who earns it: what arrived, a mint's own fee off.

    ``own`` are the instructions that were handed out: what a wallet pays beside them is no fee.
    """
    payments = list(_payments(executed, own, issued))
    found: dict[FeeKind, RecordAmount] = {}
    for charge in issued.charges:
        arrived = _taken(payments, charge)
        if arrived:
            found[charge.kind] = RecordAmount(issued.input_token, arrived)
    return found


_Payment = tuple[str | None, int, int]
"""The payees, and how much left the sender and how much arrived."""


def _taken(payments: list[_Payment], charge: Charge) -> int:
    for payment in payments:
        recipient, sent, arrived = payment
        if (recipient, sent) == (charge.recipient, charge.amount):
            payments.remove(payment)
            return arrived
    return 0


def _payments(
    executed: ExecutedTransaction, own: Sequence[SvmInstruction], issued: IssuedTransaction
) -> Iterator[_Payment]:
    owners = {each.account: each.owner for each in executed.tokens_after if each.mint == issued.input_token}
    for instruction in own:
        if of_wallets(instruction):
            continue
        match decode(instruction):
            case SystemTransfer(source=issued.sender, destination=wallet, lamports=sent) if _is_native(issued):
                yield wallet, sent, sent
            case TokenTransfer(authority=issued.sender, destination=account, amount=sent, fee=fee, mint=mint) if (
                mint == issued.input_token
            ):
                yield owners.get(account), sent, sent - (fee or 0)
            case _:
                return


def _is_native(issued: IssuedTransaction) -> bool:
    return issued.input_token == NATIVE_SVM
