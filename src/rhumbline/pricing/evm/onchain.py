"""Spot prices in the pools on an EVM chain, against stable coins and the wrapped native asset.

Needs a node and nobody else; it is the sandbox's source. A spot price can be moved by whoever pays for it, so on a
public chain it should stand beside another source.

A token's price is the median of its pools' prices, weighted by liquidity, over the pools that have enough. Stable coins
count as one dollar where others are priced in them; a stable coin itself is priced in the other stable coins, or, where
it is alone, in the native asset, which makes it one dollar.
"""

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from rhumbline.domain.clock import Clock
from rhumbline.domain.errors import NodeRefused, NodeUnavailable
from rhumbline.domain.price import PriceKey, PriceQuote
from rhumbline.gateways.nodes.evm.multicall import Read, read_many
from rhumbline.gateways.nodes.evm.rpc import EvmRpc
from rhumbline.liquidity.deployments import Deployment
from rhumbline.liquidity.discovery import PoolFinder
from rhumbline.liquidity.pools import Pair, Pool, pair_of
from rhumbline.pricing.evm.pools import Market, decimals_read, market, market_reads, median
from rhumbline.pricing.source import SourceUnavailable

LOOK_AGAIN_S = 600.0
"""A price needs a new pool less soon than a quote."""
_MOST_KNOWN = 20_000
_MOST_DECIMALS = 77


@dataclass(frozen=True, slots=True)
class Venue:
    """Where to read on one chain; ``stables``, by canonical addresses, one at least, are worth a dollar."""

    rpc: EvmRpc
    deployment: Deployment
    stables: tuple[str, ...]
    least_liquidity_usd: Decimal = Decimal(10_000)

    @property
    def anchors(self) -> tuple[str, ...]:
        return (*self.stables, self.deployment.wrapped_native.address)


class OnChain:
    """Reads pools of several chains, each by its own node."""

    name = "onchain"
    batch_size = 25
    interval_s = 0.0
    """An own node needs no pause."""

    def __init__(self, venues: Mapping[int, Venue], clock: Clock) -> None:
        self._venues = dict(venues)
        self._finders = {
            chain_id: PoolFinder(venue.rpc, venue.deployment, time.monotonic, LOOK_AGAIN_S)
            for chain_id, venue in venues.items()
        }
        self._decimals: dict[int, dict[str, int]] = {chain_id: {} for chain_id in venues}
        self._clock = clock

    def covers(self, chain_id: int, /) -> bool:
        return chain_id in self._venues

    async def prices(self, tokens: Sequence[PriceKey], /) -> Mapping[PriceKey, PriceQuote]:
        """Return what the pools say, all at one block."""
        chain_id = tokens[0][0]
        venue, decimals = self._venues[chain_id], self._decimals[chain_id]
        wanted = [token for _, token in tokens]
        try:
            await _learn_decimals(venue, decimals, [*wanted, *venue.anchors])
            pairs = [pair for pair in _pairs(venue, wanted) if decimals.keys() >= set(pair)]
            found_pools = await self._finders[chain_id].find(pairs)
            markets = await _markets(venue, [pool for pools in found_pools.values() for pool in pools])
        except (NodeUnavailable, NodeRefused) as error:
            raise SourceUnavailable(f"{self.name}: {error}") from error
        now, anchors = self._clock(), _anchor_prices(venue, decimals, markets)
        found: dict[PriceKey, PriceQuote] = {}
        for token in wanted:
            price = _price(token, _priced_in(venue, token, anchors), venue, decimals, markets)
            if price is not None and price[0] > 0:
                found[chain_id, token] = PriceQuote(*price, now)
        return found


def _pairs(venue: Venue, tokens: Iterable[str]) -> list[Pair]:
    """List the pairs that matter: every token with every anchor, and the native asset with the stable coins."""
    both = [(token, anchor) for token in tokens for anchor in venue.anchors]
    both += [(venue.deployment.wrapped_native.address, stable) for stable in venue.stables]
    return list(dict.fromkeys(pair_of(one, other) for one, other in both if one != other))


def _anchor_prices(venue: Venue, decimals: Mapping[str, int], markets: Sequence[Market]) -> Mapping[str, Fraction]:
    usd = dict.fromkeys(venue.stables, Fraction(1))
    native = venue.deployment.wrapped_native.address
    if native not in usd:
        price = _price(native, dict(usd), venue, decimals, markets)
        if price is not None:
            usd[native] = Fraction(price[0])
    return usd


def _priced_in(venue: Venue, token: str, anchors: Mapping[str, Fraction]) -> Mapping[str, Fraction]:
    """Choose what a token is priced in, so that nothing is priced in itself by a detour."""
    stables = {name: usd for name, usd in anchors.items() if name in venue.stables and name != token}
    if stables and (token in venue.stables or token == venue.deployment.wrapped_native.address):
        return stables
    return {name: usd for name, usd in anchors.items() if name != token}


def _price(
    token: str, anchors: Mapping[str, Fraction], venue: Venue, decimals: Mapping[str, int], markets: Sequence[Market]
) -> tuple[Decimal, Decimal] | None:
    prices = [
        each.price(token, decimals, anchors)
        for each in markets
        if token in each.tokens and any(other in anchors for other in each.tokens if other != token)
    ]
    return median(prices, venue.least_liquidity_usd)


async def _learn_decimals(venue: Venue, decimals: dict[str, int], tokens: Iterable[str]) -> None:
    if len(decimals) > _MOST_KNOWN:
        decimals.clear()
    asked = [token for token in dict.fromkeys(tokens) if token not in decimals]
    for token, (data,) in zip(asked, await _read(venue, [[decimals_read(token)] for token in asked]), strict=True):
        number = int.from_bytes(data) if data is not None and len(data) == 32 else None
        if number is not None and number <= _MOST_DECIMALS:
            decimals[token] = number


async def _markets(venue: Venue, pools: Sequence[Pool]) -> list[Market]:
    answers = await _read(venue, [market_reads(pool) for pool in pools])
    found = (market(pool, answer) for pool, answer in zip(pools, answers, strict=True))
    return [each for each in found if each is not None]


async def _read(venue: Venue, questions: Sequence[Sequence[Read]]) -> list[tuple[bytes | None, ...]]:
    """Make groups of reads in one call and return the answers in the same groups."""
    if not questions:
        return []
    reads = [read for group in questions for read in group]
    answers = iter((await read_many(venue.rpc, reads, venue.deployment.multicall)).answers)
    return [tuple(next(answers) for _ in group) for group in questions]
