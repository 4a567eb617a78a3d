"""One token of the price book, and its snapshot at a moment."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal

from rhumbline.domain.price import PriceKey, PriceSnapshot, PriceTier
from rhumbline.pricing.plausibility import LastPrice

_NEVER = datetime.max.replace(tzinfo=UTC)
_ALWAYS = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Windows:
    """How long a price is fresh by its tier, how long a request keeps a token hot, and how long a price is kept.

    A refresh is due at ``hot_due`` and ``cold_due``, before the price is stale. ``unknown_again`` is the interval for a
    token that no source knows, ``first_retry`` and ``longest_retry`` those for one that no source answered about.
    """

    hot: timedelta = timedelta(seconds=60)
    cold: timedelta = timedelta(minutes=15)
    warm: timedelta = timedelta(minutes=15)
    hot_due: timedelta = timedelta(seconds=45)
    cold_due: timedelta = timedelta(minutes=12)
    kept: timedelta = timedelta(days=1)
    unknown_again: timedelta = timedelta(minutes=5)
    first_retry: timedelta = timedelta(seconds=2)
    longest_retry: timedelta = timedelta(minutes=2)


class Entry:
    """A token's price, demand, and next refresh."""

    __slots__ = (
        "_shown", "agreeing", "asked_at", "checked_at", "doubted", "failures", "followed", "key", "last", "mark",
        "not_before", "pinned", "removed", "running", "since", "source", "until", "windows",
    )  # fmt: skip

    def __init__(self, key: PriceKey, windows: Windows, now: datetime, *, pinned: bool = False) -> None:
        """Begin without a price, due at once."""
        self.key = key
        self.windows = windows
        self.pinned = pinned
        self.followed = False
        self.asked_at: datetime | None = None
        self.last: LastPrice | None = None
        self.source: str | None = None
        self.agreeing: tuple[str, ...] = ()
        self.doubted = False
        self.running = False
        self.removed = False
        self.failures = 0
        self.checked_at: datetime | None = None
        self.not_before = now
        self._shown: dict[str, PriceSnapshot] = {}
        # The snapshot holds from `since` until before `until`, as long as `mark` is the same.
        self.since, self.until = _NEVER, _ALWAYS
        self.mark = 0

    def tier(self, now: datetime) -> PriceTier:
        is_warm = self.asked_at is not None and now <= self.asked_at + self.windows.warm
        return PriceTier.HOT if self.pinned or is_warm else PriceTier.COLD

    def due_at(self, now: datetime) -> datetime:
        if self.checked_at is None or self.failures:
            return self.not_before
        wait = self.windows.hot_due if self.tier(now) is PriceTier.HOT else self.windows.cold_due
        return max(self.not_before, self.checked_at + wait)

    def note_request(self, now: datetime) -> bool:
        """Note a request; return whether it made a cold token hot."""
        was_cold = self.tier(now) is PriceTier.COLD
        self.asked_at = now
        if was_cold:
            self.changed()
        return was_cold

    def changed(self) -> None:
        self._shown.clear()
        self.until = _ALWAYS
        self.mark += 1

    def start(self) -> None:
        self.running = True
        self.changed()

    def stop(self) -> None:
        self.running = False
        self.changed()

    def restore(self, usd: Decimal, source: str, at: datetime, doubted_at: datetime | None) -> None:
        """Take over an earlier price, and whether it was doubted since; who agreed with it is not known any more."""
        self.last, self.source, self.agreeing = LastPrice(usd, at), source, ()
        self.doubted, self.checked_at = doubted_at is not None, doubted_at or at
        self.changed()

    def accept(self, usd: Decimal, source: str, now: datetime, agreeing: tuple[str, ...] = ()) -> None:
        """Take over a price, whose it is, and who agrees with it."""
        self.last, self.source, self.agreeing, self.doubted = LastPrice(usd, now), source, agreeing, False
        self._settle(now)

    def doubt(self, now: datetime) -> None:
        """Have no price until one is accepted again."""
        self.doubted = True
        self._settle(now)

    def unknown(self, now: datetime) -> None:
        """Note that no source knows the token now; the last price stays until it is too old."""
        self._settle(now)
        self.not_before = now + self.windows.unknown_again

    def unanswered(self, now: datetime) -> None:
        """Note that no source could be asked; the last price stays."""
        wait = min(self.windows.first_retry * 2.0 ** min(self.failures, 20), self.windows.longest_retry)
        self.failures += 1
        self.not_before = now + wait
        self.changed()

    def wait_until(self, at: datetime) -> None:
        """Note that somebody else asks: not to be due before a time."""
        self.not_before = at
        self.changed()

    def snapshot(self, token: str, now: datetime) -> PriceSnapshot:
        """Return the present snapshot; ``token`` is the name in the answer."""
        if not self.since <= now < self.until:
            self._shown.clear()
            self._show(now)
        cached = self._shown.get(token)
        if cached is None:
            cached = self._shown[token] = replace(self._shown[self.key[1]], token=token)
        return cached

    def _show(self, now: datetime) -> None:
        windows, tier = self.windows, self.tier(now)
        window = windows.hot if tier is PriceTier.HOT else windows.cold
        last = self.last
        if self.doubted or last is None or now > last.at + windows.kept:
            last = None
        stale = last is None or now > last.at + window
        due = self.due_at(now)
        self._shown[self.key[1]] = PriceSnapshot(
            *self.key,
            usd=None if last is None else last.usd,
            source=None if last is None else self.source,
            updated_at=None if last is None else last.at,
            stale=stale,
            tier=tier,
            refreshing=self.running or stale or self.failures > 0 or now >= due,
            agreeing=() if last is None else self.agreeing,
            awaited=stale and (self.failures > 0 or not self._answered_since()),
        )
        changes = [due] if due > now else []
        if last is not None:
            changes += [last.at + windows.kept, *([] if stale else [last.at + window])]
        if tier is PriceTier.HOT and self.asked_at is not None and not self.pinned:
            changes.append(self.asked_at + windows.warm)
        self.since, self.until = now, min(changes, default=_NEVER)

    def _answered_since(self) -> bool:
        """Return whether sources answered after the last accepted price: that they know none, or doubtful ones."""
        return self.checked_at is not None and (self.last is None or self.checked_at > self.last.at)

    def _settle(self, now: datetime) -> None:
        self.checked_at = self.not_before = now
        self.failures = 0
        self.changed()
