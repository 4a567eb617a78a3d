"""From a request to its context: tokens, forms, fees and deadline are settled here, once."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from fractions import Fraction

from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.domain.account import Integrator
from rhumbline.domain.errors import InvalidRequest, NoAvailableQuotes, StoreUnavailable
from rhumbline.domain.route import RouteRequest
from rhumbline.domain.token import Token
from rhumbline.routing.composer import Composer
from rhumbline.routing.fees import FeeSettings, FeeTerms
from rhumbline.routing.quote_context import QuoteContext, TokenPair
from rhumbline.routing.quote_prices import PriceReader, QuotePrices, usd, usd_price
from rhumbline.routing.slippage import pair_kind

IntegratorReader = Callable[[str], Awaitable[Integrator | None]]
"""Finds a registered integrator by name, None if there is none. Raises StoreUnavailable."""


LARGEST_USD = 10**15
"""More money than there is: a larger amount is a mistake, or an attempt to make upstreams fail."""
LARGEST_AMOUNT = 2**128 - 1
"""In raw units, for tokens without a price: pools count liquidity in as many bits."""


@dataclass(frozen=True, slots=True)
class Preparer:
    """Prepares requests; ``patience_s`` is how long it waits for the chains' nodes."""

    tokens: TokenCatalog
    integrators: IntegratorReader
    fees: FeeSettings
    patience_s: float

    async def prepare(
        self, request: RouteRequest, composer: Composer, deadline: int, prices: PriceReader
    ) -> QuoteContext:
        """Settle a request; ``deadline`` in Unix seconds. The prices of its tokens are those of this moment.

        Raise NotFound for a token that does not exist, InvalidRequest for what cannot be, NoAvailableQuotes for an
        amount that nobody can have, before anybody is asked for it, AdaptersFailed when a node
        that is needed to know a token does not answer, StoreUnavailable when an integrator's fee needs the store.
        """
        integrator = None
        if request.integrator is None:
            sold, bought = await self.resolve(request)
        else:
            (sold, bought), integrator = await asyncio.gather(
                self.resolve(request), self._integrator(request, request.integrator)
            )
        if sold == bought:
            raise InvalidRequest(["destinationCurrency: must be another token than originCurrency"])
        known = QuotePrices(prices, (sold, bought, request.origin.native))
        expect_possible(request.amount, sold, known)
        if request.destination_gas:
            _expect_enough_for_gas(request, sold, known)
        pair = TokenPair(sold, bought, pair_kind(request.origin, sold, bought))
        name = request.integrator if integrator is None else integrator.name
        rule = request.client.rule or self.fees.rule
        terms = FeeTerms(self.fees, rule, request.fee_share or Fraction(0), integrator, name)
        forms = await composer.settle(request, pair, terms, deadline)
        return QuoteContext(request, pair, forms, name, known)

    async def resolve(self, request: RouteRequest) -> tuple[Token, ...]:
        """Return both tokens; raise NotFound or AdaptersFailed."""
        places = (request.origin.id, request.origin_token), (request.destination.id, request.destination_token)
        return self.tokens.all_listed(places) or await asyncio.gather(
            self.tokens.resolve_within(request.origin, request.origin_token, self.patience_s),
            self.tokens.resolve_within(request.destination, request.destination_token, self.patience_s),
        )

    async def _integrator(self, request: RouteRequest, name: str) -> Integrator | None:
        """Find the integrator; without a fee the store is not worth failing for."""
        own = request.client.integrator
        if own is not None and own.name.casefold() == name.casefold():
            return own
        try:
            return await self.integrators(name)
        except StoreUnavailable:
            if request.fee_share:
                raise
            return None


def _expect_enough_for_gas(request: RouteRequest, sold: Token, prices: PriceReader) -> None:
    """Raise InvalidRequest if the native wanted on arrival is worth more than half of the transfer."""
    native = request.destination.native
    paid, bought = usd_price(sold, prices), usd_price(native, prices)
    if paid is None or bought is None:
        return
    if 2 * usd(request.destination_gas, native, bought) > usd(request.amount, sold, paid):
        worth = f"{request.destination_gas} wei of {native.symbol} are worth more than half of the transfer"
        raise InvalidRequest([f"destinationGas: {worth}; ask for less, send more, or leave it out"])


def expect_possible(amount: int, sold: Token, prices: PriceReader) -> None:
    """Raise NoAvailableQuotes for an amount that cannot be: upstreams answer it as if they were broken."""
    price = usd_price(sold, prices)
    if amount > LARGEST_AMOUNT:
        fault = f"amount: nobody has {amount} raw units of {sold.symbol}; ask for at most {LARGEST_AMOUNT}"
    elif price is not None and usd(amount, sold, price) > LARGEST_USD:
        fault = f"amount: it is worth more than {LARGEST_USD} US dollars; look for a slip in the decimals"
    else:
        return
    raise NoAvailableQuotes(f"No adapter is asked: {fault}", {"message": [fault]})
