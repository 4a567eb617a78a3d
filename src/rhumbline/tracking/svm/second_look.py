"""Lists recent transactions of a reference key a second time, because nodes may leave some out at first.

Nothing shows that a page of a list is whole in its middle. So whatever is final is listed again, for ten minutes after
its block, by another endpoint where there is one, and what was not read before is read then. The look has a cursor of
its own, which follows the first one's.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import takewhile

import structlog
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from rhumbline.domain.chain import Chain
from rhumbline.domain.clock import Clock
from rhumbline.domain.errors import NodeRefused, NodeUnavailable
from rhumbline.gateways.nodes.endpoints import reading
from rhumbline.gateways.nodes.svm.answers import SignatureInfo
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from rhumbline.tracking.svm import positions
from rhumbline.tracking.svm.history import History
from rhumbline.tracking.svm.positions import Cursor

TOLD_LATE = timedelta(minutes=10)
"""How long after its block a transaction may still appear in a list."""
LOOK_EVERY = timedelta(seconds=60)
_TRY_AGAIN = timedelta(seconds=5)
_AGAIN = "again "
_log = structlog.stdlib.get_logger(__name__)


class SecondLook:
    """Lists final transactions of one chain's reference keys again. If its memory is lost, only the cursors matter."""

    def __init__(self, chain: Chain, rpc: SvmRpc, engine: AsyncEngine, clock: Clock) -> None:
        self._chain = chain
        self._rpc = replace(rpc, commitment="finalized")
        self._engine = engine
        self._clock = clock
        self._cursors: dict[str, Cursor | None] = {}
        self._histories: dict[str, History] = {}
        self._next_at: dict[str, datetime] = {}
        self._is_alone = False

    @property
    def lowest(self) -> int:
        """The slot from which on transactions are listed again."""
        return min((0 if each is None else each.slot for each in self._cursors.values()), default=0)

    async def next(self, reference: str) -> Sequence[SignatureInfo]:
        """Return the next piece, which is to be ``taken`` then; nothing where no look is due, or the node fails."""
        if not self._is_due(reference):
            return ()
        if reference not in self._cursors:
            async with self._engine.connect() as connection:
                name = _AGAIN + reference
                self._cursors[reference] = await positions.read_cursor(connection, self._chain.id, name)
        history = self._histories.setdefault(reference, History(self._rpc, reference))
        try:
            with reading() as asked:
                others = None if self._is_alone else self._rpc.other_than(asked.names(self._rpc.name)[:1])
                history.ask(others or self._rpc)
                piece = await history.next(self._cursors[reference])
        except (NodeRefused, NodeUnavailable) as error:
            self._put_off(reference, error)
            return ()
        if not piece and not history.unfinished:
            self._rest(reference)
        return piece

    def unfinished(self, reference: str) -> bool:
        """Return whether there is more to be listed now."""
        return self._is_due(reference) and reference in self._histories and self._histories[reference].unfinished

    def cursor(self, piece: Sequence[SignatureInfo], below: int | None) -> Cursor | None:
        """Return how far a piece takes the cursor: what is young, or from ``below`` on, stays above it."""
        old = list(takewhile(lambda each: self._is_old(each) and (below is None or each.slot < below), piece))
        return Cursor(old[-1].signature, old[-1].slot) if old else None

    async def write(self, connection: AsyncConnection, reference: str, cursor: Cursor | None) -> None:
        """Write how far a reference key was listed again."""
        if cursor is not None:
            await positions.move_cursor(connection, self._chain.id, _AGAIN + reference, cursor)

    def taken(self, reference: str, count: int, cursor: Cursor | None) -> None:
        """Note that so many of a piece were read, and written."""
        history = self._histories[reference]
        history.taken(count)
        self._cursors[reference] = cursor or self._cursors[reference]
        if not history.unfinished:
            self._rest(reference)

    def note_failure(self, reference: str, error: Exception) -> None:
        """Note that a piece could not be read: the next one is smaller and later."""
        self._histories[reference].note_failure()
        self._put_off(reference, error)

    def _put_off(self, reference: str, error: Exception) -> None:
        _log.info("second look not taken", chain=self._chain.key, reason=str(error))
        # By whom the chain is followed, then by another again.
        self._is_alone = not self._is_alone
        self._next_at[reference] = self._clock() + _TRY_AGAIN

    def _rest(self, reference: str) -> None:
        self._is_alone, self._next_at[reference] = False, self._clock() + LOOK_EVERY

    def _is_due(self, reference: str) -> bool:
        return reference not in self._next_at or self._clock() >= self._next_at[reference]

    def _is_old(self, listed: SignatureInfo) -> bool:
        if listed.block_time is None:
            return True
        try:
            return self._clock() - datetime.fromtimestamp(listed.block_time, UTC) > TOLD_LATE
        except (OverflowError, ValueError, OSError):
            return True
