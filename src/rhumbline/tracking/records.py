"""From a sighting to a record: whose it is, and what its columns hold at first."""

from datetime import datetime
from uuid import UUID, uuid5

from rhumbline.domain.tracking import BridgeSighting, RouteType, Sighting
from rhumbline.domain.transaction import CrossingTerms, OrderKind, OrderTerms, verify_transaction_id
from rhumbline.gateways.bytes32 import evm_word
from rhumbline.tracking.amounts import raw_amount, unchecked_fee
from rhumbline.tracking.resolution import Origin, resolve

PROTOCOL = "GENERIC_SWAP"
"""What every swap within one chain is called in a record, whichever tool made it."""

_NAMESPACE = UUID("7a6c1d5e-54f0-4a53-9f0e-5d3f0c6f5b1a")

Row = dict[str, object]


def record_id(chain_id: int, tx_hash: str, log_index: int) -> str:
    """Return a record's ID: the same for the same log, whoever indexes it and however often."""
    return str(uuid5(_NAMESPACE, f"{chain_id}:{tx_hash}:{log_index}"))


def is_ours(keys: tuple[bytes, ...], sighting: Sighting | BridgeSighting) -> bool:
    """Tell whether the service gave this ID to exactly this order: chain, sender, integrator and all that it says.

    An invented ID, another's ID, and an order of which one term was changed all fail.
    """
    identifier = bytes.fromhex(sighting.transaction_id[2:])
    return verify_transaction_id(keys, identifier, terms_of(sighting))


def terms_of(sighting: Sighting | BridgeSighting) -> OrderTerms:
    """Return the terms of the order that an event tells, as its ID was made for them if it is ours."""
    crossing = None
    if isinstance(sighting, BridgeSighting):
        kind, receiver, output_token = OrderKind.BRIDGE, sighting.receiver, sighting.output_token
        crossing = _crossing(sighting)
    else:
        kind, receiver, output_token = OrderKind.SWAP, evm_word(sighting.receiver), evm_word(sighting.output_token)
    return OrderTerms(
        kind=kind,
        chain_id=sighting.chain_id,
        sender=evm_word(sighting.sender),
        integrator=sighting.integrator,
        adapter=sighting.adapter,
        receiver=receiver,
        input_token=evm_word(sighting.input_token),
        ordered_amount=sighting.ordered_amount,
        output_token=output_token,
        min_output=sighting.min_output,
        deadline=sighting.deadline,
        crossing=crossing,
    )


def _crossing(sighting: BridgeSighting) -> CrossingTerms:
    return CrossingTerms(
        destination_chain_id=sighting.destination_chain_id,
        sent_token=evm_word(sighting.sent_token),
        expected_output=sighting.expected_output,
        refund_to=evm_word(sighting.refund_to),
        has_dest_call=sighting.has_dest_call,
        reference=sighting.reference,
    )


def swap_row(sighting: Sighting, now: datetime) -> Row:
    """Return the row of a swap that is ours.

    A swap arrives by the transaction that starts it, so its destination is its source. Without an integrator the row
    belongs to nobody and is listed for nobody.
    """
    state = resolve(Origin.SWAP_EVENT)
    return {
        "id": record_id(sighting.chain_id, sighting.tx_hash, sighting.log_index),
        "transaction_id": sighting.transaction_id,
        "source_chain_id": sighting.chain_id,
        "source_tx_hash": sighting.tx_hash,
        "source_log_index": sighting.log_index,
        "source_block_number": sighting.block_number,
        "source_block_hash": sighting.block_hash,
        "source_time": sighting.block_time,
        "dest_chain_id": sighting.chain_id,
        "dest_tx_hash": sighting.tx_hash,
        "dest_time": sighting.block_time,
        "sender": sighting.sender,
        "receiver": sighting.receiver,
        "integrator": sighting.integrator or None,
        "protocol": PROTOCOL,
        "route_type": RouteType.SWAP.value,
        "has_dest_call": False,
        "input": raw_amount(sighting.input_token, sighting.input_amount),
        "output": raw_amount(sighting.output_token, sighting.output_amount),
        "integrator_fee": unchecked_fee("integrator", sighting.fees),
        "service_fee": unchecked_fee("service", sighting.fees),
        "status": state.status.value,
        "substatus": state.substatus,
        "status_source": state.source.value,
        "created_at": now,
        "updated_at": now,
    }
