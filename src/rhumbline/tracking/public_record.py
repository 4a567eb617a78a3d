"""What of a record is told to anybody who has its transaction ID."""

from dataclasses import replace

from rhumbline.domain.tracking import PublicRecord, TransactionRecord
from rhumbline.tracking.amounts import ListedAt, token_amount


def public_record(record: TransactionRecord, listed_at: ListedAt) -> PublicRecord:
    """Read a record. Those that belong to no integrator are never completed, so the lists describe their output."""
    output, chain_id = record.output, record.destination_chain_id
    if output is not None and chain_id is not None and output.decimals is None:
        listed = listed_at(chain_id, output.address)
        output = output if listed is None else replace(output, decimals=listed.decimals)
    return PublicRecord(
        id=record.id,
        transaction_id=record.transaction_id,
        origin_tx_hash=record.origin_tx_hash,
        destination_tx_hash=record.destination_tx_hash,
        status=record.status,
        substatus=record.substatus,
        status_source=record.status_source,
        updated_at=record.updated_at,
        output=token_amount(output, chain_id, listed_at),
        output_raw=None if output is None else output.raw,
    )
