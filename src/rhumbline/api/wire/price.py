"""Price snapshots."""

from typing import Annotated

from pydantic import MISSING, Field

from rhumbline.api.wire.shape import DecimalText, Timestamp, Wire, decimal_text, timestamp
from rhumbline.domain.price import PriceSnapshot, PriceTier


class TokenPriceResult(Wire):
    """A cached price of one whole token in USD; without `priceUSD` while none is known."""

    chain_id: int
    token: Annotated[str, Field(description="The token's address.")]
    price_usd: DecimalText | MISSING = Field(default=MISSING, serialization_alias="priceUSD")
    source: str | MISSING = MISSING
    updated_at: Timestamp | MISSING = MISSING
    stale: Annotated[bool, Field(description="The cached value is older than its freshness window.")]
    tier: PriceTier
    refreshing: Annotated[bool, Field(description="A refresh is scheduled or running.")]


def to_price(snapshot: PriceSnapshot) -> TokenPriceResult:
    return TokenPriceResult(
        chain_id=snapshot.chain_id,
        token=snapshot.token,
        price_usd=MISSING if snapshot.usd is None else decimal_text(snapshot.usd),
        source=MISSING if snapshot.source is None else snapshot.source,
        updated_at=MISSING if snapshot.updated_at is None else timestamp(snapshot.updated_at),
        stale=snapshot.stale,
        tier=snapshot.tier,
        refreshing=snapshot.refreshing,
    )
