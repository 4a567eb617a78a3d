"""Price snapshots."""

from typing import Annotated

from pydantic import MISSING, Field

from rhumbline.api.wire.shape import Number, Timestamp, Wire
from rhumbline.domain.price import PriceSnapshot, PriceTier


class TokenPriceResult(Wire):
    """The cached price of one whole token in USD; without `priceUSD` if none is known."""

    chain_id: int
    token: Annotated[str, Field(description="The token's address.")]
    price_usd: Number | MISSING = Field(default=MISSING, serialization_alias="priceUSD")
    source: str | MISSING = MISSING
    updated_at: Timestamp | MISSING = MISSING
    stale: Annotated[bool, Field(description="The cached value is older than its freshness window.")]
    tier: PriceTier
    refreshing: Annotated[bool, Field(description="A refresh is scheduled or running.")]


def to_price(snapshot: PriceSnapshot) -> TokenPriceResult:
    return TokenPriceResult(
        chain_id=snapshot.chain_id,
        token=snapshot.token,
        price_usd=MISSING if snapshot.usd is None else snapshot.usd,
        source=MISSING if snapshot.source is None else snapshot.source,
        updated_at=MISSING if snapshot.updated_at is None else snapshot.updated_at,
        stale=snapshot.stale,
        tier=snapshot.tier,
        refreshing=snapshot.refreshing,
    )
