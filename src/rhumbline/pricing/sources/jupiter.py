"""Jupiter's Price API V3: Solana tokens by their last swaps.

https://dev.jup.ag/docs/price/v3, ``GET /price/v3?ids=…``: up to 50 mints. ``https://api.jup.ag`` takes the key in
``x-api-key``, 60 calls a minute in its free tier, and answers without one too, 30 a minute; all its endpoints count
together (https://dev.jup.ag/docs/portal/rate-limits, read 2026-11-23). Each mint has ``usdPrice`` and,
where Jupiter knows it, ``liquidity`` in USD; a mint without a reliable price is absent or null. Jupiter prices whatever
is traded, so that a mint whose liquidity it does not tell has none that counts. Written 2026-11, not tried live.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from rhumbline.domain.clock import Clock
from rhumbline.domain.price import PriceKey, PriceQuote
from rhumbline.gateways.upstreams.upstream import Upstream
from rhumbline.pricing.sources.answers import ask, by_name, members, positive
from rhumbline.pricing.sources.chain_names import SOLANA

URL = "https://api.jup.ag"
KEY_HEADER = "x-api-key"
INTERVAL_WITHOUT_KEY_S = 6.5
"""A third of the free rate without a key, which is shared with quotes of the adapter of that name."""


@dataclass(frozen=True, slots=True)
class Jupiter:
    """Prices of mints."""

    upstream: Upstream
    clock: Clock
    name: str = "jupiter"
    batch_size: int = 50
    interval_s: float = 1.1

    def covers(self, chain_id: int, /) -> bool:
        return chain_id == SOLANA

    async def prices(self, tokens: Sequence[PriceKey], /) -> Mapping[PriceKey, PriceQuote]:
        query = {"ids": ",".join(token for _, token in tokens)}
        answer = members(self.name, await ask(self.upstream, "/price/v3", query), "the answer")
        found: dict[PriceKey, PriceQuote] = {}
        for mint, token in by_name(tokens).items():
            price = answer.get(mint)
            usd = positive(price.get("usdPrice")) if isinstance(price, dict) else None
            if isinstance(price, dict) and usd is not None:
                found[token] = PriceQuote(usd, positive(price.get("liquidity")) or Decimal(0), self.clock())
        return found
