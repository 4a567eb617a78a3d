"""Translates the status of Gas.zip's transfers."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from rhumbline.adapters.gaszip.wire import DepositFacts, Payout
from rhumbline.domain.expectations import same
from rhumbline.domain.tracking import StatusSource, TransferState
from rhumbline.domain.transfer import Transfer, TransferStatus

STATES: Mapping[str, TransferState] = MappingProxyType(
    {
        "SEEN": TransferState.BRIDGE_PENDING,
        "PENDING": TransferState.BRIDGE_PENDING,
        "PRIORITY": TransferState.BRIDGE_PENDING,
        "CONFIRMED": TransferState.SUCCESS,
        "CANCELLED": TransferState.REFUND_PENDING,
    }
)
"""The documented statuses (https://dev.gas.zip, read 2026-11-21) of a payment to the destination."""
_MOST = 4


def transfer_status(
    deposit: DepositFacts, payouts: Sequence[Payout], transfer: Transfer, destination: int
) -> TransferStatus:
    """Return a transfer's status; ``destination`` is the API's number of the destination chain.

    The amount of a payment is not stated: the service's ``value`` includes the payment's gas.
    """
    if not same(deposit.hash, transfer.tx_hash):
        return TransferStatus(TransferState.UNKNOWN, StatusSource.BRIDGE_API, "another deposit")
    refund = next((each for each in payouts if each.refund), None)
    paid = next((each for each in payouts if not each.refund and each.chain == destination), None)
    if refund is not None:
        done = refund.status == "CONFIRMED" and refund.hash is not None
        state = TransferState.REFUNDED if done else TransferState.REFUND_PENDING
        return _status(state, refund, deposit, payouts)
    if paid is not None:
        cancelled = paid.cancelled or paid.status == "CANCELLED"
        state = TransferState.REFUND_PENDING if cancelled else STATES.get(paid.status, TransferState.BRIDGE_PENDING)
        if state is TransferState.SUCCESS and (
            paid.hash is None or not (paid.to == "" or same(paid.to, transfer.receiver))
        ):
            state = TransferState.BRIDGE_PENDING
        return _status(state, paid, deposit, payouts)
    gone = deposit.status == "CANCELLED"
    return _status(TransferState.REFUND_PENDING if gone else TransferState.BRIDGE_PENDING, None, deposit, payouts)


def _status(
    state: TransferState, payout: Payout | None, deposit: DepositFacts, payouts: Sequence[Payout]
) -> TransferStatus:
    sent = None if payout is None else payout.hash
    return TransferStatus(
        state,
        StatusSource.BRIDGE_API,
        deposit.status if payout is None else payout.status,
        destination_tx_hash=sent if state is TransferState.SUCCESS else None,
        refund_tx_hash=sent if state is TransferState.REFUNDED else None,
        raw={
            "deposit": deposit.model_dump(),
            "txs": [each.model_dump() for each in payouts[:_MOST]],
        },
    )
