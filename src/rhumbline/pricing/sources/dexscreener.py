"""DexScreener: the price in a token's deepest pool.

https://docs.dexscreener.com/api/reference, ``GET /tokens/v1/{chainId}/{tokenAddresses}``: up to 30 addresses, 300 calls
a minute, no key. The answer is a list of pairs; ``priceUsd`` is that of the base token, ``priceNative`` what it costs
in the quote token. Written 2026-11, not tried live.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from rhumbline.domain.clock import Clock
from rhumbline.domain.price import PriceKey, PriceQuote, ratio
from rhumbline.gateways.http.strict_json import Json
from rhumbline.gateways.upstreams.upstream import Upstream
from rhumbline.pricing.source import SourceUnavailable
from rhumbline.pricing.sources.answers import ask, by_name, positive, spelt
from rhumbline.pricing.sources.chain_names import DEXSCREENER

URL = "https://api.dexscreener.com"


@dataclass(frozen=True, slots=True)
class DexScreener:
    """Prices of pools that anybody can make: their liquidity is what counts."""

    upstream: Upstream
    clock: Clock
    name: str = "dexscreener"
    batch_size: int = 30
    interval_s: float = 0.25
    chain_names: Mapping[int, str] = field(default_factory=lambda: DEXSCREENER)

    def covers(self, chain_id: int, /) -> bool:
        return chain_id in self.chain_names

    async def prices(self, tokens: Sequence[PriceKey], /) -> Mapping[PriceKey, PriceQuote]:
        """Return each token's price in the deepest pool that has it as its base token, else as its quote token."""
        chain = self.chain_names[tokens[0][0]]
        pairs = await ask(self.upstream, f"/tokens/v1/{chain}/{','.join(token for _, token in tokens)}", {})
        if not isinstance(pairs, list):
            raise SourceUnavailable(f"{self.name} answered no list")
        keys = by_name(tokens)
        best: dict[PriceKey, tuple[bool, Decimal, Decimal]] = {}
        for pair in pairs:
            for is_base, address, usd, liquidity in _sides(pair, chain):
                token = keys.get(spelt(address))
                if token is not None:
                    best[token] = max(best.get(token, (False, Decimal(-1), usd)), (is_base, liquidity, usd))
        now = self.clock()
        return {token: PriceQuote(usd, liquidity, now) for token, (_, liquidity, usd) in best.items()}


def _sides(pair: Json, chain: str) -> list[tuple[bool, str, Decimal, Decimal]]:
    """Return both tokens of a pair with their prices; what is not a sound pair of the chain has none."""
    if not isinstance(pair, dict) or pair.get("chainId") != chain:
        return []
    usd, liquidity = positive(pair.get("priceUsd")), pair.get("liquidity")
    depth = positive(liquidity.get("usd")) if isinstance(liquidity, dict) else None
    if usd is None:
        return []
    # A pool that does not say how deep it is, is not deep.
    depth = depth or Decimal(0)
    sides = [(True, _address(pair.get("baseToken")), usd, depth)]
    in_quote = positive(pair.get("priceNative"))
    if in_quote is not None:
        sides.append((False, _address(pair.get("quoteToken")), ratio(usd, in_quote), depth))
    return sides


def _address(token: Json) -> str:
    address = token.get("address") if isinstance(token, dict) else None
    return address if isinstance(address, str) else ""
