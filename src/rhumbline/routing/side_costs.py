"""What a wallet pays beside the amount where the transaction itself says it: the network's fee, and rent. Pure.

Whoever writes a transaction of Solana names the price of its units, and has accounts made at the wallet's expense. Both
are stated to the lamport, count in the comparison, and have a bound that nobody but the operator sets.
"""

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from rhumbline.domain.errors import UpstreamFailed
from rhumbline.domain.quote import Refusal
from rhumbline.domain.simulation import ExecutionStatus, Simulation
from rhumbline.routing.built_quote import BuiltQuote
from rhumbline.routing.quote_prices import PriceReader, fresh_price, is_awaited, usd_price
from rhumbline.routing.ranking import usd
from rhumbline.routing.refusals import REFUSED

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
