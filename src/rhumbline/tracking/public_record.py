"""The part of a record that anybody with its transaction ID may see."""

from dataclasses import replace

from rhumbline.domain.tracking import (
    PublicRecord,
    RecordAmount,
    RecordFee,
    TokenAmount,
    TransactionRecord,
    TransferTerms,
    UncheckedFee,
)
from rhumbline.tracking.amounts import ListedAt, token_amount


def public_record(record: TransactionRecord, listed_at: ListedAt) -> PublicRecord:
    """Read a record. Those that belong to no integrator are never completed, so the lists describe their amounts."""
    here, there = record.origin_chain_id, record.destination_chain_id

    def described(amount: RecordFee, chain_id: int | None) -> TokenAmount | None:
        whole = _paid(amount)
        if whole is not None and chain_id is not None and whole.decimals is None:
            listed = listed_at(chain_id, whole.address)
            whole = whole if listed is None else replace(whole, decimals=listed.decimals)
        return token_amount(whole, chain_id, listed_at)

    return PublicRecord(
        id=record.id,
        transaction_id=record.transaction_id,
        origin_chain_id=here,
        origin_tx_hash=record.origin_tx_hash,
        origin_time=record.origin_time,
        destination_chain_id=there,
        destination_tx_hash=record.destination_tx_hash,
        destination_time=record.destination_time,
        protocol=record.protocol,
        route_type=record.route_type,
        status=record.status,
        substatus=record.substatus,
        status_source=record.status_source,
        bridge_scan_url=record.bridge_scan_url,
        updated_at=record.updated_at,
        input=described(record.input, here),
        output=described(record.output, there),
        output_raw=None if record.output is None else record.output.raw,
        origin_gas_fee=described(record.origin_gas_fee, here),
        integrator_fee=described(record.integrator_fee, here),
        service_fee=described(record.service_fee, here),
        final=record.next_bridge_check_at is None,
        refund_to=record.terms.refund_to if isinstance(record.terms, TransferTerms) else None,
    )


def _paid(fee: RecordFee) -> RecordAmount | None:
    """Return a fee as its payer knows it: all of its payments, whether or not they went to the right wallet."""
    return RecordAmount(fee.address, sum(amount for _, amount in fee.paid)) if isinstance(fee, UncheckedFee) else fee
