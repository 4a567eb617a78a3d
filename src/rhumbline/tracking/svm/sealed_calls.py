"""Finds messages that others signed and that have no tracking instruction, among their senders' transactions.

Nobody can change such a message, so its hash is what it is known by, and more than a fingerprint's bytes tell that it
must be looked for. That is done as long as it may be executed, and a little longer; a wallet has few transactions in
that time, and whoever sends it many costs no more than a bounded number of requests.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import structlog
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.domain.chain import Chain
from rhumbline.domain.clock import Clock
from rhumbline.domain.tracking import TransactionRecord
from rhumbline.domain.transfer import IssuedTransaction
from rhumbline.gateways.nodes.svm.answers import SignatureInfo
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from rhumbline.gateways.nodes.svm.transactions import Execution, FetchedTransaction
from rhumbline.gateways.postgres.leases import Fence, unfenced
from rhumbline.gateways.svm.fingerprint import SIZE, sealed_fingerprint
from rhumbline.tracking.issued_transactions import EARLIEST, Window, long_wallet_calls
from rhumbline.tracking.sightings import ServiceKeys
from rhumbline.tracking.store import add_records, used_ids
from rhumbline.tracking.svm import positions
from rhumbline.tracking.svm.records import Ours, RecordBuilder
from rhumbline.tracking.svm.transaction_reader import TransactionReader
from rhumbline.tracking.svm.unread import Unread
from rhumbline.tracking.transfers import Known

MOST_SOUGHT = 500
"""How many messages are searched for at once, the oldest first."""
MOST_PAGES = 20
"""Pages of one wallet's transactions that are listed in one step."""
READ_AT_ONCE = 100
"""Transactions of one wallet that are read in one step."""
_MOST_REMEMBERED = 20_000
_log = structlog.stdlib.get_logger(__name__)


@dataclass(eq=False)
class SealedCalls:
    """Searches the senders' transactions of one chain. It remembers which were read."""

    chain: Chain
    rpc: SvmRpc
    engine: AsyncEngine
    keys: ServiceKeys
    clock: Clock
    known: Known
    fence: Fence = unfenced

    def __post_init__(self) -> None:
        self._record_builder = RecordBuilder(self.chain, self.engine, self.clock, self.known)
        self._reader = TransactionReader(self.rpc, Unread(self.chain.key, self.clock))
        self._read: set[tuple[str, int]] = set()

    async def step(self) -> bool:
        """Look through what each sender has executed of late. Tell whether more is waiting.

        Raise NodeUnavailable, SvmRpcError or a database error; nothing is half done then.
        """
        now = self.clock()
        async with self.engine.connect() as connection:
            window = Window(self.chain.id, now, now)
            sought = await long_wallet_calls(connection, window, SIZE, MOST_SOUGHT)
            used = await used_ids(connection, (each.transaction_id for each in sought))
        by_sender: dict[str, list[IssuedTransaction]] = {}
        for issued in sought:
            if issued.transaction_id not in used:
                by_sender.setdefault(issued.sender, []).append(issued)
        waiting = False
        for sender, calls in by_sender.items():
            waiting = await self._look(sender, calls) or waiting
        return waiting

    async def _look(self, sender: str, calls: Sequence[IssuedTransaction]) -> bool:
        since = min(each.created_at for each in calls) - EARLIEST
        listed = [each for each in await self._listed(sender, since) if self._may_be_it(each, since)]
        piece, by_message = listed[-READ_AT_ONCE:], _by_message(calls)
        found = await self._reader.transactions(
            piece,
            lambda told: sender in told.message.signers and sealed_fingerprint(told.message.message) in by_message,
        )
        records = await self._records(found, by_message)
        self._reader.unread.given_up.clear()
        if records:
            async with self.engine.begin() as connection:
                await self.fence(connection)
                await positions.lock_chain(connection, self.chain.id)
                await add_records(connection, records)
            _log.info("sealed transactions seen", chain=self.chain.key, count=len(records))
        if len(self._read) > _MOST_REMEMBERED:
            self._read.clear()
        self._read.update(
            (each.signature, each.slot) for each in piece if not self._reader.unread.waits(each.signature)
        )
        return len(piece) < len(listed)

    async def _listed(self, sender: str, since: datetime) -> Sequence[SignatureInfo]:
        """List what names a sender, page by page, however short a node makes them, down to a time."""
        found: list[SignatureInfo] = []
        for _ in range(MOST_PAGES):
            page = await self.rpc.signatures(sender, before=found[-1].signature if found else None)
            found += page
            if not page or (page[-1].block_time is not None and page[-1].block_time < since.timestamp()):
                break
        return found

    def _may_be_it(self, listed: SignatureInfo, since: datetime) -> bool:
        new = listed.error is None and (listed.signature, listed.slot) not in self._read
        new = new and not self._reader.unread.rests(listed.signature)
        return new and (listed.block_time is None or listed.block_time >= since.timestamp())

    async def _records(
        self, found: Sequence[FetchedTransaction], by_message: Mapping[bytes, list[IssuedTransaction]]
    ) -> list[TransactionRecord]:
        keys = await self.keys() if found else ()
        records = []
        for told in found:
            issued = self._taken(told, by_message, keys)
            executed = None if issued is None else self._reader.whole(told)
            if issued is not None and executed is not None:
                records.append(self._record_builder.record(issued, Ours(issued, told).sent(executed)))
        return records

    def _taken(
        self,
        executed: Execution,
        by_message: Mapping[bytes, list[IssuedTransaction]],
        keys: tuple[bytes, ...],
    ) -> IssuedTransaction | None:
        """Return the newest quote with this message; a message is executed once, so its other quotes never are."""
        same = by_message[sealed_fingerprint(executed.message.message)]
        ours = [each for each in same if self._record_builder.is_ours(each, executed, keys)]
        return max(ours, key=lambda each: (each.created_at, each.transaction_id), default=None)


def _by_message(calls: Iterable[IssuedTransaction]) -> dict[bytes, list[IssuedTransaction]]:
    found: dict[bytes, list[IssuedTransaction]] = {}
    for call in calls:
        found.setdefault(call.data, []).append(call)
    return found
