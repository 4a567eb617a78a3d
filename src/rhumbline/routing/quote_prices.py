"""Prices as one answer uses them: each token's is read once, and holds until the answer is made."""

from collections.abc import Callable, Iterable
from decimal import Decimal

from rhumbline.domain.price import POOL_READERS, PriceKey, PriceSnapshot
from rhumbline.domain.token import Token

PriceReader = Callable[[int, str], PriceSnapshot | None]
"""Reads a cached price by chain and token; None when there is none."""


def no_prices(chain_id: int, token: str) -> None:
    """Know no price: for services without a price source."""


class QuotePrices:
    """A price reader for one answer, so that no two parts of it are reckoned with different prices of one token.

    The tokens that are known from the beginning are read at one moment; another one, in which an upstream takes its
    fee, say, is read when it is first asked for. What was read is never read again.
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
    """Return a price that may be used against somebody: like ``usd_price``, and not stale."""
    snapshot = prices(token.chain_id, token.address)
    return None if snapshot is None or snapshot.stale else usd_price(token, prices)


def is_awaited(token: Token | None, prices: PriceReader) -> bool:
    """Tell whether a listed token's price is missing, or stale, for want of a source that answers."""
    snapshot = prices(token.chain_id, token.address) if token is not None and token.listed else None
    return snapshot is not None and snapshot.awaited


def independent_price(token: Token, prices: PriceReader, vendor: str) -> Decimal | None:
    """Return a price that may be evidence against ``vendor``, a word such as ``RELAY`` or ``JUPITER``.

    Like ``fresh_price``, of a listed token, and somebody stands behind it who neither repeats what pools say nor is the
    vendor: the source whose price it is, or one that agrees with it. Others' word counts within that agreement, 5 %.
    """
    snapshot = prices(token.chain_id, token.address) if token.listed else None
    if snapshot is None or snapshot.stale or snapshot.usd is None or not snapshot.usd > 0:
        return None
    behind = {snapshot.source, *snapshot.agreeing} - {None, *POOL_READERS, vendor.lower()}
    return snapshot.usd if behind else None
