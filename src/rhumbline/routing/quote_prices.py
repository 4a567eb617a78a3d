"""The prices of one answer: each token's price is read once and used throughout; and the amounts they give."""

from collections.abc import Callable, Iterable
from decimal import Decimal
from fractions import Fraction
from math import lcm

from rhumbline.domain.price import POOL_READERS, PriceKey, PriceSnapshot
from rhumbline.domain.token import Token

PriceReader = Callable[[int, str], PriceSnapshot | None]
"""Reads a cached price by chain and token, None if there is none."""


def no_prices(chain_id: int, token: str) -> None:
    """Know no price: for services without a price source."""


class QuotePrices:
    """A price reader for one answer, so that all its parts use the same price of a token.

    The tokens known from the beginning are read at one moment; another one, such as the token of an upstream's fee,
    when it is first needed. No price is read twice.
    """

    __slots__ = ("_read", "_seen")

    def __init__(self, read: PriceReader, tokens: Iterable[Token] = ()) -> None:
        self._read = read
        keys = dict.fromkeys((token.chain_id, token.address) for token in tokens)
        self._seen: dict[PriceKey, PriceSnapshot | None] = {key: read(*key) for key in keys}

    def __call__(self, chain_id: int, token: str) -> PriceSnapshot | None:
        """Return the price of this answer; None when there is none."""
        key = chain_id, token
        if key not in self._seen:
            self._seen[key] = self._read(chain_id, token)
        return self._seen[key]


def usd_price(token: Token, prices: PriceReader) -> Decimal | None:
    """Return a whole token's cached price in USD; None when there is none, or none above zero."""
    snapshot = prices(token.chain_id, token.address)
    return snapshot.usd if snapshot is not None and snapshot.usd is not None and snapshot.usd > 0 else None


def fresh_price(token: Token, prices: PriceReader) -> Decimal | None:
    """Return a price that may be used to refuse a quote: like ``usd_price``, and not stale."""
    snapshot = prices(token.chain_id, token.address)
    return None if snapshot is None or snapshot.stale else usd_price(token, prices)


def is_awaited(token: Token | None, prices: PriceReader) -> bool:
    """Return whether a listed token's price is missing or stale because no source answers."""
    snapshot = prices(token.chain_id, token.address) if token is not None and token.listed else None
    return snapshot is not None and snapshot.awaited


def independent_price(token: Token, prices: PriceReader, vendor: str) -> Decimal | None:
    """Return a price that is independent of ``vendor``, such as ``RELAY`` or ``JUPITER``.

    Like ``fresh_price``, for a listed token, and confirmed by a source that neither derives its prices from pools nor
    is the vendor: the price is its own, or agrees with its own within 5 %.
    """
    snapshot = prices(token.chain_id, token.address) if token.listed else None
    if snapshot is None or snapshot.stale or snapshot.usd is None or not snapshot.usd > 0:
        return None
    behind = {snapshot.source, *snapshot.agreeing} - {None, *POOL_READERS, vendor.lower()}
    return snapshot.usd if behind else None


def usd(amount: int, token: Token, price: Decimal) -> Fraction:
    """Return what raw units of a token are worth in USD, exactly."""
    return Fraction(price) * Fraction(amount, 10**token.decimals)


def unit_values(*prices: tuple[Token, Decimal | None]) -> tuple[int | None, ...]:
    """Return the value of one raw unit of each token by its price, None without one, as integers over one scale.

    The scale is so fine that nothing is rounded: comparisons need no fraction.
    """
    units = [None if price is None else _unit_ratio(token, price) for token, price in prices]
    scale = lcm(*[unit[1] for unit in units if unit is not None])
    return tuple([None if unit is None else unit[0] * (scale // unit[1]) for unit in units])


def _unit_ratio(token: Token, price: Decimal) -> tuple[int, int]:
    top, bottom = price.as_integer_ratio()
    return top, bottom * 10**token.decimals
