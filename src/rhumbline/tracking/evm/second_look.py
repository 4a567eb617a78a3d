"""Reads recent events of an EVM chain a second time, because a node may leave some out at first.

What was read in the last ten minutes is read again every twenty seconds, by another endpoint where there is one. From
which block on that is lies in the store, so that a restart leaves out nothing; what is older is read twice in all.
"""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial

import structlog

from rhumbline.domain.clock import Clock
from rhumbline.domain.errors import NodeUnavailable
from rhumbline.gateways.nodes.endpoints import reading
from rhumbline.gateways.nodes.evm.rpc import EvmRpc, RpcError
from rhumbline.tracking.evm import positions
from rhumbline.tracking.evm.gap_finder import GapFinder
from rhumbline.tracking.evm.log_reader import RangeRefused
from rhumbline.tracking.evm.logs import EvmLog
from rhumbline.tracking.evm.positions import Checkpoint

TOLD_LATE = timedelta(minutes=10)
"""How long after it was read a node may still add events to a block."""
LOOK_EVERY = timedelta(seconds=20)
"""So that events without a sign in a Bloom filter are listed within 30 s after a node returns them."""
LOOK_SELDOM = timedelta(minutes=5)
"""If a second read takes many ranges: on fast chains, or with nodes that cap ranges."""
_FEW_RANGES = 10
"""So many are still read every time: a node that refused some for a while is soon asked for more at once again."""
_TRY_AGAIN = timedelta(seconds=5)
_PATIENCE_S = 3.0
"""New events wait for the second read."""
_log = structlog.stdlib.get_logger(__name__)


@dataclass(eq=False)
class SecondLook:
    """Reads one chain again, a range at a time. If its memory is lost, it reads more again.

    ``widest`` is the most blocks that are asked for at once.
    """

    gap_finder: GapFinder
    rpc: EvmRpc
    clock: Clock
    widest: int

    def __post_init__(self) -> None:
        self._chain = self.gap_finder.chain
        self._impatient = replace(self.rpc, timeout_s=min(self.rpc.timeout_s, _PATIENCE_S))
        self._span = self.widest
        self._is_alone = False
        self._next_at: datetime | None = None
        self.forget()

    def forget(self) -> None:
        """Forget everything read: the chain was reorganised, or another process moved its position."""
        self._floor: int | None = None
        self._next: int | None = None
        self._marks: deque[tuple[datetime, int]] = deque()
        self.gap_finder.forget()

    def saw(self, logs: Iterable[EvmLog]) -> None:
        """Note events whose records were written."""
        self.gap_finder.saw(logs)

    async def step(self, top: Checkpoint) -> bool:
        """Read a range again, up to ``top``, if due. Return whether more is waiting.

        A node that does not answer is asked again; raise a database error.
        """
        now = self.clock()
        if self._next_at is not None and now < self._next_at:
            return False
        if self._floor is None:
            async with self.gap_finder.engine.connect() as connection:
                self._floor = await positions.read_second_look(connection, self._chain.id)
        first = self._floor if self._next is None else self._next
        last = min(top.number, first + self._span - 1)
        if last < first:
            self._rest(LOOK_EVERY)
            return False
        others = None
        try:
            with reading() as asked:
                others = None if self._is_alone else self._impatient.other_than(asked.names(self._chain.key)[:1])
                again_from = partial(self._floor_after, now, last)
                done = await self.gap_finder.read(others or self._impatient, first, last, top, again_from)
        except (RangeRefused, RpcError, NodeUnavailable) as error:
            _log.info("second look not taken", chain=self._chain.key, reason=str(error))
            if others is None and isinstance(error, RangeRefused):
                self._span = max((last - first + 1) // 2, 1)
            # By whom the chain is followed, then by another again.
            self._is_alone, self._next_at = others is not None, now + _TRY_AGAIN
            return False
        if done is None:
            self.forget()
            return False
        if done.added:
            self.gap_finder.reader.noted_gap(done.added, first, last)
        if done.second_look is not None:
            self._floor = done.second_look
            self.gap_finder.forget(self._floor)
        self._span = min(self._span + self._span // 4 + 1, self.widest)
        if last < top.number:
            self._next = last + 1
            return True
        if not self._marks or now - self._marks[-1][0] >= LOOK_SELDOM:
            self._marks.append((now, top.number + 1))
        ahead = top.number + 1 - self._floor
        self._rest(LOOK_SELDOM if ahead > min(self.widest, _FEW_RANGES * self._span) else LOOK_EVERY)
        return False

    def _floor_after(self, now: datetime, last: int, time: datetime) -> int | None:
        """Return from where to read again after a range whose last block has this time; None for no change."""
        if now - time > TOLD_LATE:
            return last + 1
        floor = None
        while self._marks and now - self._marks[0][0] > TOLD_LATE and self._marks[0][1] <= last + 1:
            floor = self._marks.popleft()[1]
        return floor

    def _rest(self, pause: timedelta) -> None:
        self._is_alone, self._next, self._next_at = False, None, self.clock() + pause
