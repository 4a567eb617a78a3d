"""From a sighting to a record: its owner and its first fields."""

from datetime import datetime
from typing import Any
from uuid import UUID, uuid5

from rhumbline.domain.chain import Chain
from rhumbline.domain.tracking import BridgeSighting, RecordAmount, RouteType, Sighting, TransactionRecord
from rhumbline.domain.transaction import CrossingTerms, OrderKind, OrderTerms, verify_transaction_id
from rhumbline.gateways.chain_types.bytes32 import address_word
from rhumbline.tracking.amounts import unchecked_fee
from rhumbline.tracking.resolution import Origin, resolve

PROTOCOL = "GENERIC_SWAP"
"""The protocol of every swap within one chain in a record, whichever adapter made it."""

_NAMESPACE = UUID("7a6c1d5e-54f0-4a53-9f0e-5d3f0c6f5b1a")


def record_id(chain_id: int, tx_hash: str, log_index: int) -> str:
    """Return a record's ID: the same for the same log, whoever indexes it and however often."""
    return str(uuid5(_NAMESPACE, f"{chain_id}:{tx_hash}:{log_index}"))


def is_ours(keys: tuple[bytes, ...], sighting: Sighting | BridgeSighting, chain: Chain) -> bool:
    """Return whether the service gave this ID to exactly this order: chain, sender, integrator and all that it says."""
    identifier = bytes.fromhex(sighting.transaction_id[2:])
    return verify_transaction_id(keys, identifier, terms_of(sighting, chain))


def terms_of(sighting: Sighting | BridgeSighting, chain: Chain) -> OrderTerms:
    """Return the terms of the order that was seen on a chain, as its ID was made for them if it is ours."""
    crossing = None
    if isinstance(sighting, BridgeSighting):
        kind, receiver, output_token = OrderKind.BRIDGE, sighting.receiver, sighting.output_token
        crossing = CrossingTerms(
            destination_chain_id=sighting.destination_chain_id,
            sent_token=address_word(chain, sighting.sent_token),
            expected_output=sighting.expected_output,
            refund_to=address_word(chain, sighting.refund_to),
            has_destination_call=sighting.has_destination_call,
            reference=sighting.reference,
        )
    else:
        kind = OrderKind.SWAP
        receiver, output_token = (address_word(chain, each) for each in (sighting.receiver, sighting.output_token))
    return OrderTerms(
        kind=kind,
        chain_id=sighting.chain_id,
        sender=address_word(chain, sighting.sender),
        integrator=sighting.integrator,
        adapter=sighting.adapter,
        receiver=receiver,
        input_token=address_word(chain, sighting.input_token),
        ordered_amount=sighting.ordered_amount,
        output_token=output_token,
        min_output=sighting.min_output,
        deadline=sighting.deadline,
        crossing=crossing,
    )


def sighted(sighting: Sighting | BridgeSighting, now: datetime, **more: Any) -> TransactionRecord:
    """Return a record with what swaps and transfers hold alike, and ``more``; it is nobody's without an integrator."""
    said: dict[str, Any] = {
        "id": record_id(sighting.chain_id, sighting.tx_hash, sighting.log_index),
        "transaction_id": sighting.transaction_id,
        "origin_chain_id": sighting.chain_id,
        "origin_tx_hash": sighting.tx_hash,
        "origin_log_index": sighting.log_index,
        "origin_block_number": sighting.block_number,
        "origin_block_hash": sighting.block_hash,
        "origin_time": sighting.block_time,
        "sender": sighting.sender,
        "integrator": sighting.integrator or None,
        "protocol": PROTOCOL,
        "input": RecordAmount(sighting.input_token, sighting.input_amount),
        "integrator_fee": unchecked_fee("integrator", sighting.fees),
        "service_fee": unchecked_fee("service", sighting.fees),
        "created_at": now,
        "updated_at": now,
    }
    return TransactionRecord(**(said | more))


def swap_record(sighting: Sighting, now: datetime) -> TransactionRecord:
    """Return the record of a swap that is ours: it arrives by the transaction that starts it."""
    found = resolve(Origin.SWAP_EVENT)
    return sighted(
        sighting,
        now,
        destination_chain_id=sighting.chain_id,
        destination_tx_hash=sighting.tx_hash,
        destination_time=sighting.block_time,
        receiver=sighting.receiver,
        route_type=RouteType.SWAP,
        output=RecordAmount(sighting.output_token, sighting.output_amount),
        status=found.status,
        substatus=found.substatus,
        status_source=found.source,
    )
