"""The outcome of a fill: who was paid how much, and the result of a call of the Receiver."""

from collections.abc import Mapping, Sequence

from rhumbline.adapters.across.bytes32 import shown, to_word
from rhumbline.adapters.across.destination_calls import brought_by, call_ended
from rhumbline.adapters.across.logs import Deposited, Filled, Log
from rhumbline.domain.destination_call import DestinationCall
from rhumbline.domain.tracking import StatusSource, TransferState
from rhumbline.domain.transfer import Transfer, TransferStatus

_WORD = "filled"


def filled(deposited: Deposited, fill: Filled | None) -> TransferStatus:
    """Return the status of a fill. Its actual payment and receiver count; without its event neither is known.

    A depositor may sign that another receiver is paid, and fill it itself: then the requested receiver got nothing.
    """
    raw = deposit_evidence(deposited)
    if fill is None:
        return TransferStatus(TransferState.SUCCESS, StatusSource.ANALYTICS, _WORD, raw=raw)
    return _paid(TransferState.SUCCESS, deposited, fill, deposited.relay.recipient)


def filled_and_called(
    transfer: Transfer, call: DestinationCall, deposited: Deposited, fill: Filled | None, logs: Sequence[Log] | None
) -> TransferStatus:
    """Return the status of a fill that had to call the Receiver; ``logs`` are the fill's, None while unknown.

    Only the Receiver's event ends it as ordered. If there is none of this order, the depositor has signed for another
    recipient or message, and the bridged tokens are where the fill has paid them. If the fill is the deposit's own,
    that is impossible, so the node has not returned all logs.
    """
    waiting = TransferStatus(
        TransferState.BRIDGE_PENDING, StatusSource.ANALYTICS, _WORD, raw=deposit_evidence(deposited)
    )
    if fill is None or logs is None:
        return waiting
    ended = call_ended(logs, fill, call, transfer.receiver)
    own_message = fill.message_hash == deposited.relay.message_hash
    if ended is None:
        if own_message and fill.recipient == to_word(call.payee):
            return waiting
        return _paid(TransferState.RECOVERED, deposited, fill, to_word(transfer.receiver))
    brought = brought_by(call, transfer.output_token, ended, fill.output_amount, own=own_message)
    token, amount, native = ended.token, ended.amount, {}
    if brought is not None:
        token, amount = transfer.output_token, brought.output
        native = {} if brought.native is None else {"destinationGas": str(brought.native)}
    return TransferStatus(
        TransferState.RECOVERED if brought is None else TransferState.SUCCESS,
        StatusSource.ANALYTICS,
        _WORD,
        destination_tx_hash=fill.tx_hash,
        output_token=token,
        output_amount=amount,
        raw={
            **deposit_evidence(deposited),
            **_fill_evidence(fill),
            "destinationCall": "completed" if ended.completed else "recovered",
            **native,
        },
    )


def deposit_evidence(deposited: Deposited) -> Mapping[str, object]:
    relay = deposited.relay
    return {
        "originChainId": relay.origin,
        "destinationChainId": deposited.destination,
        "depositId": str(relay.deposit_id),
        "inputAmount": str(relay.input_amount),
        "outputAmount": str(relay.output_amount),
        "fillDeadline": relay.fill_deadline,
    }


def _paid(state: TransferState, deposited: Deposited, fill: Filled, receiver: bytes) -> TransferStatus:
    """Return the status of a fill that paid the requested ``receiver`` or another."""
    return TransferStatus(
        state,
        StatusSource.ANALYTICS,
        _WORD,
        destination_tx_hash=fill.tx_hash,
        output_token=shown(deposited.relay.output_token),
        output_amount=fill.output_amount,
        receiver=None if fill.recipient == receiver else shown(fill.recipient),
        raw={**deposit_evidence(deposited), **_fill_evidence(fill)},
    )


def _fill_evidence(fill: Filled) -> Mapping[str, object]:
    return {
        "fillTx": fill.tx_hash,
        "relayer": shown(fill.relayer),
        "updatedRecipient": shown(fill.recipient),
        "updatedOutputAmount": str(fill.output_amount),
        "updatedMessageHash": "0x" + fill.message_hash.hex(),
    }
