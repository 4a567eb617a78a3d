"""The transactions that name an address, in pieces of bounded size, the oldest first.

Nodes tell them newest first, a thousand at once. Where there are more than that since the cursor, the way down is
walked first and nothing but the pages' borders is remembered; then the pages are read from the lowest up. So it is the
earliest that counts for an ID, and a flood of strangers' transactions costs its own pages only.
"""

from collections.abc import Sequence
from itertools import takewhile

from rhumbline.domain.errors import NodeUnavailable
from rhumbline.gateways.svm.answers import SignatureInfo
from rhumbline.gateways.svm.reading import Reader
from rhumbline.gateways.svm.rpc import MOST_SIGNATURES, SvmRpc
from rhumbline.tracking.svm.positions import Cursor

PIECE = 50
"""So many transactions are read in one step; fewer where the node does not bear it."""


class History:
    """Walks through the transactions of one address. What it remembers may be lost: the walk is begun anew then."""

    __slots__ = ("_above", "_address", "_piece", "_rising", "_rpc", "_top", "_waiting")

    def __init__(self, rpc: SvmRpc, address: str) -> None:
        self._rpc, self._address, self._piece = rpc, address, PIECE
        self.forget()

    def forget(self) -> None:
        """Begin the walk anew."""
        self._above: list[str] = []
        self._top: SignatureInfo | None = None
        self._rising = False
        self._waiting: Sequence[SignatureInfo] = ()

    @property
    def unfinished(self) -> bool:
        """Tell whether there is more to be read now."""
        return bool(self._above or self._waiting)

    async def next(self, floor: Cursor | None) -> Sequence[SignatureInfo]:
        """Return the next piece after the cursor, which is to be ``taken`` then; nothing on the way down, or at rest.

        Raise SvmRpcError or NodeUnavailable.
        """
        if not self._waiting:
            await self._look(floor)
        return self._waiting[: self._piece]

    def taken(self, count: int) -> None:
        """Note that so many of the piece were read."""
        self._waiting = self._waiting[count:]
        self._piece = min(self._piece * 2, PIECE)

    def not_taken(self) -> None:
        """Give less at once the next time; what is not final may have vanished, and is asked for anew."""
        self._piece = max(self._piece // 2, 1)
        if not all(is_final(each) for each in self._waiting[:PIECE]):
            self.forget()

    async def _look(self, floor: Cursor | None) -> None:
        if not self._above:
            await self._begin(floor)
        elif self._rising:
            await self._rise()
        else:
            await self._descend(floor)

    async def _begin(self, floor: Cursor | None) -> None:
        found, all_of_it = await self._after(floor, None)
        if all_of_it:
            self._waiting = found[::-1]
        else:
            # Of what comes meanwhile the next walk tells.
            self._top = found[0]
            self._above = [found[0].signature]

    async def _descend(self, floor: Cursor | None) -> None:
        found, all_of_it = await self._after(floor, self._above[-1])
        if not all_of_it:
            self._above.append(found[-1].signature)
            return
        if not found and floor is not None and await self._is_forgotten(floor):
            self.forget()
            raise NodeUnavailable(f"{self._rpc.name}: the node does not know a transaction that was told a moment ago")
        self._rise_to(found)

    async def _rise(self) -> None:
        found = await self._rpc.signatures(self._address, before=self._above[-1], limit=MOST_SIGNATURES)
        if len(found) < MOST_SIGNATURES:
            self.forget()
            raise NodeUnavailable(f"{self._rpc.name}: the node does not know transactions that were told a moment ago")
        self._rise_to(found)

    def _rise_to(self, page: Sequence[SignatureInfo]) -> None:
        self._waiting, self._rising = page[::-1], True
        self._above.pop()
        if not self._above:
            self._rising = False
            self._waiting = (*self._waiting, *((self._top,) if self._top else ()))

    async def _after(self, floor: Cursor | None, before: str | None) -> tuple[Sequence[SignatureInfo], bool]:
        """Return a page down to the cursor, and whether there is nothing between the two."""
        until = None if floor is None else floor.signature
        page = await self._rpc.signatures(self._address, before=before, until=until, limit=MOST_SIGNATURES)
        lowest = 0 if floor is None else floor.slot
        # A node that has lost the cursor's own transaction tells what lies below it, too.
        found = tuple(takewhile(lambda each: each.slot >= lowest, page))
        return found, len(page) < MOST_SIGNATURES or len(found) < len(page)

    async def _is_forgotten(self, floor: Cursor) -> bool:
        """Tell whether the node should have told of the cursor's transaction, at the least, and tells of nothing."""
        below = await self._rpc.signatures(self._address, before=self._above[-1], limit=1)
        return not below and await first_slot(self._rpc) <= floor.slot


def is_final(listed: SignatureInfo) -> bool:
    """Tell whether a transaction is final; an archive, which does not say, has nothing else."""
    return listed.commitment in ("finalized", None)


async def first_slot(rpc: SvmRpc) -> int:
    """Ask for the oldest slot that a node remembers."""
    return Reader("a slot").integer(await rpc.call("getFirstAvailableBlock"))
