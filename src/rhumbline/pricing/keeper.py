"""What the price book writes to the store: found prices and doubts, and what other processes are told of a round."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime

import structlog

from rhumbline.domain.errors import StoreUnavailable
from rhumbline.domain.price import PriceKey
from rhumbline.pricing.entry import Entry
from rhumbline.pricing.refresh_round import Outcome
from rhumbline.pricing.shared_round import SharedRound
from rhumbline.pricing.store import PriceStore, StoredPrice


@dataclass(slots=True)
class Keeper:
    """What cannot be written is written after the next round. Without a ``store`` nothing is."""

    store: PriceStore | None
    shared: SharedRound | None
    _unkept: dict[PriceKey, StoredPrice] = field(default_factory=dict, init=False)

    def note(self, price: StoredPrice) -> None:
        self._unkept[price.key] = price

    async def keep(self, entries: Sequence[Entry], outcomes: Mapping[PriceKey, Outcome], now: datetime) -> None:
        """Write what was noted, then what came of a round: whoever reads that a price was found must find it."""
        if self.store is None:
            self._unkept.clear()
            return
        kept, self._unkept = self._unkept, {}
        try:
            if kept:
                await self.store.keep(list(kept.values()))
            if self.shared is not None:
                await self.shared.settle(entries, outcomes, now)
        except StoreUnavailable as error:
            structlog.get_logger().warning("prices_not_kept", reason=error.message)
            self._unkept = kept | self._unkept

    async def forget(self, before: datetime) -> None:
        with suppress(StoreUnavailable):
            if self.store is not None:
                await self.store.forget(before)
            if self.shared is not None:
                await self.shared.checks.forget(before)
