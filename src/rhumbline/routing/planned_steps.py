"""Steps of a plan as an adapter offers them, built and run or not. Pure."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rhumbline.domain.plan import PlannedStep
from rhumbline.domain.quote import Quote
from rhumbline.routing.answer import answer_of, trust_assumptions
from rhumbline.routing.fees import Costs, itemise
from rhumbline.routing.offer import Offer, Offers
from rhumbline.routing.quote_prices import usd_price
from rhumbline.routing.quote_service import QuoteService
from rhumbline.routing.ranking import duration, usd
from rhumbline.routing.search import Search
from rhumbline.routing.trial import Candidate
from rhumbline.routing.value_limits import price_impact


@dataclass(frozen=True, slots=True)
class CountedStep:
    """A step with how much of its output counts, and what it costs beside, in USD; None where a price is missing."""

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
        trusted=quotes.trusted(quote.adapter),
    )  # fmt: skip
    step = PlannedStep.of(answer, quote.request.amount)
    used = None if candidate.simulation is None else candidate.simulation.result.gas_used
    counted = search.counts(offer) if offers.context.crossing else candidate.counted
    return CountedStep(step, _cost(offers, quote, used, candidate.paid), counted, duration(quote))


def of_offer(quotes: QuoteService, offers: Offers, search: Search, offer: Offer, *, first: bool = True) -> CountedStep:
    """Return a step that is an estimate; what a step spends that is not the ``first`` comes with the one before."""
    context, quote, asked, intake = offers.context, offer.quote, offer.quote.request, offer.form.intake
    network = 0 if offers.network is None else offers.network.cost(quote.gas_units or 0)
    costs = Costs(quote.fees, quote.native_fee, network)
    lack = (intake.lack,) if first and intake.lack is not None else ()
    step = PlannedStep(
        request=context.request,
        origin_token=asked.origin_token,
        destination_token=asked.destination_token,
        adapter=quote.adapter,
        output_amount=quote.output_amount,
        min_output_amount=offer.minimum,
        quote_amount=asked.amount,
        fees=itemise(asked.origin, asked.origin_token, intake.charges, costs, context.prices),
        seconds=quote.seconds,
        warnings=(*intake.warnings, *lack, *context.warnings),
        price_impact=price_impact(quote, context.prices),
        trust_assumptions=trust_assumptions(quotes.trusted(quote.adapter), None, crossing=context.crossing),
    )
    return CountedStep(step, _cost(offers, quote, None), search.counts(offer), duration(quote))


def _cost(offers: Offers, quote: Quote[Any], used: int | None, paid: int | None = None) -> Fraction | None:
    native = offers.context.request.origin.native
    price = usd_price(native, offers.context.prices)
    if price is None:
        return None
    units = (quote.gas_units or 0) if used is None else used
    network = 0 if offers.network is None else offers.network.cost(units)
    return usd(quote.native_fee + (network if paid is None else paid), native, price)
