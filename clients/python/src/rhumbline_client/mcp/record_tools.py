"""Tools for what was sent: where a transaction stands, and all transactions of the server's key."""

import anyio

from rhumbline_client import models
from rhumbline_client.changes import polled
from rhumbline_client.errors import KeyRefused, NotFound
from rhumbline_client.mcp.arguments import RecordsAsked, StatusAsked
from rhumbline_client.mcp.failures import KEY_VARIABLE, ToolFailure
from rhumbline_client.mcp.results import Record, Records, TokenAmount, TransactionStatus
from rhumbline_client.mcp.service import Service

FILTERS = ("status", "from_chain", "to_chain", "sender", "cursor")


async def status(service: Service, asked: StatusAsked) -> TransactionStatus:
    """Tell where a transaction stands, at once or when it has ended."""
    ended = False
    if asked.wait_seconds:
        with anyio.move_on_after(asked.wait_seconds):
            found: models.PublicStatus | None = await service.client.wait(asked.transaction_id)
            ended = True
    if not ended:
        try:
            found = await service.client.status(asked.transaction_id)
        except NotFound:
            found = None
    return _status_of(asked.transaction_id, found)


async def transactions(service: Service, asked: RecordsAsked) -> Records:
    """List the transactions of this server's key.

    Raises:
        ToolFailure: a chain is not known, or `lookup` is given with filters.

    """
    try:
        return await _records(service, asked)
    except KeyRefused as error:
        if error.reason == "API_KEY_MISSING":
            raise ToolFailure(
                f"This server has no API key, so it has no transactions of its own: its owner sets {KEY_VARIABLE} "
                "where it is started. `status` needs none."
            ) from None
        raise


async def _records(service: Service, asked: RecordsAsked) -> Records:
    if asked.lookup is not None:
        if any(getattr(asked, name) is not None for name in FILTERS):
            raise ToolFailure("lookup: names one transaction, so no filter is given with it")
        one = await service.client.transactions.get(asked.lookup)
        return Records(transactions=[_record(one)], next_cursor=None)
    here = None if asked.from_chain is None else await service.catalog.chain("from_chain", asked.from_chain)
    there = None if asked.to_chain is None else await service.catalog.chain("to_chain", asked.to_chain)
    page = await service.client.transactions.page(
        cursor=asked.cursor,
        limit=asked.limit,
        status=asked.status,
        source_chain_id=None if here is None else here.id,
        dest_chain_id=None if there is None else there.id,
        sender_address=asked.sender,
    )
    return Records(transactions=[_record(each) for each in page.transactions], next_cursor=page.next_cursor)


def _status_of(transaction_id: str, found: models.PublicStatus | None) -> TransactionStatus:
    if found is None:
        return TransactionStatus(
            transaction_id=transaction_id, status="not_seen", final=False, substatus=None, source_hash=None,
            destination_hash=None, received=None, refund_to=None, updated_at=None,
        )  # fmt: skip
    change = polled(None, found)
    return TransactionStatus(
        transaction_id=transaction_id,
        status=found.status,
        final=change is not None and change.is_final,
        substatus=found.substatus,
        source_hash=found.source_tx_hash,
        destination_hash=found.dest_tx_hash,
        received=_amount(found.output_token),
        refund_to=found.refund_to,
        updated_at=found.updated_at.isoformat(),
    )


def _record(found: models.TrackedTransaction) -> Record:
    return Record(
        transaction_id=found.transaction_id,
        status=found.status,
        substatus=found.substatus,
        route_type=found.route_type,
        protocol=found.protocol,
        from_chain_id=found.source_chain_id,
        to_chain_id=found.dest_chain_id,
        source_hash=found.source_tx_hash,
        destination_hash=found.dest_tx_hash,
        sender=found.sender,
        receiver=found.receiver,
        input=_amount(found.input_token),
        output=_amount(found.output_token),
        at=found.source_block_timestamp.isoformat(),
    )


def _amount(token: models.TrackedToken | None) -> TokenAmount | None:
    return None if token is None else TokenAmount.of(token.amount_raw, token)
