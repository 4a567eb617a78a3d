"""USD prices; ``Decimal`` throughout."""

from dataclasses import dataclass
from datetime import datetime
from decimal import ROUND_DOWN, Context, Decimal
from enum import StrEnum

PriceKey = tuple[int, str]
"""A chain's ID and a token's canonical address on it."""
DIGITS = 18
"""Significant digits of a price; the rest is cut off."""
POOL_READERS = frozenset({"onchain", "dexscreener"})
"""The price sources that repeat pools' present prices, which anybody can move by trading."""
_CUT = Context(prec=DIGITS, rounding=ROUND_DOWN)


class PriceTier(StrEnum):
    """How often a price is refreshed."""

    HOT = "hot"
    COLD = "cold"


@dataclass(frozen=True, slots=True)
class PriceSnapshot:
    """USD for one whole token (None: no acceptable price), of ``source``; ``agreeing`` are other sources that agree.

    ``awaited``: it is stale or missing, and no source has answered since: a price may come, or the sources may be
    unavailable.
    """

    chain_id: int
    token: str
    usd: Decimal | None
    source: str | None
    updated_at: datetime | None
    stale: bool
    tier: PriceTier
    refreshing: bool
    agreeing: tuple[str, ...] = ()
    awaited: bool = False


@dataclass(frozen=True, slots=True)
class PriceQuote:
    """One source's answer: USD for one whole token, its time, and the value of both sides of its pools, if stated."""

    usd: Decimal
    liquidity_usd: Decimal | None
    at: datetime


def cut(usd: Decimal) -> Decimal:
    """Keep 18 significant digits of a price, rounded down."""
    return _CUT.plus(usd)


def ratio(numerator: Decimal, denominator: Decimal) -> Decimal:
    """Divide two prices to 18 significant digits, rounded down; the denominator is not zero."""
    return _CUT.divide(numerator, denominator)
