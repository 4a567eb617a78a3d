"""Which quote is best. Pure."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from rhumbline.domain.gas import NetworkPrice
from rhumbline.domain.quote import Quote
from rhumbline.domain.token import Token


@dataclass(frozen=True, slots=True)
class RankingContext:
    """By what quotes are compared: USD a whole token, what the network takes; None where it is not known.

    ``hungriest`` is what a quote that does not say what gas it needs is taken to need: as much as any other.
    """

    output_usd: Decimal | None
    native_usd: Decimal | None
    native: Token
    network: NetworkPrice | None
    hungriest: int = 0

    def worth(self, quote: Quote[Any], output: int, gas_units: int | None = None) -> Fraction:
        """Return what ``output`` is worth in USD less gas and native fees; without both prices, the output itself.

        ``gas_units`` are what the transaction was seen to use, None to go with what the quote says.
        """
        if self.output_usd is None or self.native_usd is None:
            return Fraction(output)
        gas = self.said_gas(quote) if gas_units is None else gas_units
        cost = quote.native_fee + (0 if self.network is None else self.network.cost(gas))
        gained = usd(output, quote.request.destination_token, self.output_usd)
        return gained - usd(cost, self.native, self.native_usd)

    def said_gas(self, quote: Quote[Any]) -> int:
        return self.hungriest if quote.gas_units is None else quote.gas_units


Counted = Callable[[Quote[Any]], int]
"""How much of a quote's output counts, in raw units."""


def promised(quote: Quote[Any]) -> int:
    return quote.output_amount


def rank(quotes: Iterable[Quote[Any]], ranking: RankingContext, counted: Counted = promised) -> tuple[Quote[Any], ...]:
    """Return the quotes, best first, by what counts of their output, in USD less gas and native fees.

    Of equals the one that promises more comes first, then the faster one, then by key.
    """

    def place(quote: Quote[Any]) -> tuple[Fraction, int, int, str]:
        return -ranking.worth(quote, counted(quote)), -quote.output_amount, quote.seconds or 0, quote.adapter

    return tuple(sorted(quotes, key=place))


def usd(amount: int, token: Token, price: Decimal) -> Fraction:
    """Return what raw units of a token are worth in USD, exactly."""
    return Fraction(price) * Fraction(amount, 10**token.decimals)
