"""What several processes ask price sources together: one asks for a token, the others take over what it found."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from rhumbline.domain.errors import StoreUnavailable
from rhumbline.domain.price import PriceKey
from rhumbline.pricing.checks import PriceCheck, PriceChecks
from rhumbline.pricing.entry import Entry
from rhumbline.pricing.refresh_round import Outcome, Unheard

_LOOK_AGAIN = timedelta(seconds=1)


@dataclass(frozen=True, slots=True)
class SharedRound:
    """Shares rounds by way of the store. While that cannot be reached, each process asks for itself."""

    checks: PriceChecks

    async def claim(self, entries: Sequence[Entry], now: datetime) -> list[Entry]:
        """Return the started entries that this process is to ask for; the others are stopped, with what was found."""
        seen = {entry.key: entry.checked_at for entry in entries}
        try:
            claimed = await self.checks.claim(seen, now)
            others = [entry for entry in entries if entry.key not in claimed]
            found = await self.checks.found([entry.key for entry in others]) if others else {}
        except StoreUnavailable:
            return list(entries)
        for entry in others:
            entry.stop()
            _take_over(entry, found.get(entry.key), now)
        return [entry for entry in entries if entry.key in claimed]

    async def settle(self, entries: Sequence[Entry], outcomes: Mapping[PriceKey, Outcome], now: datetime) -> None:
        """Tell the others what came of a round; what is not told runs out.

        At the very time that the entries themselves have noted: a later one would be another round's to everybody.
        """
        checks = {}
        for entry in entries:
            outcome = outcomes.get(entry.key)
            if outcome is None or (isinstance(outcome, Unheard) and not outcome.definite):
                checks[entry.key] = PriceCheck(max(entry.not_before, now), None, is_known=False)
            else:
                checks[entry.key] = PriceCheck(now, entry.checked_at, is_known=not isinstance(outcome, Unheard))
        await self.checks.settle(checks)


def _take_over(entry: Entry, check: PriceCheck | None, now: datetime) -> None:
    checked_at = None if check is None else check.checked_at
    if check is None or checked_at is None or (entry.checked_at is not None and checked_at <= entry.checked_at):
        # Another process asks at the moment, or sources did not answer it.
        entry.wait_until(now + _LOOK_AGAIN)
        return
    price = check.price
    if not check.is_known:
        entry.unknown(checked_at)
    elif price is not None and price.doubted_at is None and price.updated_at >= checked_at:
        entry.accept(price.usd, price.source, price.updated_at, price.agreeing)
    else:
        entry.doubt(checked_at)
