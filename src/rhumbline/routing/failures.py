"""How often an adapter's quote came to nothing when its turn came."""

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
"""So many of a requester's last tries of an adapter count, none older than ``MEMORY_S``."""
MOST_REQUESTERS = 200
"""So many requesters' tries of an adapter are kept; who tried longest ago makes room."""
_FEWEST = 10
"""Fewer tries, or requesters, count as so many: one failure alone says little."""
_TELLING = frozenset({UpstreamFailed.kind, REVERTED})
"""Refusals that are the adapter's own. The others come from the amount, the token, the slippage or the wallet."""


@dataclass(slots=True)
class _Tries:
    """What came of one adapter's quotes, by requester; ``failing`` are those who saw one fail."""

    by: OrderedDict[str, deque[tuple[float, bool]]] = field(default_factory=OrderedDict)
    failing: set[str] = field(default_factory=set)


class Failures:
    """Remembers of each adapter the last quotes that were to be built.

    One failed when its upstream did not build it, or its run reverted, for no reason of the wallet's, of the token's or
    of a node or price source of the service's. What one requester alone has seen counts for itself and for nobody else.
    """

    def __init__(self, now: Callable[[], float] = monotonic) -> None:
        self._now = now
        self._tries: dict[str, _Tries] = {}

    def note_try(
        self, asked: QuoteRequest, adapter: str, refusals: Sequence[Refusal], requester: str, *, failed: bool
    ) -> None:
        """Note how a try ended; the last refusal says why, and says nothing where it is not the adapter's own."""
        last = next((each for each in reversed(refusals) if each.adapter == adapter), None)
        telling = last is not None and not last.ours and last.kind in _TELLING
        # What a token that is on no list does to a transfer, whoever asks has chosen.
        listed = asked.origin_token.listed and asked.destination_token.listed
        if listed and (telling or not failed):
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

        That is what it has seen itself, or what the others have, if that is more: each of these has one voice, and the
        one who saw the most failures has none.
        """
        tries = self._tries.get(adapter)
        if tries is None or not tries.failing:
            return Fraction(0)
        since = self._now() - MEMORY_S
        seen = {who: [failed for at, failed in own if at >= since] for who, own in tries.by.items()}
        own = seen.pop(requester, [])
        voices = sorted(Fraction(sum(each), len(each)) for each in seen.values() if each)
        others = Fraction(sum(voices[:-1]), max(len(voices), _FEWEST))
        return max(Fraction(sum(own), max(len(own), _FEWEST)), others)
