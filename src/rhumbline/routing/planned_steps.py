"""Steps of a plan as an adapter offers them, built and simulated or estimated. Pure."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rhumbline.domain.plan import PlannedStep
from rhumbline.domain.quote import Quote
from rhumbline.routing.answer import answer_of, trust_assumptions
from rhumbline.routing.composed_quote import Composition, parts_of
from rhumbline.routing.fees import Costs, itemise
from rhumbline.routing.offer import Offer, Offers
from rhumbline.routing.quote_prices import usd, usd_price
from rhumbline.routing.quote_service import QuoteService
from rhumbline.routing.ranking import duration
from rhumbline.routing.search import Search
from rhumbline.routing.trial import Candidate
from rhumbline.routing.value_limits import price_impact


@dataclass(frozen=True, slots=True)
class CountedStep:
    """A step, how much of its output counts, and its costs in USD; None if a price is missing."""

    step: PlannedStep
    cost_usd: Fraction | None
    counted: int
    seconds: int


def of_candidate(quotes: QuoteService, offers: Offers, search: Search, candidate: Candidate) -> CountedStep:
    """Return a step that was built and run."""
    offer = candidate.built.offer
    quote = offer.quote
    answer = answer_of(
        offers.context, candidate.built, candidate.simulation, refusals=(), network=offers.network,
        trusted=quotes.trusted(quote.adapter, offers.context.request),
    )  # fmt: skip
    step = PlannedStep.of(answer, quote.request.amount)
    used = None if candidate.simulation is None else candidate.simulation.result.gas_used
    counted = search.counts(offer) if offers.context.crossing else candidate.counted
    return CountedStep(step, _cost(offers, quote, used, candidate.known_cost), counted, duration(quote))


def of_offer(quotes: QuoteService, offers: Offers, search: Search, offer: Offer, *, first: bool = True) -> CountedStep:
    """Return an estimated step; the time and fees of a step that is not the ``first`` come after the one before."""
    context, quote, quote_request, intake = offers.context, offer.quote, offer.quote.request, offer.form.intake
    network = 0 if offers.network is None else offers.network.cost(quote.gas_units or 0)
    costs = Costs(quote.fees, quote.native_fee, network)
    warning = (intake.shortage,) if first and intake.shortage is not None else ()
    step = PlannedStep(
        request=context.request,
        origin_token=quote_request.origin_token,
        destination_token=quote_request.destination_token,
        adapter=quote.adapter,
        output_amount=quote.output_amount,
        min_output_amount=offer.minimum,
        quote_amount=quote_request.amount,
        fees=itemise(quote_request.origin, quote_request.origin_token, intake.charges, costs, context.prices),
        seconds=quote.seconds,
        warnings=(*intake.warnings, *warning, *context.warnings),
        price_impact=price_impact(quote, context.prices),
        trust_assumptions=trust_assumptions(
            quotes.trusted(quote.adapter, context.request), None, crossing=context.crossing
        ),
        pool_plan=quote.pool_plan,
        parts=parts_of(quote.payload) if isinstance(quote.payload, Composition) else (),
        gas_on_arrival=quote.gas_on_arrival,
    )
    return CountedStep(step, _cost(offers, quote, None), search.counts(offer), duration(quote))


def _cost(offers: Offers, quote: Quote[Any], used: int | None, known_cost: int | None = None) -> Fraction | None:
    native = offers.context.request.origin.native
    price = usd_price(native, offers.context.prices)
    if price is None:
        return None
    units = (quote.gas_units or 0) if used is None else used
    network = 0 if offers.network is None else offers.network.cost(units)
    return usd(quote.native_fee + (network if known_cost is None else known_cost), native, price)
