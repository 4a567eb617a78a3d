"""What may be lost, what is too good to be true, and what a swap before a bridge must bring, by known prices. Pure.

Prices only ever refuse here: one that is missing, or moved, costs a route and never money.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from rhumbline.domain.errors import SlippageTooTight
from rhumbline.domain.quote import Quote, Refusal
from rhumbline.domain.simulation import Bridged
from rhumbline.domain.token import Token
from rhumbline.routing.fees import PriceReader, fresh_price, independent_price
from rhumbline.routing.quote_context import QuoteContext
from rhumbline.routing.ranking import usd
from rhumbline.routing.refusals import REFUSED
from rhumbline.routing.side_costs import SideCostLimits
from rhumbline.routing.slippage import PairKind, lost_share, pair_kind

LARGEST_GAIN: Mapping[PairKind, Fraction] = MappingProxyType(
    {
        PairKind.WRAP: Fraction(0),
        PairKind.SAME_ASSET: Fraction(5, 1000),
        PairKind.STABLE: Fraction(1, 100),
        PairKind.MAJOR: Fraction(3, 100),
        PairKind.LONG_TAIL: Fraction(10, 100),
    }
)
"""By how much an answer may be worth more than its input: what prices of different age and source lie apart."""
SWAP_LOSS: Mapping[PairKind, Fraction] = MappingProxyType(
    {
        PairKind.WRAP: Fraction(0),
        PairKind.SAME_ASSET: Fraction(1, 100),
        PairKind.STABLE: Fraction(1, 100),
        PairKind.MAJOR: Fraction(3, 100),
        PairKind.LONG_TAIL: Fraction(10, 100),
    }
)
"""How much of the input's value may be missing where an upstream swaps before its bridge: fees of venues, impact."""


@dataclass(frozen=True, slots=True)
class ValueLimits:
    """Shares of the input's value. A pair of a kind that is not in a table has no such limit, or no such swap.

    ``largest_loss`` bounds every quote, unless the caller's own slippage covers more; ``side_cost`` what is paid
    beside the amount.
    """

    largest_loss: Fraction = Fraction(1, 5)
    largest_gain: Mapping[PairKind, Fraction] = field(default_factory=lambda: LARGEST_GAIN)
    swap_loss: Mapping[PairKind, Fraction] = field(default_factory=lambda: SWAP_LOSS)
    side_cost: SideCostLimits = field(default_factory=SideCostLimits)


UNPRICED = "swaps before its bridge, and no independent price tells what that is worth"
"""Why a swap is not accepted that nobody can judge."""


def too_lossy(context: QuoteContext, quote: Quote[Any], prices: PriceReader, limits: ValueLimits) -> Refusal | None:
    """Refuse a loss of value beyond the limit, unless the caller's own bound covers it."""
    values = _values(quote, prices)
    if values is None:
        return None
    lost, request = lost_share(*values), context.request
    own = None if request.auto_slippage else request.slippage
    if lost <= limits.largest_loss or (own is not None and own >= lost):
        return None
    reason = f"about {_percent(lost)} % of the value would be lost at the known prices"
    return Refusal(quote.adapter, SlippageTooTight.kind, reason)


def too_good(context: QuoteContext, quote: Quote[Any], prices: PriceReader, limits: ValueLimits) -> Refusal | None:
    """Refuse an answer that is worth more than its input by more than prices may lie apart."""
    limit = limits.largest_gain.get(context.pair.kind)
    if limit is None:
        return None
    values = _values(quote, prices)
    if context.pair.kind in (PairKind.WRAP, PairKind.SAME_ASSET):
        # The same asset is worth the same wherever it is, whatever prices say.
        asked, one = quote.request, Decimal(1)
        values = usd(asked.amount, asked.origin_token, one), usd(quote.output_amount, asked.destination_token, one)
    if values is None:
        return None
    gained = -lost_share(*values)
    if gained <= limit:
        return None
    return Refusal(quote.adapter, REFUSED, f"promises about {_percent(gained)} % more than the input is worth")


def swap_fault(
    quote: Quote[Any], token: Token | None, seen: Bridged, vendor: str, prices: PriceReader, limits: ValueLimits
) -> str | None:
    """Say why what an upstream's swap brought to its bridge is not accepted; None when it is worth the input.

    ``token`` is what the bridge takes, None where that is not listed. Only end points count, by value: what the bridge
    gained, and what of the same token came back to the wallet.
    """
    asked = quote.request
    sold = asked.origin_token
    kind = None if token is None else pair_kind(asked.origin, sold, token)
    limit = None if kind is None else limits.swap_loss.get(kind)
    paid = independent_price(sold, prices, vendor)
    got = None if token is None else independent_price(token, prices, vendor)
    if token is None or limit is None or paid is None or got is None:
        return UNPRICED
    lost = lost_share(usd(asked.amount, sold, paid), usd(seen.amount + seen.kept, token, got))
    if lost <= limit:
        return None
    return f"about {_percent(lost)} % of the value does not reach its bridge"


def _values(quote: Quote[Any], prices: PriceReader) -> tuple[Fraction, Fraction] | None:
    """Return what is paid, the native fee included, and what is promised, in USD; None without fresh prices."""
    asked = quote.request
    paid, got = (fresh_price(token, prices) for token in (asked.origin_token, asked.destination_token))
    if paid is None or got is None:
        return None
    native = asked.origin.native
    # Of a native fee without a price at least the rest is known.
    beside = usd(quote.native_fee, native, fresh_price(native, prices) or Decimal(0))
    whole = usd(asked.amount, asked.origin_token, paid) + beside
    return whole, usd(quote.output_amount, asked.destination_token, got)


def _percent(share: Fraction) -> int:
    return -(-share.numerator * 100 // share.denominator)
