"""DefiLlama: prices of tokens that its protocols hold, with its own confidence.

https://api-docs.defillama.com, ``GET https://coins.llama.fi/prices/current/{coins}``: comma-separated
``{chain}:{address}``, no key, 500 calls a minute; we ask for 50 at once, so that the request line stays short.
Each coin has ``price``, ``timestamp`` in seconds and ``confidence`` from 0 to 1. Written 2026-11, not tried live.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from rhumbline.domain.price import PriceKey, PriceQuote
from rhumbline.gateways.upstreams.upstream import Upstream
from rhumbline.pricing.sources.answers import ask, by_name, members, moment, positive, spelt
from rhumbline.pricing.sources.chain_names import DEFILLAMA

URL = "https://coins.llama.fi"
LEAST_CONFIDENCE = Decimal("0.9")


@dataclass(frozen=True, slots=True)
class DefiLlama:
    """Prices that DefiLlama itself is sure of; it does not say how much liquidity is behind them."""

    upstream: Upstream
    name: str = "defillama"
    batch_size: int = 50
    interval_s: float = 0.2
    chain_names: Mapping[int, str] = field(default_factory=lambda: DEFILLAMA)

    def covers(self, chain_id: int, /) -> bool:
        return chain_id in self.chain_names

    async def prices(self, tokens: Sequence[PriceKey], /) -> Mapping[PriceKey, PriceQuote]:
        """Return the prices that have a time and enough confidence."""
        chain = self.chain_names[tokens[0][0]]
        names = ",".join(f"{chain}:{token}" for _, token in tokens)
        answer = members(self.name, await ask(self.upstream, f"/prices/current/{names}", {}), "the answer")
        coins, keys = members(self.name, answer.get("coins"), "coins"), by_name(tokens)
        found: dict[PriceKey, PriceQuote] = {}
        for name, coin in coins.items():
            its_chain, _, address = name.partition(":")
            token = keys.get(spelt(address))
            if token is None or its_chain != chain or not isinstance(coin, dict):
                continue
            usd, at, sure = positive(coin.get("price")), moment(coin.get("timestamp")), positive(coin.get("confidence"))
            if usd is not None and at is not None and sure is not None and sure >= LEAST_CONFIDENCE:
                found[token] = PriceQuote(usd, None, at)
        return found
