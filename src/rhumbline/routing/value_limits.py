"""What may be lost, what is too good to be true, what a swap before a bridge must bring, and what may be paid beside.

Pure. Prices only ever refuse here: one that is missing, or moved, costs a route and never money. What a wallet pays
beside the amount is the network's fee, and rent: whoever writes a transaction of Solana names the price of its units,
and has accounts made at the wallet's expense. Both are stated to the lamport, count in the comparison, and have a bound
that nobody but the operator sets.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from rhumbline.domain.amount import BASIS_POINTS
from rhumbline.domain.errors import SlippageTooTight, UpstreamFailed
from rhumbline.domain.quote import Quote, Refusal
from rhumbline.domain.simulation import Bridged, ExecutionStatus, Simulation
from rhumbline.domain.token import Token
from rhumbline.routing.offer import BuiltQuote
from rhumbline.routing.quote_context import QuoteContext
from rhumbline.routing.quote_prices import PriceReader, fresh_price, independent_price, is_awaited, usd_price
from rhumbline.routing.ranking import unit_values, usd
from rhumbline.routing.refusals import REFUSED
from rhumbline.routing.slippage import PairKind, lost_share, pair_kind

_MOST_UNPRICED = Fraction(1, 20)
"""Of a native token whose price is not known: so much at the most."""


@dataclass(frozen=True, slots=True)
class SideCostLimits:
    """``most_usd`` is the most that fee and rent may cost together, ``share`` the most of the input's value."""

    most_usd: Decimal = Decimal(10)
    share: Fraction = Fraction(1, 2)


def rent_of(built: BuiltQuote, simulation: Simulation | None) -> int:
    """Return what accounts that the transaction makes cost, in raw units of the native asset.

    Where no run shows it, that is the most that they may cost: no more leaves the wallet than is stated.
    """
    shown = 0 if simulation is None else sum(each.amount for each in simulation.rent)
    return shown if _has_run(simulation) else max(shown, built.most_rent)


def side_cost(built: BuiltQuote, simulation: Simulation | None) -> int | None:
    """Return fee and rent in raw units of the native asset; None where the transaction does not say its fee."""
    return None if built.network_fee is None else built.network_fee + rent_of(built, simulation)


def _has_run(simulation: Simulation | None) -> bool:
    return simulation is not None and simulation.result.status is ExecutionStatus.SUCCESS


def cost_fault(
    built: BuiltQuote, simulation: Simulation | None, prices: PriceReader, limits: SideCostLimits
) -> Refusal | None:
    """Say why a transaction is not offered for what it costs beside the amount; None where it may cost that."""
    if built.network_fee is None:
        return None
    # The most that accounts may cost, where no run shows it, has a bound already: four small ones.
    cost = built.network_fee + (rent_of(built, simulation) if _has_run(simulation) else 0)
    asked = built.offer.quote.request
    native, sold = asked.origin.native, asked.origin_token
    price = usd_price(native, prices)
    shown = f"{Decimal(cost).scaleb(-native.decimals):f} {native.symbol}"
    if price is None:
        if cost <= _MOST_UNPRICED * 10**native.decimals:
            return None
        reason = f"the network's fee and rent would cost {shown}, and no price tells what that is worth"
        if is_awaited(native, prices):
            reason = f"{reason}: the price sources have not answered"
            return Refusal(built.offer.quote.adapter, UpstreamFailed.kind, reason, ours=True)
        return Refusal(built.offer.quote.adapter, REFUSED, reason)
    worth = usd(cost, native, price)
    if worth > limits.most_usd:
        reason = f"the network's fee and rent would cost {shown}, more than {limits.most_usd:f} USD"
        return Refusal(built.offer.quote.adapter, REFUSED, reason)
    unit = price if sold.address in (native.address, asked.origin.wrapped_native) else fresh_price(sold, prices)
    if unit is None or worth <= limits.share * usd(asked.amount, sold, unit):
        return None
    percent = format(Decimal(limits.share.numerator * 100) / Decimal(limits.share.denominator), "f")
    reason = f"the network's fee and rent would cost {shown}, more than {percent} % of the amount; send more"
    return Refusal(built.offer.quote.adapter, REFUSED, reason)


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


def price_impact(quote: Quote[Any], prices: PriceReader) -> Fraction | None:
    """Return the share of its value that the trade loses, negative for a gain; None where nobody can tell.

    It is what the adapter says, else what fresh prices say of output and upstream's input.
    """
    if quote.price_impact_bps is not None:
        return Fraction(quote.price_impact_bps, BASIS_POINTS)
    asked = quote.request
    paid, got = fresh_price(asked.origin_token, prices), fresh_price(asked.destination_token, prices)
    if paid is None or got is None:
        return None
    received = usd(quote.output_amount, asked.destination_token, got)
    return lost_share(usd(asked.amount, asked.origin_token, paid), received)
