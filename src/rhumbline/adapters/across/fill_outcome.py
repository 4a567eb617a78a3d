"""What a fill comes to: who was paid what, and, where the Receiver was called, how that ended."""

from collections.abc import Mapping, Sequence

from rhumbline.adapters.across.bytes32 import shown, to_word
from rhumbline.adapters.across.destination_calls import call_ended
from rhumbline.adapters.across.logs import Deposited, Filled, Log
from rhumbline.domain.destination_call import DestinationCall
from rhumbline.domain.tracking import StatusSource, TransferState
from rhumbline.domain.transfer import Transfer, TransferStatus

_WORD = "filled"


def filled(deposited: Deposited, fill: Filled | None) -> TransferStatus:
    """Make the status of a fill. What it really paid counts, and to whom; without its event neither is known.

    Whoever deposited may sign that another gets it, and be the one who fills it: the receiver asked for got nothing.
    """
    raw = deposit_shown(deposited)
    if fill is None:
        return TransferStatus(TransferState.SUCCESS, StatusSource.ANALYTICS, _WORD, raw=raw)
    return _paid(TransferState.SUCCESS, deposited, fill, deposited.relay.recipient)


def filled_and_called(
    transfer: Transfer, call: DestinationCall, deposited: Deposited, fill: Filled | None, logs: Sequence[Log] | None
) -> TransferStatus:
    """Make the status of a fill that had to call the Receiver; ``logs`` are what it brought, None while nobody tells.

    Only what the Receiver says ends it as ordered. Where it says nothing of this order, the depositor has signed for
    another recipient or message: then the bridged tokens are where the fill has paid them. That cannot be where the
    fill is the deposit's own, so the node has not told all.
    """
    waiting = TransferStatus(TransferState.BRIDGE_PENDING, StatusSource.ANALYTICS, _WORD, raw=deposit_shown(deposited))
    if fill is None or logs is None:
        return waiting
    ended = call_ended(logs, fill, call, transfer.receiver)
    if ended is None:
        is_own = fill.recipient == to_word(call.payee) and fill.message_hash == deposited.relay.message_hash
        if is_own:
            return waiting
        return _paid(TransferState.RECOVERED, deposited, fill, to_word(transfer.receiver))
    as_ordered = ended.completed and ended.token == transfer.output_token
    return TransferStatus(
        TransferState.SUCCESS if as_ordered else TransferState.RECOVERED,
        StatusSource.ANALYTICS,
        _WORD,
        destination_tx_hash=fill.tx_hash,
        output_token=ended.token,
        output_amount=ended.amount,
        raw={
            **deposit_shown(deposited),
            **_fill_shown(fill),
            "destinationCall": "completed" if ended.completed else "recovered",
        },
    )


def deposit_shown(deposited: Deposited) -> Mapping[str, object]:
    relay = deposited.relay
    return {
        "originChainId": relay.origin,
        "destinationChainId": deposited.destination,
        "depositId": str(relay.deposit_id),
        "inputAmount": str(relay.input_amount),
        "outputAmount": str(relay.output_amount),
        "fillDeadline": relay.fill_deadline,
    }


def _paid(state: TransferState, deposited: Deposited, fill: Filled, asked: bytes) -> TransferStatus:
    """Make the status of a fill that has just paid somebody, the one ``asked`` for or another."""
    return TransferStatus(
        state,
        StatusSource.ANALYTICS,
        _WORD,
        destination_tx_hash=fill.tx_hash,
        output_token=shown(deposited.relay.output_token),
        output_amount=fill.output_amount,
        receiver=None if fill.recipient == asked else shown(fill.recipient),
        raw={**deposit_shown(deposited), **_fill_shown(fill)},
    )


def _fill_shown(fill: Filled) -> Mapping[str, object]:
    return {
        "fillTx": fill.tx_hash,
        "relayer": shown(fill.relayer),
        "updatedRecipient": shown(fill.recipient),
        "updatedOutputAmount": str(fill.output_amount),
        "updatedMessageHash": "0x" + fill.message_hash.hex(),
    }
