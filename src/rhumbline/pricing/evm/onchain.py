"""Spot prices in the pools on an EVM chain, against stable coins and the wrapped native asset.

It needs only a node, and is the sandbox's source. Anybody who pays for it can move a spot price, so on a public chain
there should be another source too. A token's price is the median of its pools' prices, weighted by liquidity, over the
pools that have enough. Stable coins count as one dollar when other tokens are priced in them; a stable coin itself is
priced in the other stable coins, or, if it is alone, in the native asset, which makes it one dollar.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from rhumbline.domain.clock import Clock
from rhumbline.domain.errors import NodeRefused, NodeUnavailable
from rhumbline.domain.price import PriceKey, PriceQuote
from rhumbline.gateways.nodes.evm.multicall import Read, read_many
from rhumbline.gateways.nodes.evm.rpc import EvmRpc
from rhumbline.liquidity.block_reads import HeadGone
from rhumbline.liquidity.chain_pools import ChainPools
from rhumbline.liquidity.kinds.pools import Pair, pair_of
from rhumbline.liquidity.market import Market
from rhumbline.pricing.evm.pools import PricedPool, decimals_read, median, priced_pool
from rhumbline.pricing.source import SourceUnavailable

_MOST_KNOWN = 20_000
_MOST_DECIMALS = 77


@dataclass(frozen=True, slots=True)
class Venue:
    """Where to read on one chain; ``stables``, by canonical addresses, one at least, are worth a dollar."""

    rpc: EvmRpc
    pools: ChainPools
    stables: tuple[str, ...]
    least_liquidity_usd: Decimal = Decimal(10_000)

    @property
    def anchors(self) -> tuple[str, ...]:
        return (*self.stables, self.pools.deployment.wrapped_native.address)


class OnChain:
    """Reads pools of several chains, each by its own node."""

    name = "onchain"
    batch_size = 25
    interval_s = 0.0
    """An own node needs no pause."""

    def __init__(self, venues: Mapping[int, Venue], clock: Clock) -> None:
        self._venues = dict(venues)
        self._decimals: dict[int, dict[str, int]] = {chain_id: {} for chain_id in venues}
        self._clock = clock

    def covers(self, chain_id: int, /) -> bool:
        return chain_id in self._venues

    async def prices(self, tokens: Sequence[PriceKey], /) -> Mapping[PriceKey, PriceQuote]:
        """Return what the pools say, all at one block."""
        chain_id = tokens[0][0]
        venue, decimals = self._venues[chain_id], self._decimals[chain_id]
        addresses = [token for _, token in tokens]
        try:
            await _learn_decimals(venue, decimals, [*addresses, *venue.anchors])
            pairs = [pair for pair in _pairs(venue, addresses) if decimals.keys() >= set(pair)]
            markets = _priced(await venue.pools.seen(pairs))
        except (HeadGone, NodeUnavailable, NodeRefused) as error:
            raise SourceUnavailable(f"{self.name}: {error}") from error
        now, anchors = self._clock(), _anchor_prices(venue, decimals, markets)
        found: dict[PriceKey, PriceQuote] = {}
        for token in addresses:
            price = _price(token, _priced_in(venue, token, anchors), venue, decimals, markets)
            if price is not None and price[0] > 0:
                found[chain_id, token] = PriceQuote(*price, now)
        return found


def _pairs(venue: Venue, tokens: Iterable[str]) -> list[Pair]:
    """List the pairs that matter: every token with every anchor, and the native asset with the stable coins."""
    both = [(token, anchor) for token in tokens for anchor in venue.anchors]
    both += [(venue.pools.deployment.wrapped_native.address, stable) for stable in venue.stables]
    return list(dict.fromkeys(pair_of(one, other) for one, other in both if one != other))


def _anchor_prices(venue: Venue, decimals: Mapping[str, int], markets: Sequence[PricedPool]) -> Mapping[str, Fraction]:
    usd = dict.fromkeys(venue.stables, Fraction(1))
    native = venue.pools.deployment.wrapped_native.address
    if native not in usd:
        price = _price(native, dict(usd), venue, decimals, markets)
        if price is not None:
            usd[native] = Fraction(price[0])
    return usd


def _priced_in(venue: Venue, token: str, anchors: Mapping[str, Fraction]) -> Mapping[str, Fraction]:
    """Choose what a token is priced in, so that nothing is priced in itself by a detour."""
    stables = {name: usd for name, usd in anchors.items() if name in venue.stables and name != token}
    if stables and (token in venue.stables or token == venue.pools.deployment.wrapped_native.address):
        return stables
    return {name: usd for name, usd in anchors.items() if name != token}


def _price(
    token: str,
    anchors: Mapping[str, Fraction],
    venue: Venue,
    decimals: Mapping[str, int],
    markets: Sequence[PricedPool],
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
    missing = [token for token in dict.fromkeys(tokens) if token not in decimals]
    for token, (data,) in zip(missing, await _read(venue, [[decimals_read(token)] for token in missing]), strict=True):
        number = int.from_bytes(data) if data is not None and len(data) == 32 else None
        if number is not None and number <= _MOST_DECIMALS:
            decimals[token] = number


def _priced(market: Market) -> list[PricedPool]:
    pools = (priced_pool(pool, market.states[pool.key]) for each in market.pools.values() for pool in each)
    return [pool for pool in pools if pool is not None]


async def _read(venue: Venue, questions: Sequence[Sequence[Read]]) -> list[tuple[bytes | None, ...]]:
    """Make groups of reads in one call and return the answers in the same groups."""
    if not questions:
        return []
    reads = [read for group in questions for read in group]
    answers = iter((await read_many(venue.rpc, reads, venue.pools.deployment.multicall)).answers)
    return [tuple(next(answers) for _ in group) for group in questions]
