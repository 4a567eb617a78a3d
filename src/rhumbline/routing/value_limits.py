"""Limits of value: the largest loss and gain, the least output of a swap before a bridge, the largest side cost.

Pure. Prices only ever refuse here: a missing or moved one costs a route and never money. Beside the amount a wallet
pays the network's fee, and rent: the author of a Solana transaction sets its unit price, and has accounts created at
the wallet's expense. Both are stated to the lamport, count in the comparison, and have a bound that only the operator
sets.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from rhumbline.domain.amount import BASIS_POINTS
from rhumbline.domain.errors import NoRoute, SlippageTooTight, UpstreamFailed
from rhumbline.domain.fee import FeeType
from rhumbline.domain.quote import Quote, Refusal
from rhumbline.domain.simulation import Bridged, ExecutionStatus, Simulation
from rhumbline.domain.solana_terms import SolanaCosts
from rhumbline.domain.token import Token
from rhumbline.routing.offer import BuiltQuote
from rhumbline.routing.quote_context import QuoteContext
from rhumbline.routing.quote_prices import (
    PriceReader,
    fresh_price,
    independent_price,
    is_awaited,
    unit_values,
    usd,
    usd_price,
)
from rhumbline.routing.refusals import REFUSED
from rhumbline.routing.slippage import PairKind, lost_share, pair_kind

_MOST_UNPRICED = Fraction(1, 20)
"""The most of a native token without a known price."""


@dataclass(frozen=True, slots=True)
class SideCostLimits:
    """``most_usd`` is the most for fee and rent together, ``share`` the most of the input's value."""

    most_usd: Decimal = Decimal(10)
    share: Fraction = Fraction(1, 2)


def rent_of(built: BuiltQuote, simulation: Simulation | None) -> int:
    """Return what accounts that the transaction makes cost, in raw units of the native asset.

    Where no run shows it, that is the most that they may cost: no more leaves the wallet than is stated.
    """
    simulated = 0 if simulation is None else sum(each.amount for each in simulation.rent)
    return simulated if _has_run(simulation) else max(simulated, built.most_rent)


def measured_costs(built: BuiltQuote, simulation: Simulation | None) -> SolanaCosts | None:
    """Return the costs of a caller's choices on Solana: the fee payer's rent as a run shows it, else the most."""
    costs = built.solana
    if costs is None or simulation is None or not _has_run(simulation):
        return costs
    made = sum(each.amount for each in simulation.rent if each.account in built.sponsored_accounts)
    return replace(costs, sponsored_rent=made)


def side_cost(built: BuiltQuote, simulation: Simulation | None) -> int | None:
    """Return fee and rent in raw units of the native asset; None where the transaction does not say its fee."""
    return None if built.network_fee is None else built.network_fee + rent_of(built, simulation)


def _has_run(simulation: Simulation | None) -> bool:
    return simulation is not None and simulation.result.status is ExecutionStatus.SUCCESS


def cost_fault(
    built: BuiltQuote, simulation: Simulation | None, prices: PriceReader, limits: SideCostLimits
) -> Refusal | None:
    """Return why a transaction's additional costs forbid an offer; None if they do not."""
    if built.network_fee is None:
        return None
    # The most that accounts may cost, where no run shows it, has a bound already: four small ones. What a caller asked
    # to pay for priority has its own.
    cost = built.network_fee + (rent_of(built, simulation) if _has_run(simulation) else 0)
    cost -= 0 if built.solana is None or built.asked_fee is None else built.solana.priority_fee
    quote_request = built.offer.quote.request
    native, sold = quote_request.origin.native, quote_request.origin_token
    price = usd_price(native, prices)
    cost_text = f"{Decimal(cost).scaleb(-native.decimals):f} {native.symbol}"
    if price is None:
        if cost <= _MOST_UNPRICED * 10**native.decimals:
            return None
        reason = f"the network's fee and rent would cost {cost_text}, and there is no price for that"
        if is_awaited(native, prices):
            reason = f"{reason}: the price sources have not answered"
            return Refusal(built.offer.quote.adapter, UpstreamFailed.kind, reason, ours=True)
        return Refusal(built.offer.quote.adapter, REFUSED, reason)
    worth = usd(cost, native, price)
    if worth > limits.most_usd:
        reason = f"the network's fee and rent would cost {cost_text}, more than {limits.most_usd:f} USD"
        return Refusal(built.offer.quote.adapter, REFUSED, reason)
    unit = price if sold.address in (native.address, quote_request.origin.wrapped_native) else fresh_price(sold, prices)
    if unit is None or worth <= limits.share * usd(quote_request.amount, sold, unit):
        return None
    percent = format(Decimal(limits.share.numerator * 100) / Decimal(limits.share.denominator), "f")
    reason = f"the network's fee and rent would cost {cost_text}, more than {percent} % of the amount; send more"
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
"""By how much an output may be worth more than its input: prices differ by age and source."""
SWAP_LOSS: Mapping[PairKind, Fraction] = MappingProxyType(
    {
        PairKind.WRAP: Fraction(0),
        PairKind.SAME_ASSET: Fraction(1, 100),
        PairKind.STABLE: Fraction(1, 100),
        PairKind.MAJOR: Fraction(3, 100),
        PairKind.LONG_TAIL: Fraction(10, 100),
    }
)
"""How much of the value a swap of an upstream's before its bridge may lose: venue fees, price impact."""


@dataclass(frozen=True, slots=True)
class ValueLimits:
    """Limits as shares of the input's value. A kind of pair that is not in a table has no limit, or no such swap.

    ``largest_loss`` bounds every quote, unless the caller's own slippage is larger; ``side_cost`` bounds the cost
    beside the amount.
    """

    largest_loss: Fraction = Fraction(1, 5)
    largest_gain: Mapping[PairKind, Fraction] = field(default_factory=lambda: LARGEST_GAIN)
    swap_loss: Mapping[PairKind, Fraction] = field(default_factory=lambda: SWAP_LOSS)
    side_cost: SideCostLimits = field(default_factory=SideCostLimits)


UNPRICED = "swaps before its bridge, and there is no independent price for that"
"""Why a swap without an independent price is refused."""


@dataclass(frozen=True, slots=True)
class PairValues:
    """The values of raw units of a pair and of the native asset at fresh prices, as from ``unit_values``.

    None where that is not known. It is settled once for all quotes of a context. ``gas`` is the destination's native
    asset, where some of it is wanted on arrival.
    """

    sold: int | None
    bought: int | None
    native: int | None
    gas: int | None = None

    @classmethod
    def of(cls, context: QuoteContext) -> "PairValues":
        tokens = [context.pair.origin, context.pair.destination, context.request.origin.native]
        if context.request.destination_gas:
            tokens.append(context.request.destination.native)
        return cls(*unit_values(*((token, fresh_price(token, context.prices)) for token in tokens)))

    def exchanged(self, quote: Quote[Any]) -> tuple[int, int] | None:
        """Return the values of the input, with the native fee, and of the promised output; None without prices."""
        if self.sold is None or self.bought is None:
            return None
        # Of a native fee without a price at least the rest is known.
        input_value = quote.request.amount * self.sold + quote.native_fee * (self.native or 0)
        output_value = (quote.output_amount + _gas_bought(quote)) * self.bought
        return input_value, output_value if self.gas is None else output_value + _native_told(quote) * self.gas


def _gas_bought(quote: Quote[Any]) -> int:
    """Return what was spent of the output on native on arrival: bought, and not lost."""
    return 0 if quote.gas_on_arrival is None else quote.gas_on_arrival.cost


def too_lossy(context: QuoteContext, quote: Quote[Any], values: PairValues, limits: ValueLimits) -> Refusal | None:
    """Refuse a loss of value beyond the limit, unless the caller's own bound covers it.

    Native on arrival whose price a bridge does not tell is refused where no price shows what it is worth.
    """
    unpriced = quote.request.destination_gas and None in (values.sold, values.bought, values.gas)
    if unpriced and _native_told(quote):
        reason = "there is no price by which the cost of destinationGas could be checked"
        return Refusal(quote.adapter, NoRoute.kind, reason)
    input_value, output_value = values.exchanged(quote) or (0, 0)
    if not _exceeds(input_value - output_value, limits.largest_loss, input_value):
        return None
    own = None if context.request.auto_slippage else context.request.slippage
    if own is not None and not _exceeds(input_value - output_value, own, input_value):
        return None
    reason = f"about {_percent(lost_share(input_value, output_value))} % of the value would be lost at the known prices"
    return Refusal(quote.adapter, SlippageTooTight.kind, reason)


def too_good(context: QuoteContext, quote: Quote[Any], values: PairValues, limits: ValueLimits) -> Refusal | None:
    """Refuse an answer that is worth more than its input by more than prices may lie apart."""
    limit = limits.largest_gain.get(context.pair.kind)
    if limit is None:
        return None
    input_value, output_value = values.exchanged(quote) or (0, 0)
    if context.pair.kind in (PairKind.WRAP, PairKind.SAME_ASSET):
        # The same asset is worth the same wherever it is, whatever prices say.
        quote_request = quote.request
        input_value = quote_request.amount * 10**quote_request.destination_token.decimals
        output_value = quote.output_amount * 10**quote_request.origin_token.decimals
    if not _exceeds(output_value - input_value, limit, input_value):
        return None
    gained = _percent(-lost_share(input_value, output_value))
    return Refusal(quote.adapter, REFUSED, f"promises about {gained} % more than the input is worth")


def swap_fault(
    quote: Quote[Any], token: Token | None, seen: Bridged, vendor: str, prices: PriceReader, limits: ValueLimits
) -> str | None:
    """Return why the result of an upstream's swap before its bridge is refused; None if it is worth the input.

    ``token`` is what the bridge takes, None where that is not listed. Only end points count, by value: what the bridge
    gained, and what of the same token came back to the wallet.
    """
    quote_request = quote.request
    sold = quote_request.origin_token
    kind = None if token is None else pair_kind(quote_request.origin, sold, token)
    limit = None if kind is None else limits.swap_loss.get(kind)
    input_price = independent_price(sold, prices, vendor)
    output_price = None if token is None else independent_price(token, prices, vendor)
    if token is None or limit is None or input_price is None or output_price is None:
        return UNPRICED
    lost = lost_share(usd(quote_request.amount, sold, input_price), usd(seen.amount + seen.kept, token, output_price))
    if lost <= limit:
        return None
    return f"about {_percent(lost)} % of the value does not reach its bridge"


def _exceeds(part: int, share: Fraction, whole: int) -> bool:
    return part * share.denominator > whole * share.numerator


def _percent(share: Fraction) -> int:
    return -(-share.numerator * 100 // share.denominator)


def _native_told(quote: Quote[Any]) -> int:
    """Return the native on arrival, in wei, whose price a bridge takes out of the output and does not tell."""
    native = quote.request.destination.native
    return sum(each.amount for each in quote.fees if each.type is FeeType.DESTINATION_GAS and each.token == native)


def price_impact(quote: Quote[Any], prices: PriceReader) -> Fraction | None:
    """Return the share of value that the trade loses, negative for a gain; None if unknown.

    It is the adapter's own figure, otherwise computed from fresh prices of output and upstream's input.
    """
    if quote.price_impact_bps is not None:
        return Fraction(quote.price_impact_bps, BASIS_POINTS)
    quote_request, bought = quote.request, quote.output_amount + _gas_bought(quote)
    input_price, output_price = (
        fresh_price(quote_request.origin_token, prices),
        fresh_price(quote_request.destination_token, prices),
    )
    if input_price is None or output_price is None:
        return None
    received = usd(bought, quote_request.destination_token, output_price)
    if quote_request.destination_gas:
        there = quote_request.destination.native
        received += usd(_native_told(quote), there, fresh_price(there, prices) or Decimal(0))
    return lost_share(usd(quote_request.amount, quote_request.origin_token, input_price), received)
