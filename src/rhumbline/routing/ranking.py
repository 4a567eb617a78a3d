"""Which quote is best. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from rhumbline.domain.quote import Quote
from rhumbline.domain.token import Token


@dataclass(frozen=True, slots=True)
class Yardstick:
    """By what quotes are compared: USD a whole token, wei a unit of gas; None where it is not known."""

    output_usd: Decimal | None
    native_usd: Decimal | None
    native: Token
    gas_price: int | None


def rank(quotes: Iterable[Quote[Any]], yardstick: Yardstick) -> tuple[Quote[Any], ...]:
    """Return the quotes, best first.

    By what the receiver gets in USD less gas and native fees; without both prices, by output. Of equals the faster one
    comes first, then by key. A quote that does not say what gas it needs is taken to need as much as the hungriest.
    """
    candidates = tuple(quotes)
    hungriest = max((quote.gas_units or 0 for quote in candidates), default=0)
    return tuple(
        sorted(candidates, key=lambda quote: (-_worth(quote, yardstick, hungriest), quote.seconds or 0, quote.adapter))
    )


def _worth(quote: Quote[Any], yardstick: Yardstick, hungriest: int) -> Fraction:
    if yardstick.output_usd is None or yardstick.native_usd is None:
        return Fraction(quote.output_amount)
    gas_units = hungriest if quote.gas_units is None else quote.gas_units
    cost = quote.native_fee + gas_units * (yardstick.gas_price or 0)
    gained = usd(quote.output_amount, quote.request.destination_token, yardstick.output_usd)
    return gained - usd(cost, yardstick.native, yardstick.native_usd)


def usd(amount: int, token: Token, price: Decimal) -> Fraction:
    """Return what raw units of a token are worth in USD, exactly."""
    return Fraction(price) * Fraction(amount, 10**token.decimals)
