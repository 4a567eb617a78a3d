"""What a pair is worth, without a quote: no wallet, no upstream, no transaction, no simulation, nothing stored.

On one chain the pools of that chain are asked as for a quote, where we read them ourselves. For everything else the
prices of both tokens, which are cached anyway, give the amount. No upstream is ever asked, so whoever asks often spends
nobody's budget.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from time import monotonic
from typing import Any

from rhumbline.accounts.ttl_cache import TtlCache
from rhumbline.domain.account import ApiClient
from rhumbline.domain.adapter import Adapter
from rhumbline.domain.errors import AdapterError, NoAvailableQuotes
from rhumbline.domain.indicative import IndicativePrice, PairRequest, PairSource
from rhumbline.domain.route import RouteRequest
from rhumbline.domain.token import Token
from rhumbline.domain.unowned_addresses import stand_in
from rhumbline.gateways.nodes.endpoints import reading
from rhumbline.routing.fees import FeeTerms, divide
from rhumbline.routing.preparer import Preparer, expect_possible
from rhumbline.routing.quote_prices import PriceReader, QuotePrices, fresh_price, usd
from rhumbline.routing.quote_service import QuoteService

AGE_S = 1.0
MOST_KEPT = 1_000


@dataclass(slots=True, eq=False)
class IndicativePrices:
    """Prices pairs for all callers alike, each at most once in ``AGE_S`` seconds."""

    quotes: QuoteService
    now: Callable[[], float] = monotonic
    _kept: TtlCache[IndicativePrice] = field(init=False)

    def __post_init__(self) -> None:
        self._kept = TtlCache(AGE_S, MOST_KEPT, self.now)

    def known(self, request: PairRequest) -> IndicativePrice | None:
        """Return a price that is cached."""
        return self._kept.known(request)

    async def price(self, request: PairRequest) -> IndicativePrice:
        """Return about what the amount would bring, after the service's own fee.

        Raise NotFound for a token that does not exist, InvalidRequest for what cannot be, NoAvailableQuotes where no
        quote is given, or nothing says what the pair is worth.
        """
        return await self._kept.get(request, lambda: self._price(request))

    async def _price(self, request: PairRequest) -> IndicativePrice:
        # A placeholder would be taken for "shown only"; nobody's address is asked about here.
        route = RouteRequest(
            request.origin,
            request.destination,
            request.origin_token,
            request.destination_token,
            request.amount,
            stand_in(request.origin.type),
            stand_in(request.destination.type),
            ApiClient(),
        )
        self.quotes.expect_open(route)
        pools = self._pools(request)
        with reading():
            found = None if pools is None else await self._from_pools(route, pools)
            sold, bought, output = found or await self._from_prices(route)
        source = PairSource.PRICES if found is None else PairSource.POOLS
        return IndicativePrice(request, sold, bought, output, source, self.quotes.clock())

    def _pools(self, request: PairRequest) -> Adapter[Any] | None:
        """Return who reads pools of the chain for us, for a pair of one chain; None while it is paused."""
        if request.origin.id != request.destination.id:
            return None
        own = (each for each in self.quotes.adapters if each.info.own_calls and request.origin.id in each.info.chains)
        found, pauses = next(own, None), self.quotes.pauses()
        is_paused = found is not None and pauses.of(found.info.key, request.origin.id) is not None
        return None if is_paused else found

    async def _from_pools(self, route: RouteRequest, pools: Adapter[Any]) -> tuple[Token, Token, int] | None:
        """Ask the pools; None if they have no answer."""
        context = await self.quotes.prepare(route)
        form = next((form.request for form in context.forms if pools.supports(form.request)), None)
        if form is None:
            return None
        try:
            async with asyncio.timeout(self.quotes.deadlines.soft_s):
                quote = await pools.quote(form)
        except (AdapterError, TimeoutError):
            return None
        return context.pair.origin, context.pair.destination, quote.output_amount

    async def _from_prices(self, route: RouteRequest) -> tuple[Token, Token, int]:
        service = self.quotes
        preparer = Preparer(service.tokens, service.integrators, service.fees, service.deadlines.hard_s)
        sold, bought = await preparer.resolve(route)
        prices = QuotePrices(service.prices, (sold, bought))
        expect_possible(route.amount, sold, prices)
        terms = FeeTerms(service.fees, service.fees.rule, Fraction(0), None, None)
        net = divide(route.amount, route.origin, terms).net
        return sold, bought, worth_in(net, sold, bought, prices)


def worth_in(amount: int, sold: Token, bought: Token, prices: PriceReader) -> int:
    """Return what raw units of one token are worth in raw units of another, rounded down.

    Raise NoAvailableQuotes naming the tokens whose present price is not known.
    """
    paid, received = fresh_price(sold, prices), fresh_price(bought, prices)
    if paid is None or received is None:
        lacking = [token.symbol for token, price in ((sold, paid), (bought, received)) if price is None]
        faults = [f"{symbol}: its price is not known now; ask again shortly, or ask for a quote" for symbol in lacking]
        raise NoAvailableQuotes("Nothing says what this pair is worth", {"message": faults})
    exact = usd(amount, sold, paid) / usd(1, bought, received)
    return exact.numerator // exact.denominator
