"""Pools as a price needs them: what they hold, and the spot price.

Functions read (2026-11): v2-core 1.0.1 ``getReserves``; v3-core 1.0.1 ``slot0`` and ``liquidity``; ERC-20
``balanceOf``.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from rhumbline.domain.price import ratio
from rhumbline.gateways.evm.abi import encode_call, selector
from rhumbline.gateways.nodes.evm.multicall import Read
from rhumbline.liquidity.kinds.unswappable import Unswappable
from rhumbline.liquidity.kinds.v2 import V2State
from rhumbline.liquidity.pools import Pair, Pool, Version

_Q96 = 1 << 96


@dataclass(frozen=True, slots=True)
class Market:
    """A pool at one block: raw units of the second token for one of the first, and what stands behind the price.

    ``reserves`` are raw units of both tokens. Of a V3 pool they are the lesser of what it holds and what its liquidity
    at the present price amounts to: tokens that lie far away from the price do not make a pool deep, and neither does a
    narrow range with little in it.
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


def market_reads(pool: Pool) -> list[Read]:
    if pool.version is Version.V2:
        return [Read(pool.address, selector("getReserves()"))]
    balance = encode_call("balanceOf(address)", ["address"], [pool.address])
    return [
        Read(pool.address, selector("slot0()")),
        Read(pool.address, selector("liquidity()")),
        *(Read(token, balance) for token in (pool.token0, pool.token1)),
    ]


def market(pool: Pool, answers: Sequence[bytes | None]) -> Market | None:
    """Read the answers to ``market_reads``; None for a pool that is empty or does not answer as one."""
    words = [None if data is None or len(data) < 32 else int.from_bytes(data[:32]) for data in answers]
    if pool.version is Version.V2:
        data = answers[0]
        if data is None or len(data) < 64:
            return None
        reserves = int.from_bytes(data[:32]), int.from_bytes(data[32:64])
        try:
            spot = V2State(*reserves).spot(zero_for_one=True)
        except Unswappable:
            return None
        return Market((pool.token0, pool.token1), spot, reserves) if spot else None
    price, liquidity, held0, held1 = words
    if not price or liquidity is None or held0 is None or held1 is None:
        return None
    active = liquidity * _Q96 // price, liquidity * price // _Q96
    return Market(
        (pool.token0, pool.token1), Fraction(price * price, _Q96 * _Q96), (min(held0, active[0]), min(held1, active[1]))
    )


def median(prices: Iterable[tuple[Fraction, Fraction]], least: Decimal) -> tuple[Decimal, Decimal] | None:
    """Return median price, weighted by liquidity, and whole liquidity (18 digits) of pools with ``least``, if any."""
    deep = sorted((price, liquidity) for price, liquidity in prices if liquidity >= Fraction(least) and liquidity > 0)
    total, passed = sum((liquidity for _, liquidity in deep), Fraction(0)), Fraction(0)
    for price, liquidity in deep:
        passed += liquidity
        if 2 * passed >= total:
            return _decimal(price), _decimal(total)
    return None


def _decimal(value: Fraction) -> Decimal:
    return ratio(Decimal(value.numerator), Decimal(value.denominator))
