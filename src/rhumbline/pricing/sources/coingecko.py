"""CoinGecko: prices of coins that it lists, over all markets.

https://docs.coingecko.com/reference/simple-token-price, ``GET /simple/token_price/{platform}``. The public API and the
demo key (``x-cg-demo-api-key``, 30 calls a minute) take one address a call; a paid key (``x-cg-pro-api-key`` at
``https://pro-api.coingecko.com/api/v3``) takes a hundred, 500 calls a minute.
Written 2026-11, not tried live.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rhumbline.domain.price import PriceKey, PriceQuote
from rhumbline.gateways.upstreams.upstream import Upstream
from rhumbline.pricing.sources.answers import ask, by_name, members, moment, positive, spelt
from rhumbline.pricing.sources.chain_names import COINGECKO

URL = "https://api.coingecko.com/api/v3"
URL_PAID = "https://pro-api.coingecko.com/api/v3"
KEY_HEADER = "x-cg-demo-api-key"
KEY_HEADER_PAID = "x-cg-pro-api-key"


@dataclass(frozen=True, slots=True)
class CoinGecko:
    """Prices of listed coins; CoinGecko does not say how much liquidity is behind them.

    The defaults are those of the public API; with a demo key ``interval_s`` 2.1 will do, with a paid one ``batch_size``
    100 and ``interval_s`` 0.15.
    """

    upstream: Upstream
    name: str = "coingecko"
    batch_size: int = 1
    interval_s: float = 6.5
    chain_names: Mapping[int, str] = field(default_factory=lambda: COINGECKO)

    def covers(self, chain_id: int, /) -> bool:
        return chain_id in self.chain_names

    async def prices(self, tokens: Sequence[PriceKey], /) -> Mapping[PriceKey, PriceQuote]:
        query = {
            "contract_addresses": ",".join(token for _, token in tokens),
            "vs_currencies": "usd",
            "include_last_updated_at": "true",
            "precision": "full",
        }
        path = f"/simple/token_price/{self.chain_names[tokens[0][0]]}"
        answer, keys = members(self.name, await ask(self.upstream, path, query), "the answer"), by_name(tokens)
        found: dict[PriceKey, PriceQuote] = {}
        for address, coin in answer.items():
            token = keys.get(spelt(address))
            if token is None or not isinstance(coin, dict):
                continue
            usd, at = positive(coin.get("usd")), moment(coin.get("last_updated_at"))
            if usd is not None and at is not None:
                found[token] = PriceQuote(usd, None, at)
        return found
