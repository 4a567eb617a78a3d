"""Translates Symbiosis' status of a transfer."""

from collections.abc import Mapping
from types import MappingProxyType

from rhumbline.adapters.symbiosis.wire import StatusAnswer
from rhumbline.domain.tracking import StatusSource, TransferState
from rhumbline.domain.transfer import Transfer, TransferStatus

STATES: Mapping[str, TransferState] = MappingProxyType(
    {
        "not found": TransferState.UNKNOWN,
        "success": TransferState.SUCCESS,
        "pending": TransferState.BRIDGE_PENDING,
        # The bridge reverts a stuck operation by itself.
        "stucked": TransferState.REFUND_PENDING,
        "reverted": TransferState.REFUNDED,
    }
)
_CODES: Mapping[int, str] = MappingProxyType({-1: "not found", 0: "success", 1: "pending", 2: "stucked", 3: "reverted"})
_LONGEST_TEXT = 200


def transfer_status(answer: StatusAnswer, transfer: Transfer) -> TransferStatus:
    """Parse a status. An undocumented word is pending: nothing shows that the operation has ended.

    An operation that is not indexed yet is called a success for its origin's transaction alone: it is one only if the
    newest transaction is on the destination. A payment in another token than requested is recovered.
    """
    word, tx = _word(answer), answer.tx
    there = tx is not None and tx.chain_id == transfer.destination_chain_id
    state = STATES.get(word.lower(), TransferState.BRIDGE_PENDING)
    if state is TransferState.SUCCESS and not there:
        state = TransferState.BRIDGE_PENDING
    elif state is TransferState.SUCCESS and answer.transit_token_sent is not None:
        state = TransferState.RECOVERED
    done = state in (TransferState.SUCCESS, TransferState.RECOVERED) and tx is not None
    paid = answer.transit_token_sent or (tx.token_amount if tx is not None else None)
    if paid is not None and paid.chain_id != transfer.destination_chain_id:
        paid = None
    back = state is TransferState.REFUNDED and tx is not None and tx.chain_id == transfer.origin_chain_id
    return TransferStatus(
        state,
        StatusSource.BRIDGE_API,
        word[:_LONGEST_TEXT],
        destination_tx_hash=tx.hash if done and tx is not None else None,
        refund_tx_hash=tx.hash if back and tx is not None and tx.hash != transfer.tx_hash else None,
        output_token=paid.address if done and paid is not None else None,
        output_amount=paid.amount if done and paid is not None else None,
        raw={
            "status": word[:_LONGEST_TEXT],
            "chainId": None if tx is None else tx.chain_id,
            "hash": None if tx is None or tx.hash is None else tx.hash[:_LONGEST_TEXT],
        },
    )


def _word(answer: StatusAnswer) -> str:
    """Return the status in words, whichever of its documented forms it has."""
    status = answer.status
    if isinstance(status, str):
        return status
    return _CODES.get(status.code, status.text) if status.code is not None else status.text
