"""The transactions that name an address, in bounded pieces, the oldest first.

Nodes tell them newest first, a thousand at once, or fewer as they like: a page is the last one only where the next
transaction below it is the cursor's own. Where there are more than a page since the cursor, the way down is walked
first and nothing but the pages' borders is remembered; then the pages are read from the lowest up. So it is the
earliest that counts for an ID, and a flood of strangers' transactions costs its own pages only.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile

from rhumbline.domain.errors import NodeUnavailable
from rhumbline.gateways.nodes.svm.answers import SignatureInfo
from rhumbline.gateways.nodes.svm.rpc import MOST_SIGNATURES, SvmRpc
from rhumbline.tracking.svm.positions import Cursor

PIECE = 50
"""How many transactions are read in one step; fewer if the node cannot answer that many."""
MOST_BORDERS = 10_000
"""The most pages down to the cursor; a longer list is not genuine."""
_MOST_PAGES = 50
"""The most pages into which one page is split when it is read again."""


@dataclass(frozen=True, slots=True)
class _Border:
    """The transaction below which a page begins, and how many there are down to the next border."""

    above: SignatureInfo
    count: int


class History:
    """Walks through the transactions of one address. If its memory is lost, the walk starts again."""

    __slots__ = ("_address", "_borders", "_joined", "_lowest", "_piece", "_rising", "_rpc", "_top", "_waiting")

    def __init__(self, rpc: SvmRpc, address: str) -> None:
        self._rpc, self._address, self._piece = rpc, address, PIECE
        self._joined: tuple[str, str] | None = None
        self.forget()

    def ask(self, rpc: SvmRpc) -> None:
        """Have the next walk made by this node; one that has begun goes on as it was."""
        if not self.unfinished:
            self._rpc = rpc

    def forget(self) -> None:
        """Begin the walk anew."""
        self._borders: list[_Border] = []
        self._lowest: SignatureInfo | None = None
        self._top: Sequence[SignatureInfo] = ()
        self._rising = False
        self._waiting: Sequence[SignatureInfo] = ()

    @property
    def unfinished(self) -> bool:
        """Return whether there is more to be read now."""
        return bool(self._lowest or self._borders or self._waiting)

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

    def note_failure(self) -> None:
        """Give less at once the next time; what is not final may have vanished, and is asked for anew."""
        self._piece = max(self._piece // 2, 1)
        if not all(is_final(each) for each in self._waiting[:PIECE]):
            self.forget()

    async def _look(self, floor: Cursor | None) -> None:
        if self._rising:
            await self._rise()
        elif self._lowest is not None:
            await self._descend(floor, self._lowest)
        else:
            await self._begin(floor)

    async def _begin(self, floor: Cursor | None) -> None:
        found, all_of_it = await self._after(floor, None)
        if all_of_it:
            self._waiting = found[::-1]
        else:
            # Of what comes meanwhile the next walk tells.
            self._top, self._lowest = found[:2], found[0]

    async def _descend(self, floor: Cursor | None, lowest: SignatureInfo) -> None:
        found, all_of_it = await self._after(floor, lowest)
        expected = [each.signature for each in self._top[1:]]
        if not self._borders and expected and [each.signature for each in found[:1]] != expected:
            raise self._contradiction("it does not know a transaction that was told a moment ago")
        if len(self._borders) >= MOST_BORDERS:
            raise self._contradiction("its list has no end")
        if found:
            self._borders.append(_Border(lowest, len(found)))
        if not all_of_it:
            self._lowest = found[-1]
            return
        self._lowest, self._rising = None, True
        # The lowest page is here, and need not be asked for again.
        self._rise_to(found)

    async def _rise(self) -> None:
        border = self._borders[-1]
        found, last = list[SignatureInfo](), border.above
        for _ in range(_MOST_PAGES):
            page = await self._page(last, None, border.count - len(found))
            if not page:
                raise self._contradiction("it does not know transactions that were told a moment ago")
            found, last = [*found, *page], page[-1]
            if len(found) == border.count:
                self._rise_to(found)
                return
        raise self._contradiction("its pages are too short")

    def _rise_to(self, page: Sequence[SignatureInfo]) -> None:
        self._waiting = page[::-1]
        if self._borders:
            self._borders.pop()
        if not self._borders:
            self._waiting = (*self._waiting, *self._top[:1])
            self._rising, self._top = False, ()

    async def _after(self, floor: Cursor | None, above: SignatureInfo | None) -> tuple[Sequence[SignatureInfo], bool]:
        """Return a page down to the cursor, and whether there is nothing between the two."""
        page = await self._page(above, floor, MOST_SIGNATURES)
        # A node that has lost the cursor's own transaction tells it and what lies below it, too.
        found = tuple(takewhile(lambda each: _is_beyond(each, floor), page))
        if len(found) < len(page):
            return found, True
        if len(page) == MOST_SIGNATURES:
            return found, False
        last = page[-1] if page else above
        if last is None or await self._joins(last, floor):
            return found, True
        if not page:
            raise self._contradiction("it tells nothing, and then something")
        return found, False

    async def _joins(self, last: SignatureInfo, floor: Cursor | None) -> bool:
        """Return whether the next transaction below one is the cursor's, or whether there is none."""
        if floor is not None and self._joined == (last.signature, floor.signature):
            return True
        below = await self._page(last, None, 1)
        if floor is None:
            return not below
        if not below and await first_slot(self._rpc) <= floor.slot:
            raise self._contradiction("it does not know a transaction that was told a moment ago")
        if below and below[0].signature == floor.signature:
            self._joined = (last.signature, floor.signature)
        return not (below and _is_beyond(below[0], floor))

    async def _page(self, above: SignatureInfo | None, floor: Cursor | None, limit: int) -> Sequence[SignatureInfo]:
        """Ask for a page; raise NodeUnavailable for one that is not in order, or does not lie below ``above``."""
        before = None if above is None else above.signature
        until = None if floor is None else floor.signature
        page = await self._rpc.signatures(self._address, before=before, until=until, limit=limit)
        whole = page if above is None else (above, *page)
        if any(lower.slot > higher.slot for higher, lower in pairwise(whole)):
            raise self._contradiction("its list is not in order")
        if len({each.signature for each in whole}) < len(whole):
            raise self._contradiction("its list goes round in circles")
        return page

    def _contradiction(self, what: str) -> NodeUnavailable:
        self.forget()
        return NodeUnavailable(f"{self._rpc.name}: the node contradicts itself about an address: {what}")


def _is_beyond(listed: SignatureInfo, floor: Cursor | None) -> bool:
    return floor is None or (listed.slot >= floor.slot and listed.signature != floor.signature)


def is_final(listed: SignatureInfo) -> bool:
    """Return whether a transaction is final; an archive, which does not say, has nothing else."""
    return listed.commitment in ("finalized", None)


async def first_slot(rpc: SvmRpc) -> int:
    """Ask for the oldest slot that a node remembers."""
    return await rpc.count("getFirstAvailableBlock")
