"""Which quote is best, and which route. Pure; the rule is in docs/quotes.md."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from math import lcm
from typing import Any

from rhumbline.domain.gas import NetworkPrice
from rhumbline.domain.quote import Quote
from rhumbline.domain.route import Order
from rhumbline.domain.token import Token

Exact = int | Fraction
"""A value without a rounding. Of integers, which is what quotes are compared by, sums and scores are integers."""
UNSAID_S = 3600
"""A transfer to another chain of which nobody says how long it takes counts as this long."""
LONGEST_S = 1200
"""Beyond this, time costs no more."""
PRICE_DIVISOR = 2000
"""What part of the value the longest time costs, and what failing always does: together a tenth of a percent."""
_LAST = -(10**9)

Score = tuple[Exact, Exact]
"""The larger, the better."""


@dataclass(frozen=True, slots=True)
class Merits:
    """What answers are compared by: value gained and what it costs beside, in one unit; both 0 or more.

    ``failed`` is the share of its tries that came to nothing.
    """

    gained: Exact
    cost: Exact = 0
    seconds: int = 0
    failed: Exact = 0


def score(merits: Merits, order: Order) -> Score:
    """Return how good something is in an order; what nobody stands for comes last in each."""
    net = merits.gained - merits.cost
    match order:
        case Order.CHEAPEST:
            return net, -merits.seconds
        case Order.FASTEST:
            return -merits.seconds if merits.gained else _LAST, net
        case Order.RECOMMENDED:
            # All is multiplied by what the prices of time and failures are divided by, so nothing needs a division.
            charged = min(merits.seconds, LONGEST_S) + LONGEST_S * merits.failed
            return net * PRICE_DIVISOR * LONGEST_S - merits.gained * charged, net


def tags(routes: Sequence[Merits]) -> list[tuple[Order, ...]]:
    """Return, for each route, the orders in which none is better."""
    best = {order: max((score(each, order) for each in routes), default=None) for order in Order}
    return [tuple(order for order in Order if score(each, order) == best[order]) for each in routes]


@dataclass(frozen=True, slots=True)
class RankingContext:
    """By what quotes are compared: what raw units of output and native asset are worth, and what the network takes.

    The values are those of ``unit_values``; None is what is not known. ``most_gas`` is what a quote that does not say
    what gas it needs is taken to need: as much as any other. ``failed`` are the shares of tries that came to nothing,
    by adapter, without those of whom none did.
    """

    output_value: int | None
    native_value: int | None
    network: NetworkPrice | None
    most_gas: int = 0
    order: Order = Order.RECOMMENDED
    failed: Mapping[str, Fraction] = field(default_factory=dict)

    def score(
        self, quote: Quote[Any], output: int, gas_units: int | None = None, *, paid: int | None = None, rent: int = 0
    ) -> Score:
        """Return how good a quote is of which ``output`` counts, in raw units; the rest as in ``merits``."""
        return score(self.merits(quote, output, gas_units, paid=paid, rent=rent), self.order)

    def merits(
        self, quote: Quote[Any], output: int, gas_units: int | None = None, *, paid: int | None = None, rent: int = 0
    ) -> Merits:
        """Return what ``output``, gas and native fees are worth; without both prices, the output itself.

        ``gas_units`` are what the transaction was seen to use, None to go with what the quote says. ``paid`` is what it
        is known to cost in the native asset beside its native fee, None to reckon that from the gas and ``rent``.
        """
        failed = self.failed.get(quote.adapter, 0)
        if self.output_value is None or self.native_value is None:
            return Merits(output, 0, duration(quote), failed)
        gas = self.said_gas(quote) if gas_units is None else gas_units
        reckoned = rent + (0 if self.network is None else self.network.cost(gas))
        cost = quote.native_fee + (reckoned if paid is None else paid)
        return Merits(output * self.output_value, cost * self.native_value, duration(quote), failed)

    def place(self, quote: Quote[Any], counted: int) -> tuple[Exact, Exact, int, int, str]:
        """Return what quotes are sorted by, the best first, where ``counted`` of its output counts.

        Of equals the one that promises more comes first, then the faster one, then by key.
        """
        first, second = self.score(quote, counted)
        return -first, -second, -quote.output_amount, quote.seconds or 0, quote.adapter

    def said_gas(self, quote: Quote[Any]) -> int:
        return self.most_gas if quote.gas_units is None else quote.gas_units


def duration(quote: Quote[Any]) -> int:
    """Return how many seconds the way to another chain takes; a swap is done with its transaction."""
    if quote.request.origin.id == quote.request.destination.id:
        return 0
    return UNSAID_S if quote.seconds is None else quote.seconds


def usd(amount: int, token: Token, price: Decimal) -> Fraction:
    """Return what raw units of a token are worth in USD, exactly."""
    return Fraction(price) * Fraction(amount, 10**token.decimals)


def unit_values(*prices: tuple[Token, Decimal | None]) -> tuple[int | None, ...]:
    """Return what one raw unit of each token is worth by its price, None without one, as integers over one scale.

    The scale is so fine that nothing is rounded: what is only compared needs no fraction.
    """
    units = [None if price is None else usd(1, token, price) for token, price in prices]
    scale = lcm(*(each.denominator for each in units if each is not None))
    return tuple(None if each is None else each.numerator * (scale // each.denominator) for each in units)
