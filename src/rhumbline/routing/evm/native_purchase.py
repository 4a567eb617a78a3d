"""Native for the receiver of a transfer: how much of what arrives it may cost, and the exchange that sells it."""

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from rhumbline.domain.adapter import Adapter
from rhumbline.domain.amount import mul_div_up
from rhumbline.domain.errors import NoRoute
from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.routing.call_log import CallNotes
from rhumbline.routing.evm.destination_swap import answered
from rhumbline.routing.quote_context import QuoteContext
from rhumbline.routing.quote_prices import usd, usd_price

GAS_LOSS = Fraction(1, 100)
"""How much less native than quoted a swap may bring when the deposit is filled; so much more of it is bought."""
MOST_SHARE = Fraction(1, 2)
"""The largest share of what arrives that native may cost."""
MOST_UNPRICED = Fraction(1, 20)
"""The same without prices by which its cost can be checked."""
MOST_MARKUP = Fraction(1, 10)
"""How much more than it is worth at the known prices native may cost."""
_NEAR = Fraction(102, 100)
_TRIES = 5


@dataclass(frozen=True, slots=True)
class NativePurchase:
    """The exchange that answers ``question``, the bridged token into native, and makes the swap on arrival."""

    exchange: Adapter[Any]
    question: QuoteRequest
    context: QuoteContext
    notes: CallNotes

    async def quoted(self, at_most: int) -> Quote[Any]:
        """Return the quote for enough native out of ``at_most`` raw units.

        Raise an AdapterError, NoRoute if it costs too much.
        """
        wish, most = self.context.request.destination_gas, at_most * MOST_SHARE.numerator // MOST_SHARE.denominator
        if self.question.origin_token.address == self.question.origin.wrapped_native:
            return await answered(self.exchange, replace(self.question, amount=wish), self.notes)
        target = mul_div_up(wish, GAS_LOSS.denominator, GAS_LOSS.denominator - GAS_LOSS.numerator)
        amount = max(1, min(most, self._about(target) or most))
        for _ in range(_TRIES):
            quote = await answered(self.exchange, replace(self.question, amount=amount), self.notes)
            brought = quote.output_amount
            if target <= brought <= target * _NEAR:
                self._expect_worth(quote, at_most)
                return quote
            if brought < target and amount == most:
                break
            amount = max(1, min(most, mul_div_up(amount, target, max(brought, 1))))
        raise NoRoute(f"destinationGas costs more than half of the transfer, {most}; send more, or ask for less")

    def _about(self, native: int) -> int | None:
        """Return about how much of the token native costs, at the known prices; None without them."""
        token, there = self.question.origin_token, self.question.origin
        paid, bought = usd_price(token, self.context.prices), usd_price(there.native, self.context.prices)
        if paid is None or bought is None:
            return None
        return int(usd(native, there.native, bought) * 10**token.decimals / Fraction(paid)) + 1

    def _expect_worth(self, quote: Quote[Any], at_most: int) -> None:
        """Raise NoRoute if pools charge more for native than prices allow."""
        spent, worth = quote.request.amount, self._about(quote.output_amount)
        if worth is None:
            if spent > at_most * MOST_UNPRICED:
                raise NoRoute("there is no price by which the cost of destinationGas could be checked; ask for less")
        elif spent > worth * (1 + MOST_MARKUP):
            raise NoRoute("the pools of the destination charge more for destinationGas than it is worth")
