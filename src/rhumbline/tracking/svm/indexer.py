"""Follows one Solana chain by the service's reference keys, which all its transactions name.

What is read is confirmed, and final later: a key's cursor moves over final transactions alone, so whatever is above it
is looked at again until it is final. Records and cursor are written in one database transaction, under the chain's
lock; a record is the same whoever writes it and however often. So a crash, a second worker or a node that changes its
mind leaves nothing out and nothing twice.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import structlog
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.domain.chain import Chain
from rhumbline.domain.clock import Clock
from rhumbline.domain.errors import NodeRefused, NodeUnavailable
from rhumbline.domain.metrics import Metrics, NoMetrics
from rhumbline.domain.tracking import TransactionRecord
from rhumbline.gateways.nodes.svm.answers import SignatureInfo
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from rhumbline.gateways.nodes.svm.transactions import FetchedTransaction
from rhumbline.gateways.postgres.leases import Fence, unfenced
from rhumbline.gateways.svm.tracking_instruction import reference_key
from rhumbline.tracking.sightings import ServiceKeys
from rhumbline.tracking.store import add_records
from rhumbline.tracking.svm import positions
from rhumbline.tracking.svm.finality import Finality
from rhumbline.tracking.svm.history import History, is_final
from rhumbline.tracking.svm.positions import Cursor
from rhumbline.tracking.svm.read_budget import ReadBudget
from rhumbline.tracking.svm.records import Ours, RecordBuilder, read_claim
from rhumbline.tracking.svm.retry_queue import RetryQueue, retry_unshown
from rhumbline.tracking.svm.second_look import SecondLook
from rhumbline.tracking.svm.transaction_reader import TransactionReader
from rhumbline.tracking.svm.unread import Unread
from rhumbline.tracking.transfers import Known

_KEYS_KEPT = timedelta(seconds=30)
_HEAD_ASKED = timedelta(seconds=5)
_MOST_REMEMBERED = 50_000
_PIECES_KNOWN = 40
"""How many pieces of a second read without anything new are skipped in one step."""
_log = structlog.stdlib.get_logger(__name__)


@dataclass(eq=False)
class SvmIndexer:
    """Reads one chain, a piece of a key's transactions at a time. When idle it costs one request per key."""

    chain: Chain
    rpc: SvmRpc
    engine: AsyncEngine
    keys: ServiceKeys
    clock: Clock
    known: Known
    metrics: Metrics = field(default_factory=NoMetrics)
    budget: ReadBudget = field(default_factory=ReadBudget)
    fence: Fence = unfenced

    def __post_init__(self) -> None:
        chain, rpc, engine, clock = self.chain, self.rpc, self.engine, self.clock
        self._record_builder = RecordBuilder(chain, engine, clock, self.known)
        self._reader = TransactionReader(rpc, Unread(chain.key, clock, self.metrics), self.budget)
        self._finality = Finality(chain, rpc, engine, clock, self._record_builder, self.fence)
        self._retries = RetryQueue(chain, rpc, engine, clock, self._record_builder, self.fence)
        self._second_look = SecondLook(chain, rpc, engine, clock)
        self._histories: dict[str, History] = {}
        self._cursors: dict[str, Cursor | None] = {}
        self._read: set[tuple[str, int]] = set()
        self._known_keys: tuple[bytes, ...] = ()
        self._keys_at: datetime | None = None
        self._asked_at: datetime | None = None
        self.head: int | None = None
        self.reached: int | None = None

    @property
    def next_block(self) -> int | None:
        return None if self.reached is None else self.reached + 1

    async def latest(self) -> int:
        return await self.rpc.slot()

    async def step(self) -> bool:
        """Read a piece for each key, and make sure of what was read. Tell whether more is waiting.

        Raise NodeUnavailable, SvmRpcError or a database error; nothing is half done then.
        """
        now = self.clock()
        if self._keys_at is None or now - self._keys_at > _KEYS_KEPT:
            self._known_keys, self._keys_at = await self.keys(), now
        if self._asked_at is None or now - self._asked_at > _HEAD_ASKED:
            self.head, self._asked_at = await self.rpc.slot(), now
        waiting = False
        references = [reference_key(key) for key in self._known_keys]
        for reference in references:
            waiting = await self._follow(reference) or waiting
        if not waiting and self.head is not None and self.head != self.reached:
            self.reached = self.head
            self.metrics.followed(self.chain.key, self.head, self.head + 1)
        await self._finality.settle()
        await self._retries.step(self._known_keys)
        for reference in () if waiting else references:
            waiting = await self._look_again(reference) or waiting
        return waiting

    async def _follow(self, reference: str) -> bool:
        if reference not in self._cursors:
            async with self.engine.connect() as connection:
                self._cursors[reference] = await positions.read_cursor(connection, self.chain.id, reference)
        history = self._histories.setdefault(reference, History(self.rpc, reference))
        piece = await history.next(self._cursors[reference])
        if piece:
            try:
                await self._take(reference, piece)
            except (NodeRefused, NodeUnavailable):
                history.note_failure()
                raise
            history.taken(len(piece))
        return history.unfinished

    async def _look_again(self, reference: str) -> bool:
        for _ in range(_PIECES_KNOWN):
            piece = await self._second_look.next(reference)
            if not piece and self._second_look.unfinished(reference):
                continue
            if not piece:
                break
            try:
                settled, records = await self._read_of(piece)
            except (NodeRefused, NodeUnavailable) as error:
                self._second_look.note_failure(reference, error)
                break
            cursor = self._second_look.cursor(piece, self._reader.unread.lowest)
            if records or cursor is not None:
                await self._write_again(reference, records, cursor)
            self._second_look.taken(reference, len(piece), cursor)
            self._remember(settled)
            if settled:
                break
        return self._second_look.unfinished(reference)

    async def _write_again(self, reference: str, records: Sequence[TransactionRecord], cursor: Cursor | None) -> None:
        async with self.engine.begin() as connection:
            await self.fence(connection)
            await positions.lock_chain(connection, self.chain.id)
            added = (await add_records(connection, records)).added
            await retry_unshown(connection, self.chain.id, self._reader.unread.given_up, self.clock())
            await self._second_look.write(connection, reference, cursor)
        self._reader.unread.given_up.clear()
        if added:
            self.metrics.found_gap(self.chain.key, added)
            _log.warning("transactions told late", chain=self.chain.key, count=added)

    async def _take(self, reference: str, piece: Sequence[SignatureInfo]) -> None:
        settled, records = await self._read_of(piece)
        await self._write(reference, records, piece)
        self._remember(settled)

    async def _read_of(
        self, piece: Sequence[SignatureInfo]
    ) -> tuple[Sequence[SignatureInfo], Sequence[TransactionRecord]]:
        """Read what of a piece was not read yet; return what need not be read again, and the records of it."""
        fresh = [each for each in piece if (each.signature, each.slot) not in self._read]
        references = {reference_key(key) for key in self._known_keys}
        found = await self._reader.transactions(fresh, lambda told: read_claim(told, references) is not None)
        ours = await self._record_builder.ours(found, self._known_keys) if found else []
        records = [record for each in ours if (record := self._record(each)) is not None]
        settled = [each for each in fresh if not self._reader.unread.waits(each.signature)]
        self.metrics.passed_over(self.chain.key, "stranger", len(settled) - len(ours))
        return settled, records

    def _record(self, ours: Ours[FetchedTransaction]) -> TransactionRecord | None:
        executed = self._reader.whole(ours.told)
        return None if executed is None else self._record_builder.record(ours.issued, ours.sent(executed))

    async def _write(
        self, reference: str, records: Sequence[TransactionRecord], piece: Sequence[SignatureInfo]
    ) -> None:
        # The cursor stays below what is to be asked for again; nothing else waits for that.
        lowest, given_up = self._reader.unread.lowest, self._reader.unread.given_up
        final = [each for each in piece if is_final(each)]
        below = [each for each in final if lowest is None or each.slot < lowest]
        cursor = Cursor(below[-1].signature, below[-1].slot) if below else None
        nothing_new = cursor in (None, self._cursors[reference]) and len(below) == len(final)
        if nothing_new and not records and not given_up:
            return
        async with self.engine.begin() as connection:
            await self.fence(connection)
            await positions.lock_chain(connection, self.chain.id)
            added, beyond = await add_records(connection, records)
            await positions.note_finals(connection, self.chain.id, (each.signature for each in final))
            await retry_unshown(connection, self.chain.id, given_up, self.clock())
            if cursor is not None:
                await positions.move_cursor(connection, self.chain.id, reference, cursor)
        self._reader.unread.given_up.clear()
        if cursor is not None:
            self._cursors[reference] = cursor
            self._read = {each for each in self._read if each[1] >= self._second_look.lowest}
        if records:
            self._finality.doubt()
            _log.info("transactions seen", chain=self.chain.key, count=added, beyond=beyond)

    def _remember(self, listed: Sequence[SignatureInfo]) -> None:
        """Remember what was read and may come again: to read it twice costs requests, and harms nothing."""
        if len(self._read) > _MOST_REMEMBERED:
            self._read.clear()
        self._read.update((each.signature, each.slot) for each in listed)
        self.head = max(self.head or 0, *(each.slot for each in listed)) if listed else self.head
