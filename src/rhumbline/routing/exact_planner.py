"""Plans for a wanted output: one-step routes by each adapter's least input, longer ones by a search over all steps."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import prod

from rhumbline.domain.errors import NoRoute, RhumblineError, SlippageExceeded
from rhumbline.domain.plan import Plan, StepRequest
from rhumbline.domain.quote import Refusal
from rhumbline.domain.route import RouteAnswer, RouteRequest
from rhumbline.gateways.nodes.endpoints import reading
from rhumbline.gateways.upstreams.guard.call import Errand
from rhumbline.routing.exact_output import ExactOutput, Sought
from rhumbline.routing.first_input import most_input
from rhumbline.routing.input_search import Answered, find_input
from rhumbline.routing.offer import Offers
from rhumbline.routing.planned_steps import CountedStep, of_candidate, of_offer
from rhumbline.routing.planner import ENOUGH, TRIED, Planner
from rhumbline.routing.quote_context import QuoteContext
from rhumbline.routing.quote_prices import usd, usd_price
from rhumbline.routing.ranking import Exact, Merits, score, tags
from rhumbline.routing.refusals import no_quote
from rhumbline.routing.score_notes import note_scores
from rhumbline.routing.shapes import Shape, shapes
from rhumbline.routing.trail_notes import note_part, note_plans

_PlannedSteps = tuple[QuoteContext, Sequence[CountedStep]]
"""The steps of one plan; the context has its input."""


@dataclass(frozen=True, slots=True)
class ExactPlanner:
    """Plans requests for an output by a planner, and passes others on to it."""

    planner: Planner

    async def routes(self, request: RouteRequest, most: int) -> tuple[Plan, ...]:
        """Return at most ``most`` routes, the one that takes least first; raise a RhumblineError if there is none."""
        if not request.seeks_input:
            return await self.planner.routes(request, most)
        with reading():
            return await self._routes(request, most)

    async def step(self, step_request: StepRequest) -> RouteAnswer:
        """Return the step's transaction as ``Planner.step`` does.

        Some upstreams fix the minimum by the slippage, so that a price a little below the planned one would not do:
        where an output is wanted, such a step is asked for once more, with half of the slippage.
        """
        request = step_request.request
        try:
            return await self.planner.step(step_request)
        except SlippageExceeded:
            if request.wanted_output is None or not request.slippage:
                raise
        tighter = replace(request, slippage=request.slippage / 2, auto_slippage=False)
        return await self.planner.step(replace(step_request, request=tighter))

    async def _routes(self, request: RouteRequest, most: int) -> tuple[Plan, ...]:
        sought = await ExactOutput(self.planner.quotes).gather(request)
        refusals = list(sought.refusals)
        tried = await asyncio.gather(*(self._tried(offers, refusals) for offers in sought.found[:TRIED]))
        found = [each for each in tried if each is not None]
        built = {steps[0].step.adapter for _, steps in found}
        note_scores(self.planner.quotes.scores, sought.whole, built, refusals, None)
        found += [self._untried(offers) for offers in sought.found[TRIED:]]
        if len(found) < ENOUGH and not request.wants_more_there:
            found += await self._longer(sought, refusals)
        if not found:
            raise no_quote(refusals, sought.none.gross_for)
        compared = self._merits(found)
        tagged = zip(found, compared, tags(compared), strict=True)
        plans = [(self.planner.plan(*each, orders), merits) for each, merits, orders in tagged]

        def place(each: tuple[Plan, Merits]) -> tuple[Exact, Exact, int, str]:
            first, second = score(each[1], request.order)
            return -first, -second, len(each[0].steps), each[0].steps[0].adapter

        best = tuple(plan for plan, _ in sorted(plans, key=place)[:most])
        note_plans(request.trail, best)
        return best

    async def _tried(self, offers: Offers, refusals: list[Refusal]) -> _PlannedSteps | None:
        """Build and simulate an offer; None, with the reason in ``refusals``, where that shows a fault."""
        quotes = self.planner.quotes
        search = quotes.search(offers)
        candidates, _ = await search.several(offers, 1)
        note_part(offers, search, None)
        refusals += search.refusals
        if not candidates:
            return None
        return offers.context, [of_candidate(quotes, offers, search, candidates[0])]

    def _untried(self, offers: Offers) -> _PlannedSteps:
        quotes = self.planner.quotes
        return offers.context, [of_offer(quotes, offers, quotes.search(offers), offers.offers[0])]

    async def _longer(self, sought: Sought, refusals: list[Refusal]) -> list[_PlannedSteps]:
        """Return the plans over other tokens, each with the least input that a search over all its steps found."""
        context, errand = sought.context, Errand()
        pair, listed = context.pair, self.planner.quotes.tokens.find
        if context.request.amount <= 1:
            return []
        planned = shapes(context.request, pair.origin, pair.destination, listed)
        found = await asyncio.gather(*(self._over(sought, shape, refusals, errand) for shape in planned))
        return [each for each in found if each is not None and not self.planner.loses_too_much(*each)]

    async def _over(
        self, sought: Sought, shape: Shape, refusals: list[Refusal], errand: Errand
    ) -> _PlannedSteps | None:
        context, wanted = sought.context, sought.wanted
        name = f"{context.request.origin.key} to {context.request.destination.key}"

        async def ask(amount: int) -> Answered[_PlannedSteps] | Refusal:
            try:
                asked = await self.planner.quotes.prepare(replace(context.request, amount=amount), context.prices)
            except RhumblineError as error:
                return Refusal(name, NoRoute.kind, error.message)
            steps = await self.planner.steps_of(asked, shape, refusals, errand)
            if not steps:
                return Refusal(name, NoRoute.kind, "has no route over these tokens")
            return Answered(amount, steps[-1].step.min_output_amount, (asked, steps))

        answer = await find_input(wanted, context.request.amount, most_input(context.request), ask)
        if not isinstance(answer, Answered):
            return None
        asked, steps = answer.found
        return replace(asked, request=replace(asked.request, wanted_output=wanted)), steps

    def _merits(self, plans: Sequence[_PlannedSteps]) -> list[Merits]:
        """Return the values by which plans are compared, in USD, or the inputs alone if a price is missing.

        All gain the same, the least input; what they take beyond that is their cost.
        """
        context, quotes = plans[0][0], self.planner.quotes
        sold, failures, requester = context.pair.origin, quotes.failures, context.request.client.requester
        price = usd_price(sold, context.prices)
        blind = price is None or any(step.cost_usd is None for _, steps in plans for step in steps)
        unit = Fraction(1) if blind or price is None else usd(1, sold, price)
        inputs = [each.request.amount * unit for each, _ in plans]
        found = []
        for (_, steps), paid in zip(plans, inputs, strict=True):
            beside = Fraction(0) if blind else sum((step.cost_usd or Fraction(0) for step in steps), Fraction(0))
            sound = prod(1 - failures.share(each.step.adapter, requester) for each in steps)
            seconds = sum(each.seconds for each in steps)
            handicap = sum((quotes.handicap(each.step.adapter, each.step.request) for each in steps), Fraction(0))
            found.append(Merits(min(inputs), paid + beside, seconds, Fraction(1 - sound), handicap))
        return found
