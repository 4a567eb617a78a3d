"""Searches for a fill among the transactions that name its account. Anybody may make any number of those.

The fill creates the account, and its address is known a few seconds before: whoever wants to hide a fill can add
transactions before it during that time, and after it at any time. So the oldest are read first, a bounded number in
each search, and the next search continues there: nothing hides a fill forever, and no search costs more than that.
"""

from asyncio import gather
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from rhumbline.adapters.across.logs import Filled
from rhumbline.domain.errors import NodeUnavailable
from rhumbline.gateways.nodes.svm.answers import SignatureInfo
from rhumbline.gateways.nodes.svm.calls import SvmRpcError
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from rhumbline.gateways.nodes.svm.transactions import ExecutedTransaction

READ_AT_AN_ASK = 96
PAGES_AT_AN_ASK = 10
_AT_ONCE = 8
_MOST_WAITING = 1_000
_MOST_MISSED = 100
_MOST_SEARCHES = 500

ReadFill = Callable[[ExecutedTransaction], Filled | None]


@dataclass(slots=True)
class _Search:
    """The progress of a search: everything up to ``floor`` was read; the search continues below ``below``."""

    found: Filled | None = None
    floor: str | None = None
    below: str | None = None
    oldest: list[SignatureInfo] = field(default_factory=list)
    waiting: list[SignatureInfo] = field(default_factory=list)
    missed: list[SignatureInfo] = field(default_factory=list)


class FillSearches:
    """Stores the progress of the last few hundred searches; a forgotten one starts again."""

    def __init__(self) -> None:
        self._searches: dict[str, _Search] = {}

    async def find(self, rpc: SvmRpc, account: str, read_fill: ReadFill) -> Filled | None:
        """Continue a search; None if nothing is found yet. Raise NodeUnavailable or SvmRpcError.

        Progress is kept, also if this is cancelled.
        """
        search = self._searches.pop(account, None) or _Search()
        self._searches[account] = search
        while len(self._searches) > _MOST_SEARCHES:
            del self._searches[next(iter(self._searches))]
        if search.found is None:
            await _go_on(rpc, account, search, read_fill)
        return search.found


async def _go_on(rpc: SvmRpc, account: str, search: _Search, read_fill: ReadFill) -> None:
    again, search.missed = search.missed, []
    await _read(rpc, search, again, read_fill)
    if search.found is None and not search.waiting:
        await _descend(rpc, account, search)
    for _ in range(READ_AT_AN_ASK // _AT_ONCE):
        if search.found is not None or not search.waiting:
            return
        piece = search.waiting[:_AT_ONCE]
        await _read(rpc, search, piece, read_fill)
        del search.waiting[: len(piece)]
        search.floor = piece[-1].signature


async def _descend(rpc: SvmRpc, account: str, search: _Search) -> None:
    """List some pages of signatures above the floor, and queue the oldest once the floor is reached."""
    for _ in range(PAGES_AT_AN_ASK):
        page = await rpc.signatures(account, before=search.below, until=search.floor)
        if not page:
            search.waiting = [each for each in reversed(search.oldest) if each.error is None]
            search.oldest, search.below = [], None
            return
        if page[-1].signature == search.below:
            raise NodeUnavailable(f"{rpc.name}: the node's list of an address goes round in circles")
        search.oldest = [*search.oldest, *page][-_MOST_WAITING:]
        search.below = page[-1].signature


async def _read(rpc: SvmRpc, search: _Search, listed: Sequence[SignatureInfo], read_fill: ReadFill) -> None:
    """Read transactions, and note missing ones; raise NodeUnavailable if none of several is returned."""
    answers = await gather(*(_executed(rpc, each.signature) for each in listed))
    away = [each for each in answers if isinstance(each, NodeUnavailable)]
    if len(away) == len(answers) > 1:
        search.missed = [*search.missed, *listed][-_MOST_MISSED:]
        raise away[0]
    for each, executed in zip(listed, answers, strict=True):
        if not isinstance(executed, ExecutedTransaction):
            search.missed = [*search.missed, each][-_MOST_MISSED:]
        elif executed.error is None:
            search.found = search.found or read_fill(executed)


async def _executed(rpc: SvmRpc, signature: str) -> ExecutedTransaction | NodeUnavailable | None:
    try:
        return await rpc.transaction(signature)
    except SvmRpcError:
        return None
    except NodeUnavailable as unavailable:
        # One that cannot be read is returned as such.
        return unavailable
