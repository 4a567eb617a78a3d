"""How often an adapter's quotes failed when they were built or simulated."""

from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from time import monotonic

from rhumbline.domain.errors import UpstreamFailed
from rhumbline.domain.quote import QuoteRequest, Refusal
from rhumbline.routing.refusals import REVERTED

MEMORY_S = 3600.0
MOST = 50
"""Most tries of an adapter that count per requester, none older than ``MEMORY_S``."""
MOST_REQUESTERS = 200
"""Most requesters whose tries of an adapter are stored; the one with the oldest try makes room."""
_FEWEST = 10
"""Fewer tries, or requesters, count as this many: one failure alone says little."""
_NONE = Fraction(0)
_CONCLUSIVE = frozenset({UpstreamFailed.kind, REVERTED})
"""Refusals caused by the adapter. Others are caused by the amount, the token, the slippage or the wallet."""


@dataclass(slots=True)
class _Tries:
    """The outcomes of one adapter's quotes, by requester; ``failing`` are requesters that saw one fail."""

    by: OrderedDict[str, deque[tuple[float, bool]]] = field(default_factory=OrderedDict)
    failing: set[str] = field(default_factory=set)


class Failures:
    """Stores, for each adapter, the outcomes of the last quotes that were to be built.

    A try failed if the upstream did not build it, or its simulation reverted for no reason of the wallet's, the
    token's, or a node or price source of the service's. What only one requester has seen counts for that requester
    alone.
    """

    def __init__(self, now: Callable[[], float] = monotonic) -> None:
        self._now = now
        self._tries: dict[str, _Tries] = {}

    def note_try(
        self, quote_request: QuoteRequest, adapter: str, refusals: Sequence[Refusal], requester: str, *, failed: bool
    ) -> None:
        """Record how a try ended; the last refusal says why, and counts only if the adapter caused it."""
        last = next((each for each in reversed(refusals) if each.adapter == adapter), None)
        conclusive = last is not None and not last.ours and last.kind in _CONCLUSIVE
        # Whoever asks has chosen the token, and an unlisted one can do anything to a transfer.
        listed = quote_request.origin_token.listed and quote_request.destination_token.listed
        if listed and (conclusive or not failed):
            self.note(adapter, requester, failed=failed)

    def note(self, adapter: str, requester: str = "", *, failed: bool) -> None:
        tries = self._tries.setdefault(adapter, _Tries())
        own = tries.by.setdefault(requester, deque(maxlen=MOST))
        own.append((self._now(), failed))
        tries.by.move_to_end(requester)
        if failed:
            tries.failing.add(requester)
        if len(tries.by) > MOST_REQUESTERS:
            gone, _ = tries.by.popitem(last=False)
            tries.failing.discard(gone)

    def share(self, adapter: str, requester: str = "") -> Fraction:
        """Return the share of an adapter's tries that failed, as it counts for a requester: 0 to 1.

        It is the larger of the requester's own share and the others'. In the latter each requester has one vote, and
        the one who saw the most failures has none.
        """
        tries = self._tries.get(adapter)
        if tries is None or not tries.failing:
            return _NONE
        since = self._now() - MEMORY_S
        seen = {who: [failed for at, failed in own if at >= since] for who, own in tries.by.items()}
        own = seen.pop(requester, [])
        voices = sorted(Fraction(sum(each), len(each)) for each in seen.values() if each)
        others = Fraction(sum(voices[:-1]), max(len(voices), _FEWEST))
        return max(Fraction(sum(own), max(len(own), _FEWEST)), others)
