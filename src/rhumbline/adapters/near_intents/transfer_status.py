"""Translates 1Click's status of a transfer."""

from collections.abc import Mapping
from types import MappingProxyType

from rhumbline.adapters.near_intents.wire import StatusAnswer
from rhumbline.domain.expectations import expect
from rhumbline.domain.tracking import StatusSource, TransferState
from rhumbline.domain.transfer import Transfer, TransferStatus

STATES: Mapping[str, TransferState] = MappingProxyType(
    {
        # The origin's transaction is known to us, so the deposit is under way.
        "PENDING_DEPOSIT": TransferState.BRIDGE_PENDING,
        "KNOWN_DEPOSIT_TX": TransferState.BRIDGE_PENDING,
        "PROCESSING": TransferState.BRIDGE_PENDING,
        "INCOMPLETE_DEPOSIT": TransferState.REFUND_PENDING,
        "SUCCESS": TransferState.SUCCESS,
        "REFUNDED": TransferState.REFUNDED,
        "FAILED": TransferState.BRIDGE_FAILED,
    }
)
_LONGEST_TEXT = 200


def transfer_status(answer: StatusAnswer, transfer: Transfer) -> TransferStatus:
    """Read a status; raise UpstreamFailed if it is about another deposit, receiver or refund.

    A word that is not documented is pending: the transfer was found, and nothing is known to have ended it.
    """
    quoted, request = answer.quote_response.quote, answer.quote_response.quote_request
    expect("deposit address", quoted.get("depositAddress"), transfer.reference)
    expect("receiver", request.get("recipient"), transfer.receiver)
    expect("refund address", request.get("refundTo"), transfer.refund_to)
    details, state = answer.swap_details, STATES.get(answer.status, TransferState.BRIDGE_PENDING)
    delivered, refunded = state is TransferState.SUCCESS, state is TransferState.REFUNDED
    there = [each.hash for each in details.destination_chain_tx_hashes]
    # Of the origin's transactions one is the deposit itself.
    back = [each.hash for each in details.origin_chain_tx_hashes if each.hash.lower() != transfer.tx_hash.lower()]
    return TransferStatus(
        state,
        StatusSource.BRIDGE_API,
        answer.status[:_LONGEST_TEXT],
        destination_tx_hash=there[-1] if delivered and there else None,
        refund_tx_hash=back[-1] if refunded and back else None,
        output_token=transfer.output_token if delivered else None,
        output_amount=details.amount_out if delivered else None,
        raw={
            "status": answer.status[:_LONGEST_TEXT],
            "amountOut": _text(details.amount_out),
            "depositedAmount": _text(details.deposited_amount),
            "refundedAmount": _text(details.refunded_amount),
            "refundReason": None if details.refund_reason is None else details.refund_reason[:_LONGEST_TEXT],
        },
    )


def _text(amount: int | None) -> str | None:
    return None if amount is None else str(amount)
