"""Reads the records of one integrator: pages, and single records by any of their keys."""

import asyncio
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from sqlalchemy import ColumnElement, Select, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from rhumbline.catalog.chains import ChainCatalog
from rhumbline.domain.errors import InvalidRequest, StoreUnavailable
from rhumbline.domain.sentence import Sentence
from rhumbline.domain.tracking import (
    PublicRecord,
    TrackedTransaction,
    TransactionFilter,
    TransactionPage,
    TransactionRecord,
)
from rhumbline.gateways.postgres.failures import store_access
from rhumbline.tracking.amounts import ListedAt, token_amount
from rhumbline.tracking.cursor import ListPosition, check_agreement, open_cursor, seal_cursor
from rhumbline.tracking.pages import LOOKING_UP, WALKING, HistoryFilter, history_count, history_query, page_query
from rhumbline.tracking.public_record import public_record
from rhumbline.tracking.store import read_records, transactions
from rhumbline.tracking.wallet_pages import wallet_page

LARGEST_PAGE = 200
MOST_AT_ONCE = 4
"""Of the store's ten connections: listings must leave enough for quotes and tracking."""
PATIENCE_S = 3.0
_LARGEST_ID = 2**63
"""Larger chain IDs do not fit the column, so no record has one."""
_EVM_HASH = re.compile(r"0[xX][0-9a-fA-F]{64}", re.ASCII)
_SVM_SIGNATURE = re.compile(r"[1-9A-HJ-NP-Za-km-z]{64,88}", re.ASCII)


def is_evm_hash(text: str) -> bool:
    """Return whether a text has the form of a transaction ID, which is that of an EVM chain's hash."""
    return _EVM_HASH.fullmatch(text) is not None


def is_svm_signature(text: str) -> bool:
    return _SVM_SIGNATURE.fullmatch(text) is not None


@dataclass(frozen=True, slots=True)
class Listing:
    """Answers from the store. Every query names the integrator: another's records look like none.

    The keys of cursors come newest first: the first one seals, all of them open; ValueError without any. ``listed_at``
    says what tokens are called. At most four questions are with the store at once; one that has no answer within
    ``patience_s`` seconds, the wait for its turn included, ends there and raises StoreUnavailable.
    """

    engine: AsyncEngine
    chains: ChainCatalog
    cursor_keys: tuple[bytes, ...] = field(repr=False)
    listed_at: ListedAt
    patience_s: float = PATIENCE_S
    places: asyncio.Semaphore = field(init=False, default_factory=lambda: asyncio.Semaphore(MOST_AT_ONCE))

    def __post_init__(self) -> None:
        if not self.cursor_keys:
            raise ValueError("a listing needs a key for its cursors")

    async def page(
        self, integrator: str, wanted: TransactionFilter, limit: int, cursor: str | None = None
    ) -> TransactionPage:
        """Return a page of the integrator's records, newest first, then by ID.

        With a cursor the listing goes on with the filters that it began with; ``wanted`` may repeat them. Raise
        InvalidRequest for a limit outside 1 to 200, a cursor that was not given out for this integrator, or filters
        that are not the cursor's.
        """
        if not 1 <= limit <= LARGEST_PAGE:
            raise InvalidRequest([f"limit: must be from 1 to {LARGEST_PAGE}"])
        position = None
        if cursor is not None:
            kept, position = open_cursor(self.cursor_keys, integrator, cursor)
            check_agreement(wanted, kept)
            wanted = kept
        if max(wanted.origin_chain_id or 0, wanted.destination_chain_id or 0) >= _LARGEST_ID:
            return TransactionPage((), None)
        if wanted.sender is not None or wanted.receiver is not None:
            async with self._connection(walks=True) as connection:
                found = await wallet_page(connection, integrator, wanted, limit + 1, position)
            shown, last = self._shown_page(found, limit)
        else:
            query, parameters = page_query(integrator, wanted, limit + 1, position)
            shown, last = await self._page(query, limit, parameters)
        sealed = None if last is None else seal_cursor(self.cursor_keys[0], integrator, wanted, last)
        return TransactionPage(shown, sealed)

    async def find(self, integrator: str, lookup_key: str) -> TrackedTransaction | None:
        """Return the integrator's record with this transaction ID, source hash or destination hash.

        EVM hashes and IDs match without case, Solana's exactly. Of several records the earliest by block and log index
        is answered; None for an unknown key, a foreign one and one of unknown form, which the store is not asked for.
        """
        if is_evm_hash(lookup_key):
            key = lookup_key.lower()
        elif is_svm_signature(lookup_key):
            key = lookup_key
        else:
            return None
        row = transactions.c
        keys = or_(row.transaction_id == key, row.origin_tx_hash == key, row.destination_tx_hash == key)
        found = await self._records(_earliest(row.integrator == integrator, keys))
        return self.shown(found[0]) if found else None

    async def history(
        self, integrator: str, wanted: HistoryFilter, limit: int, after: ListPosition | None = None
    ) -> tuple[tuple[TrackedTransaction, ...], ListPosition | None]:
        """Return at most ``limit`` records after a position, newest first, and where the next ones begin, if any do."""
        return await self._page(history_query(integrator, wanted, limit + 1, after), limit)

    async def count(self, integrator: str, wanted: HistoryFilter, most: int) -> int:
        """Count an integrator's records, as far as ``most``."""
        async with self._connection(walks=True) as connection:
            found: int = (await connection.execute(history_count(integrator, wanted, most))).scalar_one()
            return found

    async def seen(self, transaction_id: str) -> PublicRecord | None:
        """Return the public part of the earliest record with this ID; None also if it is not a full ID."""
        if not is_evm_hash(transaction_id):
            return None
        found = await self._records(_earliest(transactions.c.transaction_id == transaction_id.lower()))
        return public_record(found[0], self.listed_at) if found else None

    def public(self, record: TransactionRecord) -> PublicRecord:
        """Return the part of a record that anybody with its ID may see."""
        return public_record(record, self.listed_at)

    async def _page(
        self, query: Select[tuple[object, ...]], limit: int, parameters: Mapping[str, object] | None = None
    ) -> tuple[tuple[TrackedTransaction, ...], ListPosition | None]:
        return self._shown_page(await self._records(query, parameters, walks=True), limit)

    def _shown_page(
        self, found: Sequence[TransactionRecord], limit: int
    ) -> tuple[tuple[TrackedTransaction, ...], ListPosition | None]:
        last = ListPosition(found[limit - 1].origin_time, found[limit - 1].id) if len(found) > limit else None
        return tuple(self.shown(record) for record in found[:limit]), last

    async def _records(
        self, query: Select[tuple[object, ...]], parameters: Mapping[str, object] | None = None, *, walks: bool = False
    ) -> list[TransactionRecord]:
        async with self._connection(walks=walks) as connection:
            return await read_records(connection, query, parameters)

    @asynccontextmanager
    async def _connection(self, *, walks: bool) -> AsyncIterator[AsyncConnection]:
        try:
            # What is cancelled here, the driver cancels on the server, too.
            async with asyncio.timeout(self.patience_s), self.places:
                with store_access():
                    async with self.engine.connect() as connection:
                        if walks:
                            await connection.execute(WALKING, {"limit_ms": str(round(1000 * self.patience_s))})
                        else:
                            await connection.execute(LOOKING_UP)
                        yield connection
        except TimeoutError:
            raise StoreUnavailable(
                Sentence("The store takes too long to answer at the moment; try again shortly")
            ) from None

    def shown(self, record: TransactionRecord) -> TrackedTransaction:
        """Return a record as its integrator sees it."""
        here, there = record.origin_chain_id, record.destination_chain_id
        return TrackedTransaction(
            record,
            origin_network=self._network(here),
            destination_network=None if there is None else self._network(there),
            input=token_amount(record.input, here, self.listed_at),
            output=token_amount(record.output, there, self.listed_at),
            origin_gas_fee=token_amount(record.origin_gas_fee, here, self.listed_at),
            destination_gas_fee=token_amount(record.destination_gas_fee, there, self.listed_at),
            integrator_fee=token_amount(record.integrator_fee, here, self.listed_at),
            service_fee=token_amount(record.service_fee, here, self.listed_at),
        )

    def _network(self, chain_id: int) -> str:
        """Name a chain; one that is no longer configured by its ID."""
        chain = self.chains.by_id.get(chain_id)
        return str(chain_id) if chain is None else chain.name


def _earliest(*conditions: ColumnElement[bool]) -> Select[tuple[object, ...]]:
    """Ask for the earliest: block numbers compare within a chain only, so the time comes before them."""
    row = transactions.c
    order = (row.origin_time, row.origin_block_number, row.origin_log_index, row.id)
    return select(transactions).where(*conditions).order_by(*order).limit(1)
