"""What of a record is told to anybody who has its transaction ID."""

from sqlalchemy import RowMapping

from rhumbline.domain.tracking import PublicRecord, StatusSource, TransferState
from rhumbline.tracking.amounts import ListedAt, token_amount


def public_record(row: RowMapping, listed_at: ListedAt) -> PublicRecord:
    """Read a row. Records that belong to no integrator are never completed, so the lists describe their output."""
    output, chain_id = row["output"], row["dest_chain_id"]
    if output is not None and chain_id is not None and "decimals" not in output:
        listed = listed_at(chain_id, str(output["address"]))
        output = output if listed is None else {**output, "decimals": listed.decimals}
    return PublicRecord(
        id=row["id"],
        transaction_id=row["transaction_id"],
        source_tx_hash=row["source_tx_hash"],
        dest_tx_hash=row["dest_tx_hash"],
        status=TransferState(row["status"]),
        substatus=row["substatus"],
        status_source=StatusSource(row["status_source"]),
        updated_at=row["updated_at"],
        output=token_amount(output, chain_id, listed_at),
        output_raw=None if output is None else int(str(output["raw"])),
    )
