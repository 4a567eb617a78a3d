"""Ranks quotes and routes. Pure; the rule is in docs/quotes.md."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from rhumbline.domain.gas import NetworkPrice
from rhumbline.domain.quote import Quote
from rhumbline.domain.route import Order
from rhumbline.domain.scorecard import TrackRecord

Exact = int | Fraction
"""An exact value. For integers, by which quotes are compared, sums and scores are integers."""
UNSAID_S = 3600
"""The assumed duration of a transfer without an estimate."""
LONGEST_S = 1200
"""Longer durations cost no more than this one."""
PRICE_DIVISOR = 2000
"""The value share that the longest duration costs, and that always failing costs: together a tenth of a percent."""
_LAST = -(10**9)

Score = tuple[Exact, Exact]
"""The larger, the better."""


@dataclass(frozen=True, slots=True)
class Merits:
    """What answers are compared by: value gained and additional costs, in one unit; both 0 or more.

    ``failed`` is the share of its tries that came to nothing, ``handicap`` the share of the value that its track
    record costs.
    """

    gained: Exact
    cost: Exact = 0
    seconds: int = 0
    failed: Exact = 0
    handicap: Exact = 0


def score(merits: Merits, order: Order) -> Score:
    """Return the score in an order; an output that nothing guarantees comes last in each."""
    net = merits.gained - merits.cost
    match order:
        case Order.CHEAPEST:
            return net, -merits.seconds
        case Order.FASTEST:
            return -merits.seconds if merits.gained else _LAST, net
        case Order.RECOMMENDED:
            # All is multiplied by what the prices of time and failures are divided by, so nothing needs a division.
            charged = min(merits.seconds, LONGEST_S) + LONGEST_S * merits.failed
            charged += PRICE_DIVISOR * LONGEST_S * merits.handicap
            return net * PRICE_DIVISOR * LONGEST_S - merits.gained * charged, net


def handicap(record: TrackRecord | None, most: Fraction) -> Fraction:
    """Return the share of the value that an adapter's track record costs it: from 0, without one, to ``most``.

    It is what did not arrive, and the price of the time that was not promised. Nothing is gained by a good one: an
    adapter that quotes less than it brings has lost that already.
    """
    if record is None:
        return Fraction(0)
    late = Fraction(min(record.late_s, LONGEST_S), LONGEST_S * PRICE_DIVISOR)
    return min(max(record.shortfall, Fraction(0)) + max(late, Fraction(0)), most)


def tags(routes: Sequence[Merits]) -> list[tuple[Order, ...]]:
    """Return, for each route, the orders in which none is better."""
    best = {order: max((score(each, order) for each in routes), default=None) for order in Order}
    return [tuple(order for order in Order if score(each, order) == best[order]) for each in routes]


@dataclass(frozen=True, slots=True)
class RankingContext:
    """The values for comparing quotes: of raw units of output and native asset, and the network fee.

    The values are those of ``unit_values``, None if unknown. ``most_gas`` is assumed for a quote that does not state
    its gas: as much as the most of the others. ``failed`` are the shares of failed tries by adapter, ``handicaps`` what
    their track records cost, both without zeros.
    """

    output_value: int | None
    native_value: int | None
    network: NetworkPrice | None
    most_gas: int = 0
    order: Order = Order.RECOMMENDED
    failed: Mapping[str, Fraction] = field(default_factory=dict)
    handicaps: Mapping[str, Fraction] = field(default_factory=dict)

    def score(
        self,
        quote: Quote[Any],
        output: int,
        gas_units: int | None = None,
        *,
        known_cost: int | None = None,
        rent: int = 0,
    ) -> Score:
        """Return the score of a quote of which ``output`` counts, in raw units; other arguments as in ``merits``."""
        return score(self.merits(quote, output, gas_units, known_cost=known_cost, rent=rent), self.order)

    def merits(
        self,
        quote: Quote[Any],
        output: int,
        gas_units: int | None = None,
        *,
        known_cost: int | None = None,
        rent: int = 0,
    ) -> Merits:
        """Return the value of ``output`` less gas and native fees; without both prices, the output itself.

        ``gas_units`` is the measured gas, None for the quote's own statement. ``known_cost`` is in the native asset,
        without the native fee; None to compute it from the gas and ``rent``.
        """
        failed, handicapped = self.failed.get(quote.adapter, 0), self.handicaps.get(quote.adapter, 0)
        if self.output_value is None or self.native_value is None:
            return Merits(output, 0, duration(quote), failed, handicapped)
        gas = self.stated_gas(quote) if gas_units is None else gas_units
        if known_cost is None:
            known_cost = rent + (0 if self.network is None else self.network.cost(gas))
        cost = quote.native_fee + known_cost
        return Merits(output * self.output_value, cost * self.native_value, duration(quote), failed, handicapped)

    def place(self, quote: Quote[Any], counted: int) -> tuple[Exact, Exact, int, int, str]:
        """Return the sort key of quotes, best first, if ``counted`` of its output counts.

        Among equals the larger promise comes first, then the faster one, then the key.
        """
        first, second = self.score(quote, counted)
        return -first, -second, -quote.output_amount, quote.seconds or 0, quote.adapter

    def stated_gas(self, quote: Quote[Any]) -> int:
        return self.most_gas if quote.gas_units is None else quote.gas_units


def duration(quote: Quote[Any]) -> int:
    """Return how many seconds the way to another chain takes; a swap is done with its transaction."""
    if quote.request.origin.id == quote.request.destination.id:
        return 0
    return UNSAID_S if quote.seconds is None else quote.seconds
