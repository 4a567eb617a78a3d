"""Finalises records: a confirmed transaction may still vanish with its block.

That a node does not know a transaction proves little: it may have lost it, or be behind, or answer wrongly. A record is
withdrawn where the node knows neither status nor transaction, and tells a final block in its place that has it not.
What was told as final stays, whatever is answered later; what was withdrawn is looked for again.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

import structlog
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.domain.chain import Chain
from rhumbline.domain.clock import Clock
from rhumbline.domain.errors import NodeUnavailable
from rhumbline.gateways.nodes.svm.answers import SignatureStatus
from rhumbline.gateways.nodes.svm.blocks import is_absent
from rhumbline.gateways.nodes.svm.calls import SvmRpcError
from rhumbline.gateways.nodes.svm.rpc import MOST_STATUSES, SvmRpc
from rhumbline.gateways.nodes.svm.transactions import ExecutedTransaction
from rhumbline.gateways.postgres.leases import Fence, unfenced
from rhumbline.tracking.store import add_records
from rhumbline.tracking.svm import positions
from rhumbline.tracking.svm.history import first_slot
from rhumbline.tracking.svm.positions import Seen
from rhumbline.tracking.svm.records import RecordBuilder
from rhumbline.tracking.svm.retry_queue import retry_withdrawn

PATIENCE = 150
"""Slots that must be final after one whose transaction a node does not know: until then it might still be executed."""
STANDS_AFTER = 216_000
"""In slots, a day of slots of 400 ms: a transaction that nothing has shown to have vanished by then stays."""
_MOST_DOUBTED = 8
"""How many are searched for in their blocks at once."""
_LOOK_AGAIN = timedelta(seconds=30)
_log = structlog.stdlib.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class _Verdict:
    """The fate of transactions up to a slot: which vanished, and which are in another slot now."""

    until: int
    gone: tuple[Seen, ...]
    moved: tuple[tuple[Seen, ExecutedTransaction], ...]


@dataclass(slots=True, eq=False)
class Finality:
    """Follows one chain's records until they are final. It remembers only whether there are any that are not."""

    chain: Chain
    rpc: SvmRpc
    engine: AsyncEngine
    clock: Clock
    record_builder: RecordBuilder
    fence: Fence = unfenced
    _waiting: bool = field(default=True, init=False)
    _looked_at: datetime | None = field(default=None, init=False)
    _doubt_from: datetime = field(default=datetime.min.replace(tzinfo=UTC), init=False)

    def doubt(self) -> None:
        """Note that records were added."""
        self._waiting = True

    async def settle(self) -> None:
        """Withdraw what has vanished, and note up to which slot all is final.

        Raise SvmRpcError, NodeUnavailable or a database error; nothing is half done then.
        """
        now = self.clock()
        if not self._waiting and self._looked_at is not None and now - self._looked_at < _LOOK_AGAIN:
            return
        async with self.engine.connect() as connection:
            seen = await positions.unsettled(connection, self.chain.id, MOST_STATUSES)
        self._looked_at, self._waiting = now, bool(seen)
        if not seen:
            return
        head = await replace(self.rpc, commitment="finalized").slot()
        due = [each for each in seen if each.slot <= head]
        verdict = await self._judge(due, head) if due else None
        if verdict is not None:
            await self._write(verdict)

    async def _judge(self, due: Sequence[Seen], head: int) -> _Verdict | None:
        """Return what became of the transactions, up to the first of which that cannot be told; None for nothing."""
        statuses = await self.rpc.statuses([each.signature for each in due])
        forgotten_below = await first_slot(self.rpc) if None in statuses else 0
        until, gone, moved, doubted = -1, list[Seen](), list[tuple[Seen, ExecutedTransaction]](), 0
        for each, status in zip(due, statuses, strict=True):
            if status is None and each.slot >= forgotten_below and not each.final:
                doubted += 1
                if head - each.slot < PATIENCE or doubted > _MOST_DOUBTED or self.clock() < self._doubt_from:
                    break
                if await self._has_vanished(each):
                    gone.append(each)
                elif head - each.slot < STANDS_AFTER:
                    self._doubt_from = self.clock() + _LOOK_AGAIN
                    break
            elif status is not None and not _is_final(status):
                break
            elif status is not None and status.slot != each.slot:
                executed = await self.rpc.transaction(each.signature)
                if executed is None or executed.slot != status.slot:
                    _log.warning("answers do not fit together", chain=self.chain.key, tx=each.signature)
                    break
                moved.append((each, executed))
            until = each.slot
        else:
            return _Verdict(until, tuple(gone), tuple(moved))
        # Of a slot that is not settled as a whole nothing is noted.
        until = min(until, each.slot - 1)
        stays = tuple(one for one in gone if one.slot <= until)
        return None if until < 0 else _Verdict(until, stays, tuple(one for one in moved if one[0].slot <= until))

    async def _has_vanished(self, seen: Seen) -> bool:
        """Return whether all that a node can be asked says that a transaction is not there, its block above all."""
        final = replace(self.rpc, commitment="finalized")
        try:
            executed = await final.transaction(seen.signature)
        except SvmRpcError:
            executed = None
        except NodeUnavailable:
            # Whatever is wrong with it, it is something.
            return False
        if executed is None and await self._is_absent(final, seen):
            return True
        _log.warning("transaction without a status", chain=self.chain.key, tx=seen.signature, slot=seen.slot)
        return False

    async def _is_absent(self, final: SvmRpc, seen: Seen) -> bool:
        try:
            return await is_absent(final, seen.signature, seen.slot) is True
        except NodeUnavailable:
            return False

    async def _write(self, verdict: _Verdict) -> None:
        # The same messages in other blocks.
        again = [(executed, seen.transaction_id, seen.place) for seen, executed in verdict.moved]
        records = await self.record_builder.records_of(again) if again else []
        async with self.engine.begin() as connection:
            await self.fence(connection)
            if verdict.until <= await positions.lock_chain(connection, self.chain.id):
                return
            left = (*verdict.gone, *(seen for seen, _ in verdict.moved))
            await positions.withdraw(connection, self.chain.id, left)
            await retry_withdrawn(connection, self.chain.id, verdict.gone, self.clock())
            await add_records(connection, records)
            await positions.move_final(connection, self.chain.id, verdict.until)
        if verdict.gone or verdict.moved:
            counts = {"gone": len(verdict.gone), "moved": len(verdict.moved)}
            _log.warning("chain reorganised", chain=self.chain.key, until=verdict.until, **counts)


def _is_final(status: SignatureStatus) -> bool:
    return status.commitment == "finalized" or (status.commitment is None and status.confirmations is None)
