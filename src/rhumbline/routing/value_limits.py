"""What may be lost, what is too good to be true, and what a swap before a bridge must bring, by known prices. Pure.

Prices only ever refuse here: one that is missing, or moved, costs a route and never money.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from rhumbline.domain.errors import SlippageTooTight
from rhumbline.domain.quote import Quote, Refusal
from rhumbline.domain.simulation import Bridged
from rhumbline.domain.token import Token
from rhumbline.routing.quote_context import QuoteContext
from rhumbline.routing.quote_prices import PriceReader, fresh_price, independent_price
from rhumbline.routing.ranking import unit_values, usd
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


@dataclass(frozen=True, slots=True)
class PairValues:
    """What raw units of a pair and of the native asset are worth at fresh prices, as ``unit_values`` tells.

    None where that is not known. It is settled once for all quotes of a context.
    """

    sold: int | None
    bought: int | None
    native: int | None

    @classmethod
    def of(cls, context: QuoteContext) -> "PairValues":
        tokens = (context.pair.origin, context.pair.destination, context.request.origin.native)
        return cls(*unit_values(*((token, fresh_price(token, context.prices)) for token in tokens)))

    def exchanged(self, quote: Quote[Any]) -> tuple[int, int] | None:
        """Return the value of what is paid, the native fee included, and of what is promised; None without prices."""
        if self.sold is None or self.bought is None:
            return None
        # Of a native fee without a price at least the rest is known.
        paid = quote.request.amount * self.sold + quote.native_fee * (self.native or 0)
        return paid, quote.output_amount * self.bought


def too_lossy(context: QuoteContext, quote: Quote[Any], values: PairValues, limits: ValueLimits) -> Refusal | None:
    """Refuse a loss of value beyond the limit, unless the caller's own bound covers it."""
    paid, got = values.exchanged(quote) or (0, 0)
    if not _exceeds(paid - got, limits.largest_loss, paid):
        return None
    own = None if context.request.auto_slippage else context.request.slippage
    if own is not None and not _exceeds(paid - got, own, paid):
        return None
    reason = f"about {_percent(lost_share(paid, got))} % of the value would be lost at the known prices"
    return Refusal(quote.adapter, SlippageTooTight.kind, reason)


def too_good(context: QuoteContext, quote: Quote[Any], values: PairValues, limits: ValueLimits) -> Refusal | None:
    """Refuse an answer that is worth more than its input by more than prices may lie apart."""
    limit = limits.largest_gain.get(context.pair.kind)
    if limit is None:
        return None
    paid, got = values.exchanged(quote) or (0, 0)
    if context.pair.kind in (PairKind.WRAP, PairKind.SAME_ASSET):
        # The same asset is worth the same wherever it is, whatever prices say.
        asked = quote.request
        paid = asked.amount * 10**asked.destination_token.decimals
        got = quote.output_amount * 10**asked.origin_token.decimals
    if not _exceeds(got - paid, limit, paid):
        return None
    gained = _percent(-lost_share(paid, got))
    return Refusal(quote.adapter, REFUSED, f"promises about {gained} % more than the input is worth")


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


def _exceeds(part: int, share: Fraction, whole: int) -> bool:
    return part * share.denominator > whole * share.numerator


def _percent(share: Fraction) -> int:
    return -(-share.numerator * 100 // share.denominator)
