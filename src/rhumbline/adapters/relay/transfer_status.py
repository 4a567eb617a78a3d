"""Translates the status of Relay's transfers."""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from rhumbline.adapters.relay.wire import StatusAnswer
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.domain.expectations import same
from rhumbline.domain.tracking import StatusSource, TransferState
from rhumbline.domain.transfer import Transfer, TransferStatus
from rhumbline.gateways.nodes.evm.native_gain import native_gain
from rhumbline.gateways.nodes.evm.rpc import EvmRpc

STATES: Mapping[str, TransferState] = MappingProxyType(
    {
        "waiting": TransferState.BRIDGE_PENDING,
        "depositing": TransferState.BRIDGE_PENDING,
        "pending": TransferState.BRIDGE_PENDING,
        "submitted": TransferState.BRIDGE_PENDING,
        "delayed": TransferState.BRIDGE_PENDING,
        "success": TransferState.SUCCESS,
        "refund": TransferState.REFUNDED,
        "refunded": TransferState.REFUNDED,
        "failure": TransferState.BRIDGE_FAILED,
        "fallback": TransferState.REFUND_PENDING,
        "unknown": TransferState.UNKNOWN,
    }
)
"""The documented words (references/api/get-intents-status-v3, read 2026-11-21), and two that clients saw (2026-10):
``unknown``, with HTTP 200, of a request that is not known, and ``refunded`` beside ``refund``. ``waiting`` is said of a
deposit that Relay has not seen: we ask of mined ones only. ``fallback`` is named in reasons of failure."""

MANUAL = frozenset(
    {
        "AMOUNT_TOO_LOW_TO_REFUND",
        "NEGATIVE_NEW_AMOUNT_AFTER_FEES",
        "SWAP_CURRENCY_NOT_ON_ORIGIN",
        "REFUND_RECIPIENT_IS_VASP",
        "MANUAL_REFUND_REQUIRED",
    }
)
"""Why a refund needs manual work."""
_NO_REASON = frozenset({"", "N/A", "UNKNOWN"})
_MOST_HASHES = 8


def transfer_status(answer: StatusAnswer, transfer: Transfer) -> TransferStatus:
    """Return a transfer's status; UNKNOWN if the answer is about another deposit under the same request."""
    raw = _raw(answer)
    if answer.in_tx_hashes and not any(same(each, transfer.tx_hash) for each in answer.in_tx_hashes):
        return TransferStatus(TransferState.UNKNOWN, StatusSource.BRIDGE_API, "another deposit", raw=raw)
    state = STATES.get(answer.status, TransferState.BRIDGE_PENDING)
    last = answer.tx_hashes[-1] if answer.tx_hashes else None
    substatus = answer.status
    if state is TransferState.REFUNDED:
        if _reason(answer.refund_fail_reason) in MANUAL:
            state = TransferState.BRIDGE_FAILED
        elif last is None:
            state = TransferState.REFUND_PENDING
    if state is TransferState.BRIDGE_FAILED:
        substatus = _reason(answer.refund_fail_reason) or _reason(answer.fail_reason) or substatus
    return TransferStatus(
        state,
        StatusSource.BRIDGE_API,
        substatus,
        destination_tx_hash=last if state is TransferState.SUCCESS else None,
        refund_tx_hash=last if state is TransferState.REFUNDED else None,
        raw=raw,
    )


async def with_gas(status: TransferStatus, transfer: Transfer, rpc: EvmRpc | None) -> TransferStatus:
    """Return the status with the native that the destination's node shows to have arrived beside the output."""
    tx_hash = status.destination_tx_hash
    if rpc is None or tx_hash is None or transfer.output_token == NATIVE_EVM:
        return status
    gained = await native_gain(rpc, transfer.receiver, tx_hash, with_value=True)
    return status if gained is None else replace(status, raw={**status.raw, "destinationGas": str(gained)})


def _reason(text: str | None) -> str | None:
    return None if text is None or text in _NO_REASON else text


def _raw(answer: StatusAnswer) -> Mapping[str, object]:
    fields: dict[str, object] = {
        "status": answer.status,
        "inTxHashes": list(answer.in_tx_hashes[:_MOST_HASHES]),
        "txHashes": list(answer.tx_hashes[:_MOST_HASHES]),
        "failReason": answer.fail_reason,
        "refundFailReason": answer.refund_fail_reason,
        "updatedAt": answer.updated_at,
    }
    return {name: value for name, value in fields.items() if value is not None}
