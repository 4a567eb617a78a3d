"""Making sure of what was seen: a confirmed transaction may still vanish, with the block that it was in."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import structlog
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.domain.chain import Chain
from rhumbline.domain.clock import Clock
from rhumbline.domain.errors import NodeUnavailable
from rhumbline.domain.tracking import TransactionRecord
from rhumbline.gateways.svm.answers import SignatureStatus
from rhumbline.gateways.svm.rpc import MOST_STATUSES, SvmRpc
from rhumbline.tracking.builds import find_builds
from rhumbline.tracking.store import add_records
from rhumbline.tracking.svm import positions
from rhumbline.tracking.svm.handed_out import HandedOut, Sent
from rhumbline.tracking.svm.history import first_slot
from rhumbline.tracking.svm.positions import Seen

PATIENCE = 150
"""Slots that must be final after one whose transaction a node does not know: so long it might be executed yet."""
_LOOK_AGAIN = timedelta(seconds=30)
_log = structlog.stdlib.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class _Verdict:
    """What became of transactions, up to a slot: which vanished, and which are in another slot now."""

    until: int
    gone: tuple[Seen, ...]
    moved: tuple[Seen, ...]


class Finality:
    """Follows the records of one chain until they are final. Remembered is only whether there are any that are not."""

    __slots__ = ("_chain", "_clock", "_engine", "_handed_out", "_looked_at", "_rpc", "_waiting")

    def __init__(self, chain: Chain, rpc: SvmRpc, engine: AsyncEngine, clock: Clock, handed_out: HandedOut) -> None:
        self._chain = chain
        self._rpc = rpc
        self._engine = engine
        self._clock = clock
        self._handed_out = handed_out
        self._waiting = True
        self._looked_at: datetime | None = None

    def doubt(self) -> None:
        """Note that records were added."""
        self._waiting = True

    async def settle(self) -> None:
        """Withdraw what has vanished, and note up to which slot all is final.

        Raise SvmRpcError, NodeUnavailable or a database error; nothing is half done then.
        """
        now = self._clock()
        if not self._waiting and self._looked_at is not None and now - self._looked_at < _LOOK_AGAIN:
            return
        async with self._engine.connect() as connection:
            seen = await positions.unsettled(connection, self._chain.id, MOST_STATUSES)
        self._looked_at, self._waiting = now, bool(seen)
        if not seen:
            return
        head = await replace(self._rpc, commitment="finalized").slot()
        due = [each for each in seen if each.slot <= head]
        verdict = await self._judge(due, head) if due else None
        if verdict is not None:
            await self._write(verdict)

    async def _judge(self, due: Sequence[Seen], head: int) -> _Verdict | None:
        """Return what became of the transactions, up to the first of which that cannot be told; None for nothing."""
        statuses = await self._rpc.statuses([each.signature for each in due])
        forgotten_below = await first_slot(self._rpc) if None in statuses else 0
        until, gone, moved = -1, list[Seen](), list[Seen]()
        for each, status in zip(due, statuses, strict=True):
            if status is None and each.slot >= forgotten_below:
                if head - each.slot < PATIENCE:
                    break
                gone.append(each)
            elif status is not None and not _is_final(status):
                break
            elif status is not None and status.slot != each.slot:
                moved.append(each)
            until = each.slot
        else:
            return _Verdict(until, tuple(gone), tuple(moved))
        # Of a slot that is not settled as a whole nothing is noted.
        until = min(until, each.slot - 1)
        return None if until < 0 else _Verdict(until, _up_to(gone, until), _up_to(moved, until))

    async def _write(self, verdict: _Verdict) -> None:
        records = await self._made_again(verdict.moved) if verdict.moved else []
        async with self._engine.begin() as connection:
            if verdict.until <= await positions.lock_chain(connection, self._chain.id):
                return
            await positions.withdraw(connection, self._chain.id, (*verdict.gone, *verdict.moved))
            await add_records(connection, records)
            await positions.move_final(connection, self._chain.id, verdict.until)
        if verdict.gone or verdict.moved:
            counts = {"gone": len(verdict.gone), "moved": len(verdict.moved)}
            _log.warning("chain reorganised", chain=self._chain.key, until=verdict.until, **counts)

    async def _made_again(self, moved: Sequence[Seen]) -> list[TransactionRecord]:
        """Return the records of transactions as they are now: the same messages in other blocks."""
        found = [(each, await self._rpc.transaction(each.signature)) for each in moved]
        async with self._engine.connect() as connection:
            builds = await find_builds(connection, (each.transaction_id for each in moved))
        records = []
        for each, executed in found:
            issued = builds.get(each.transaction_id)
            if executed is None:
                raise NodeUnavailable(f"{self._chain.key}: the node's answers about a transaction do not fit together")
            if issued is not None and executed.error is None:
                identifier = bytes.fromhex(each.transaction_id[2:])
                sent = Sent(executed, issued.sender, identifier, each.place)
                records.append(self._handed_out.record(issued, sent))
        return records


def _is_final(status: SignatureStatus) -> bool:
    return status.commitment == "finalized" or (status.commitment is None and status.confirmations is None)


def _up_to(seen: Sequence[Seen], slot: int) -> tuple[Seen, ...]:
    return tuple(each for each in seen if each.slot <= slot)
