"""USD prices; ``Decimal`` throughout."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from enum import StrEnum


class PriceTier(StrEnum):
    """How eagerly a price is refreshed."""

    HOT = "hot"
    COLD = "cold"


@dataclass(frozen=True, slots=True)
class PriceSnapshot:
    """A cached price of one whole token in USD; ``usd`` is None when no source has a price that can be believed."""

    chain_id: int
    token: str
    usd: Decimal | None
    source: str | None
    updated_at: datetime | None
    stale: bool
    tier: PriceTier
    refreshing: bool
