"""Which quote is best, and which route. Pure; the rule is in docs/quotes.md."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import Any

from rhumbline.domain.gas import NetworkPrice
from rhumbline.domain.quote import Quote
from rhumbline.domain.route import Order
from rhumbline.domain.token import Token

UNSAID_S = 3600
"""A transfer to another chain of which nobody says how long it takes counts as this long."""
LONGEST_S = 1200
"""Beyond this, time costs no more."""
TIME_PRICE = FAILURE_PRICE = Fraction(1, 2000)
"""What share of the value the longest time costs, and what failing always does: together a tenth of a percent."""
_LAST = Fraction(-(10**9))

Score = tuple[Fraction, Fraction]
"""The larger, the better."""


@dataclass(frozen=True, slots=True)
class Merits:
    """What answers are compared by: value gained and what it costs beside, in one unit; both 0 or more.

    ``failed`` is the share of its tries that came to nothing.
    """

    gained: Fraction
    cost: Fraction = Fraction(0)
    seconds: int = 0
    failed: Fraction = Fraction(0)


def score(merits: Merits, order: Order) -> Score:
    """Return how good something is in an order; what nobody stands for comes last in each."""
    net = merits.gained - merits.cost
    match order:
        case Order.CHEAPEST:
            return net, Fraction(-merits.seconds)
        case Order.FASTEST:
            return Fraction(-merits.seconds) if merits.gained else _LAST, net
        case Order.RECOMMENDED:
            time = TIME_PRICE * Fraction(min(merits.seconds, LONGEST_S), LONGEST_S)
            return net - merits.gained * (time + FAILURE_PRICE * merits.failed), net


def tags(routes: Sequence[Merits]) -> list[tuple[Order, ...]]:
    """Return, for each route, the orders in which none is better."""
    best = {order: max((score(each, order) for each in routes), default=None) for order in Order}
    return [tuple(order for order in Order if score(each, order) == best[order]) for each in routes]


@dataclass(frozen=True, slots=True)
class RankingContext:
    """By what quotes are compared: USD a whole token, what the network takes; None where it is not known.

    ``hungriest`` is what a quote that does not say what gas it needs is taken to need: as much as any other. ``failed``
    are the shares of tries that came to nothing, by adapter.
    """

    output_usd: Decimal | None
    native_usd: Decimal | None
    native: Token
    network: NetworkPrice | None
    hungriest: int = 0
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
        """Return what ``output`` is worth in USD, what gas and native fees are; without both prices, the output itself.

        ``gas_units`` are what the transaction was seen to use, None to go with what the quote says. ``paid`` is what it
        is known to cost in the native asset beside its native fee, None to reckon that from the gas and ``rent``.
        """
        failed = self.failed.get(quote.adapter, Fraction(0))
        if self.output_usd is None or self.native_usd is None:
            return Merits(Fraction(output), seconds=duration(quote), failed=failed)
        gas = self.said_gas(quote) if gas_units is None else gas_units
        reckoned = rent + (0 if self.network is None else self.network.cost(gas))
        cost = quote.native_fee + (reckoned if paid is None else paid)
        gained = usd(output, quote.request.destination_token, self.output_usd)
        return Merits(gained, usd(cost, self.native, self.native_usd), duration(quote), failed)

    def said_gas(self, quote: Quote[Any]) -> int:
        return self.hungriest if quote.gas_units is None else quote.gas_units


Counted = Callable[[Quote[Any]], int]
"""How much of a quote's output counts, in raw units."""


def promised(quote: Quote[Any]) -> int:
    return quote.output_amount


def rank(quotes: Iterable[Quote[Any]], ranking: RankingContext, counted: Counted = promised) -> tuple[Quote[Any], ...]:
    """Return the quotes, best first, by what counts of their output in the context's order.

    Of equals the one that promises more comes first, then the faster one, then by key.
    """

    def place(quote: Quote[Any]) -> tuple[Fraction, Fraction, int, int, str]:
        first, second = ranking.score(quote, counted(quote))
        return -first, -second, -quote.output_amount, quote.seconds or 0, quote.adapter

    return tuple(sorted(quotes, key=place))


def duration(quote: Quote[Any]) -> int:
    """Return how many seconds the way to another chain takes; a swap is done with its transaction."""
    if quote.request.origin.id == quote.request.destination.id:
        return 0
    return UNSAID_S if quote.seconds is None else quote.seconds


def usd(amount: int, token: Token, price: Decimal) -> Fraction:
    """Return what raw units of a token are worth in USD, exactly."""
    return Fraction(price) * Fraction(amount, 10**token.decimals)
