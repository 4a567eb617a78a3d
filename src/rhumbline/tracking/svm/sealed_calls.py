"""Messages that others signed, and that hold no tracking instruction: looked for among their senders' transactions.

Nobody can change such a message, so its hash is what it is known by, and more than a fingerprint's bytes tell that it
must be looked for. That is done as long as it may be executed, and a little longer; a wallet has few transactions in
that time, and whoever sends it many costs no more than a bounded number of requests.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

import structlog
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.domain.chain import Chain
from rhumbline.domain.clock import Clock
from rhumbline.domain.tracking import TransactionRecord
from rhumbline.domain.transfer import IssuedTransaction
from rhumbline.gateways.svm.answers import SignatureInfo
from rhumbline.gateways.svm.fingerprint import SIZE, sealed_fingerprint
from rhumbline.gateways.svm.rpc import SvmRpc
from rhumbline.gateways.svm.transaction_answers import ExecutedTransaction
from rhumbline.tracking.builds import EARLIEST, Window, long_wallet_calls
from rhumbline.tracking.sightings import ServiceKeys
from rhumbline.tracking.store import add_records, used_ids
from rhumbline.tracking.svm import positions
from rhumbline.tracking.svm.handed_out import HandedOut, Sent
from rhumbline.tracking.svm.reading import Reading
from rhumbline.tracking.transfers import Known

MOST_SOUGHT = 500
"""Messages that are looked for at once, the oldest first."""
READ_AT_ONCE = 100
"""Transactions of one wallet that are read in one step."""
_MOST_REMEMBERED = 20_000
_log = structlog.stdlib.get_logger(__name__)


class SealedCalls:
    """Looks through the senders' transactions of one chain. Remembered is which were read."""

    __slots__ = ("_chain", "_clock", "_engine", "_handed_out", "_keys", "_read", "_reading", "_rpc")

    def __init__(
        self, chain: Chain, rpc: SvmRpc, engine: AsyncEngine, keys: ServiceKeys, clock: Clock, known: Known
    ) -> None:
        self._chain = chain
        self._rpc = rpc
        self._engine = engine
        self._keys = keys
        self._clock = clock
        self._handed_out = HandedOut(chain, engine, clock, known)
        self._reading = Reading(rpc, clock)
        self._read: set[tuple[str, int]] = set()

    async def step(self) -> bool:
        """Look through what each sender has executed of late. Tell whether more is waiting.

        Raise NodeUnavailable, SvmRpcError or a database error; nothing is half done then.
        """
        now = self._clock()
        async with self._engine.connect() as connection:
            window = Window(self._chain.id, now, now)
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
        listed = [each for each in await self._rpc.signatures(sender) if self._may_be_it(each, since)]
        piece = listed[-READ_AT_ONCE:]
        found = [each for each in await self._reading.transactions(piece) if sender in each.message.signers]
        records = await self._records(found, calls)
        if records:
            async with self._engine.begin() as connection:
                await positions.lock_chain(connection, self._chain.id)
                await add_records(connection, records)
            _log.info("sealed transactions seen", chain=self._chain.key, count=len(records))
        if len(self._read) > _MOST_REMEMBERED:
            self._read.clear()
        self._read.update((each.signature, each.slot) for each in piece)
        return len(piece) < len(listed)

    def _may_be_it(self, listed: SignatureInfo, since: datetime) -> bool:
        new = listed.error is None and (listed.signature, listed.slot) not in self._read
        return new and (listed.block_time is None or listed.block_time >= since.timestamp())

    async def _records(
        self, found: Iterable[ExecutedTransaction], calls: Sequence[IssuedTransaction]
    ) -> list[TransactionRecord]:
        by_message: dict[bytes, list[IssuedTransaction]] = {}
        for call in calls:
            by_message.setdefault(call.data, []).append(call)
        matching = [each for each in found if sealed_fingerprint(each.message.message) in by_message]
        keys = await self._keys() if matching else ()
        records = []
        for executed in matching:
            issued = self._taken(executed, by_message, keys)
            if issued is not None:
                sent = Sent(executed, issued.sender, bytes.fromhex(issued.transaction_id[2:]))
                records.append(self._handed_out.record(issued, sent))
        return records

    def _taken(
        self,
        executed: ExecutedTransaction,
        by_message: Mapping[bytes, list[IssuedTransaction]],
        keys: tuple[bytes, ...],
    ) -> IssuedTransaction | None:
        """Return the newest quote with this message; a message is executed once, so its other quotes never are."""
        same = by_message[sealed_fingerprint(executed.message.message)]
        ours = [each for each in same if self._handed_out.is_ours(each, executed, keys)]
        return max(ours, key=lambda each: (each.created_at, each.transaction_id), default=None)
