"""Pools in terms of prices: their depth, and the spot price."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from rhumbline.domain.price import ratio
from rhumbline.gateways.evm.abi import selector
from rhumbline.gateways.nodes.evm.multicall import Read
from rhumbline.liquidity.kinds.pool_state import PoolState
from rhumbline.liquidity.kinds.pools import Pair, Pool
from rhumbline.liquidity.kinds.unswappable import Unswappable


@dataclass(frozen=True, slots=True)
class PricedPool:
    """A pool at one block: raw units of the second token for one of the first, and the depth at that price.

    ``reserves`` are raw units of both tokens that the pool gives near its price (``Ladder.reserve``): neither tokens
    far away from the price make a pool deep, nor a narrow range with little in it.
    """

    tokens: Pair
    spot: Fraction
    reserves: tuple[int, int]

    def price(self, token: str, decimals: Mapping[str, int], usd: Mapping[str, Fraction]) -> tuple[Fraction, Fraction]:
        """Return USD for one whole ``token``, one of the two, and twice the other side's worth in USD."""
        place = self.tokens.index(token)
        other = self.tokens[1 - place]
        raw = self.spot if place == 0 else 1 / self.spot
        unit = usd[other] / 10 ** decimals[other]
        return raw * 10 ** decimals[token] * unit, 2 * self.reserves[1 - place] * unit


def decimals_read(token: str) -> Read:
    return Read(token, selector("decimals()"))


def priced_pool(pool: Pool, state: PoolState | None) -> PricedPool | None:
    """Read a pool's state; None for an empty pool, or one that cannot be traded with."""
    if state is None:
        return None
    try:
        spot, reserves = state.spot(True), (state.ladder(False).reserve, state.ladder(True).reserve)
    except Unswappable:
        return None
    return PricedPool((pool.token0, pool.token1), spot, reserves) if spot else None


def median(prices: Iterable[tuple[Fraction, Fraction]], least: Decimal) -> tuple[Decimal, Decimal] | None:
    """Return the liquidity-weighted median price and total liquidity (18 digits) of pools with ``least``, if any."""
    deep = sorted((price, liquidity) for price, liquidity in prices if liquidity >= Fraction(least) and liquidity > 0)
    total, passed = sum((liquidity for _, liquidity in deep), Fraction(0)), Fraction(0)
    for price, liquidity in deep:
        passed += liquidity
        if 2 * passed >= total:
            return _decimal(price), _decimal(total)
    return None


def _decimal(value: Fraction) -> Decimal:
    return ratio(Decimal(value.numerator), Decimal(value.denominator))
