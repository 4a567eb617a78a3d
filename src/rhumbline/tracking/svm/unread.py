"""Transactions that a node lists but does not return, or that cannot be read: requested again for a while.

Nothing waits for them but the cursor, so that a restart asks for them once more. One is given up when it could not be
had for ten minutes and others could since: a node that shows nothing at all proves nothing.
"""

from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

import structlog

from rhumbline.domain.clock import Clock
from rhumbline.domain.errors import NodeUnavailable
from rhumbline.domain.metrics import Metrics, NoMetrics

AWAITED_FOR = timedelta(minutes=10)
MOST = 1_000
_LONGEST_REST_S = 4
_log = structlog.stdlib.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class _Missed:
    slot: int
    first: datetime
    last: datetime
    tries: int = 1

    @property
    def again(self) -> datetime:
        rest_s = min(2 ** min(self.tries - 1, 10), _LONGEST_REST_S)
        return self.last + timedelta(seconds=rest_s)


@dataclass(slots=True)
class Unread:
    """Stores the unread ones of one chain by signature; if the memory is lost, they are requested for longer.

    Who reads takes the signatures off ``given_up``, and may have them sought for longer.
    """

    chain: str
    clock: Clock
    metrics: Metrics = field(default_factory=NoMetrics)
    given_up: list[str] = field(default_factory=list)
    _missed: dict[str, _Missed] = field(default_factory=dict)
    _shown_at: datetime | None = None

    def rests(self, signature: str) -> bool:
        """Return whether a transaction was asked for a moment ago, in vain."""
        missed = self._missed.get(signature)
        return missed is not None and self.clock() < missed.again

    def waits(self, signature: str) -> bool:
        """Return whether a transaction is to be asked for again."""
        return signature in self._missed

    @property
    def lowest(self) -> int | None:
        """The lowest slot of those that are to be asked for again."""
        return min((each.slot for each in self._missed.values()), default=None)

    def shown(self, signature: str) -> None:
        """Note that a transaction was read."""
        self._missed.pop(signature, None)
        self._shown_at = self.clock()

    def missed(self, signature: str, slot: int, reason: str) -> None:
        """Note that a transaction could not be read; raise NodeUnavailable where too many cannot."""
        now, known = self.clock(), self._missed.get(signature)
        if known is None:
            if len(self._missed) >= MOST:
                raise NodeUnavailable(f"{self.chain}: the node returns none of {MOST} transactions that it lists")
            _log.info("transaction not read yet", chain=self.chain, tx=signature, reason=reason)
            self._missed[signature] = _Missed(slot, now, now)
        elif now - known.first >= AWAITED_FOR and self._shown_at is not None and self._shown_at > known.first:
            del self._missed[signature]
            self.given_up.append(signature)
            self.metrics.passed_over(self.chain, "unreadable", 1)
            _log.error("transaction not read", chain=self.chain, tx=signature, slot=slot, reason=reason)
        else:
            self._missed[signature] = replace(known, slot=slot, last=now, tries=known.tries + 1)

    def tidy(self) -> None:
        """Forget those that nobody has asked for for long: they have vanished with their blocks."""
        since = self.clock() - AWAITED_FOR
        self._missed = {name: each for name, each in self._missed.items() if each.last >= since}
