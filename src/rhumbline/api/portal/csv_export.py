"""Records as a CSV file (RFC 4180), from which a spreadsheet runs nothing."""

import csv
import io
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from datetime import UTC

from rhumbline.catalog.chains import ChainCatalog
from rhumbline.domain.amount import format_amount
from rhumbline.domain.tracking import TokenAmount, TrackedTransaction
from rhumbline.tracking.cursor import ListPosition

MOST_ROWS = 50_000
AT_ONCE = 500
NextPage = Callable[[ListPosition | None], Awaitable[tuple[tuple[TrackedTransaction, ...], ListPosition | None]]]
# https://owasp.org/www-community/attacks/CSV_Injection (read 2026-11); the wide ones are read as the narrow ones.
_BEGINNINGS = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
HEADER = (
    "time",
    "status",
    "kind",
    "by",
    "origin_chain",
    "origin_chain_id",
    "destination_chain",
    "destination_chain_id",
    *(f"{what}_{part}" for what in ("paid", "received", "fee") for part in ("amount", "symbol", "token", "usd")),
    "sender",
    "receiver",
    "transaction_id",
    "origin_transaction",
    "destination_transaction",
)


def defused(cell: str) -> str:
    """Return a cell that no spreadsheet takes for a formula: one that begins like one has an apostrophe before it."""
    return f"'{cell}" if cell.startswith(_BEGINNINGS) or cell.lstrip().startswith(_BEGINNINGS) else cell


def written(rows: Iterable[Iterable[str]]) -> str:
    text = io.StringIO(newline="")
    csv.writer(text).writerows([[defused(cell) for cell in row] for row in rows])
    return text.getvalue()


async def csv_lines(chains: ChainCatalog, next_page: NextPage) -> AsyncIterator[str]:
    """Write the header, and all records from the newest to the oldest, some at a time."""
    yield written([HEADER])
    after: ListPosition | None = None
    while True:
        found, after = await next_page(after)
        if found:
            yield written(cells(chains, each) for each in found)
        if after is None:
            return


def cells(chains: ChainCatalog, shown: TrackedTransaction) -> tuple[str, ...]:
    """Return a record's cells; empty ones are not known. Amounts are exact, in whole tokens."""
    record = shown.record
    here, there = chains.by_id.get(record.origin_chain_id), record.destination_chain_id
    arrives = None if there is None else chains.by_id.get(there)
    return (
        record.origin_time.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        str(record.status),
        str(record.route_type),
        record.protocol,
        shown.origin_network if here is None else here.name,
        str(record.origin_chain_id),
        (shown.destination_network or "") if arrives is None else arrives.name,
        "" if there is None else str(there),
        *_amount(shown.input),
        *_amount(shown.output),
        *_amount(shown.integrator_fee),
        record.sender,
        record.receiver or "",
        record.transaction_id or "",
        record.origin_tx_hash,
        record.destination_tx_hash or "",
    )


def _amount(amount: TokenAmount | None) -> tuple[str, str, str, str]:
    if amount is None:
        return "", "", "", ""
    symbol = "" if amount.symbol == amount.address else amount.symbol
    usd = "" if amount.usd is None else format(amount.usd, "f")
    return format_amount(amount.raw, amount.decimals), symbol, amount.address, usd
