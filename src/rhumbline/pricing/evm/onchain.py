"""Spot prices in Uniswap's pools on an EVM chain, against stable coins and the wrapped native asset.

Needs a node and nobody else; it is the sandbox's source. A spot price can be moved by whoever pays for it, so on a
public chain it should stand beside another source.

A token's price is the median of its pools' prices, weighted by liquidity, over the pools that have enough. Stable coins
count as one dollar where others are priced in them; a stable coin itself is priced in the other stable coins, or, where
it is alone, in the native asset, which makes it one dollar.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal
from fractions import Fraction

from rhumbline.domain.clock import Clock
from rhumbline.domain.errors import NodeRefused, NodeUnavailable
from rhumbline.domain.price import PriceKey, PriceQuote
from rhumbline.gateways.nodes.evm.multicall import Read, read_many
from rhumbline.gateways.nodes.evm.rpc import EvmRpc
from rhumbline.pricing.evm.pools import (
    FEES,
    Market,
    Pair,
    Pool,
    decimals_read,
    factory_reads,
    found_pools,
    market,
    market_reads,
    median,
    pair_of,
)
from rhumbline.pricing.source import SourceUnavailable

_LOOK_AGAIN = timedelta(minutes=10)
_MOST_KNOWN = 20_000
_MOST_DECIMALS = 77


@dataclass(frozen=True, slots=True)
class Venue:
    """Where to read on one chain, by canonical addresses; ``stables``, one at least, are worth a dollar."""

    rpc: EvmRpc
    multicall: str
    stables: tuple[str, ...]
    wrapped_native: str | None = None
    v2_factory: str | None = None
    v3_factory: str | None = None
    fees: tuple[int, ...] = FEES
    least_liquidity_usd: Decimal = Decimal(10_000)


@dataclass(frozen=True, slots=True)
class _Known:
    """Pools, with the time they were looked for, and decimals."""

    pools: dict[Pair, tuple[datetime, tuple[Pool, ...]]] = field(default_factory=dict)
    decimals: dict[str, int] = field(default_factory=dict)


class OnChain:
    """Reads pools of several chains, each by its own node."""

    name = "onchain"
    batch_size = 25
    interval_s = 0.0
    """An own node needs no pause."""

    def __init__(self, venues: Mapping[int, Venue], clock: Clock) -> None:
        self._venues = dict(venues)
        self._known = {chain_id: _Known() for chain_id in venues}
        self._clock = clock

    def covers(self, chain_id: int, /) -> bool:
        return chain_id in self._venues

    async def prices(self, tokens: Sequence[PriceKey], /) -> Mapping[PriceKey, PriceQuote]:
        """Return what the pools say, all at one block."""
        chain_id = tokens[0][0]
        venue, known = self._venues[chain_id], self._known[chain_id]
        wanted = [token for _, token in tokens]
        try:
            await _learn_decimals(venue, known, [*wanted, *_anchors(venue)])
            pairs = [pair for pair in _pairs(venue, wanted) if known.decimals.keys() >= set(pair)]
            await self._learn_pools(venue, known, pairs)
            markets = await _markets(venue, [pool for pair in pairs for pool in known.pools[pair][1]])
        except (NodeUnavailable, NodeRefused) as error:
            raise SourceUnavailable(f"{self.name}: {error}") from error
        now, anchors = self._clock(), _anchor_prices(venue, known, markets)
        found: dict[PriceKey, PriceQuote] = {}
        for token in wanted:
            price = _price(token, _priced_in(venue, token, anchors), venue, known, markets)
            if price is not None and price[0] > 0:
                found[chain_id, token] = PriceQuote(*price, now)
        return found

    async def _learn_pools(self, venue: Venue, known: _Known, pairs: Sequence[Pair]) -> None:
        now = self._clock()
        if len(known.pools) > _MOST_KNOWN:
            known.pools.clear()
        asked = [pair for pair in pairs if pair not in known.pools or now - known.pools[pair][0] >= _LOOK_AGAIN]
        questions = [factory_reads(pair, venue.v2_factory, venue.v3_factory, venue.fees) for pair in asked]
        answers = await _read(venue, questions)
        for pair, answer in zip(asked, answers, strict=True):
            known.pools[pair] = now, found_pools(pair, answer, has_v2=venue.v2_factory is not None)


def _anchors(venue: Venue) -> tuple[str, ...]:
    return venue.stables if venue.wrapped_native is None else (*venue.stables, venue.wrapped_native)


def _pairs(venue: Venue, tokens: Iterable[str]) -> list[Pair]:
    """List the pairs that matter: every token with every anchor, and the native asset with the stable coins."""
    anchors = _anchors(venue)
    both = [(token, anchor) for token in tokens for anchor in anchors]
    if venue.wrapped_native is not None:
        both += [(venue.wrapped_native, stable) for stable in venue.stables]
    return list(dict.fromkeys(pair_of(one, other) for one, other in both if one != other))


def _anchor_prices(venue: Venue, known: _Known, markets: Sequence[Market]) -> Mapping[str, Fraction]:
    usd = dict.fromkeys(venue.stables, Fraction(1))
    native = venue.wrapped_native
    if native is not None and native not in usd:
        price = _price(native, dict(usd), venue, known, markets)
        if price is not None:
            usd[native] = Fraction(price[0])
    return usd


def _priced_in(venue: Venue, token: str, anchors: Mapping[str, Fraction]) -> Mapping[str, Fraction]:
    """Choose what a token is priced in, so that nothing is priced in itself by a detour."""
    stables = {name: usd for name, usd in anchors.items() if name in venue.stables and name != token}
    if stables and (token in venue.stables or token == venue.wrapped_native):
        return stables
    return {name: usd for name, usd in anchors.items() if name != token}


def _price(
    token: str, anchors: Mapping[str, Fraction], venue: Venue, known: _Known, markets: Sequence[Market]
) -> tuple[Decimal, Decimal] | None:
    prices = [
        each.price(token, known.decimals, anchors)
        for each in markets
        if token in each.tokens and any(other in anchors for other in each.tokens if other != token)
    ]
    return median(prices, venue.least_liquidity_usd)


async def _learn_decimals(venue: Venue, known: _Known, tokens: Iterable[str]) -> None:
    if len(known.decimals) > _MOST_KNOWN:
        known.decimals.clear()
    asked = [token for token in dict.fromkeys(tokens) if token not in known.decimals]
    for token, (data,) in zip(asked, await _read(venue, [[decimals_read(token)] for token in asked]), strict=True):
        number = int.from_bytes(data) if data is not None and len(data) == 32 else None
        if number is not None and number <= _MOST_DECIMALS:
            known.decimals[token] = number


async def _markets(venue: Venue, pools: Sequence[Pool]) -> list[Market]:
    answers = await _read(venue, [market_reads(pool) for pool in pools])
    found = (market(pool, answer) for pool, answer in zip(pools, answers, strict=True))
    return [each for each in found if each is not None]


async def _read(venue: Venue, questions: Sequence[Sequence[Read]]) -> list[tuple[bytes | None, ...]]:
    """Make groups of reads in one call and return the answers in the same groups."""
    if not questions:
        return []
    reads = [read for group in questions for read in group]
    answers = iter((await read_many(venue.rpc, reads, venue.multicall)).answers)
    return [tuple(next(answers) for _ in group) for group in questions]
