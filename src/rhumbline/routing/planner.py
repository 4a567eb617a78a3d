"""Plans of one or several steps: adapters' answers as steps, and routes through tokens that bridges carry."""

import asyncio
import uuid
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import prod

from rhumbline.domain.chain import Chain
from rhumbline.domain.errors import (
    AdaptersFailed,
    NoAvailableQuotes,
    NoStepQuote,
    RhumblineError,
    StoreUnavailable,
    UpstreamFailed,
)
from rhumbline.domain.fee import FeeRule
from rhumbline.domain.plan import FirstStep, Plan, StepRequest
from rhumbline.domain.quote import Refusal
from rhumbline.domain.route import Order, RouteAnswer, RouteRequest
from rhumbline.domain.transaction import first_step_tag
from rhumbline.gateways.nodes.endpoints import reading
from rhumbline.gateways.upstreams.guard.call import Errand
from rhumbline.routing.fee_proof import FirstSteps, LaterStep, first_step, new_fee_proof
from rhumbline.routing.fees import totalled
from rhumbline.routing.offer import Offers
from rhumbline.routing.planned_steps import CountedStep, of_candidate, of_offer
from rhumbline.routing.quote_context import QuoteContext
from rhumbline.routing.quote_prices import PriceReader, fresh_price, usd, usd_price
from rhumbline.routing.quote_service import QuoteService
from rhumbline.routing.ranking import Exact, Merits, score, tags
from rhumbline.routing.refusals import no_quote
from rhumbline.routing.score_notes import note_scores
from rhumbline.routing.selection import only
from rhumbline.routing.shapes import Leg, Shape, shapes
from rhumbline.routing.slippage import lost_share
from rhumbline.routing.trail_notes import note_part, note_plans

TRIED = 3
"""How many one-step routes are built and simulated; the others are estimates."""
ENOUGH = 3
"""If so many adapters do it in one step, routes of several steps are not searched."""
_PASSING = UpstreamFailed.kind
_LOOK_S = 0.25
"""How often the service checks whether a first step is listed."""


@dataclass(frozen=True, slots=True)
class Planner:
    """Plans routes with a quote service's answers. ``id_keys`` sign the proofs of later steps, newest first.

    ``first_steps`` knows whose first step was made; without it every step takes the service's fee. It is asked for
    ``patience_s`` seconds, for a transaction is listed a moment after it was mined.
    """

    quotes: QuoteService
    id_keys: tuple[bytes, ...]
    first_steps: FirstSteps | None = None
    patience_s: float = 2.0

    async def routes(self, request: RouteRequest, most: int) -> tuple[Plan, ...]:
        """Return at most ``most`` routes, best first; raise a RhumblineError if there is none."""
        with reading():
            return await self._routes(request, most)

    async def _routes(self, request: RouteRequest, most: int) -> tuple[Plan, ...]:
        context = await self.quotes.prepare(request)
        offers = await self.quotes.gather(context)
        search = self.quotes.search(offers)
        tried, untried = await search.several(offers, TRIED)
        note_part(offers, search, None)
        note_scores(self.quotes.scores, offers, search.built, (*offers.refusals, *search.refusals), None)
        found = [[of_candidate(self.quotes, offers, search, each)] for each in tried]
        found += [[of_offer(self.quotes, offers, search, offer)] for offer in untried]
        refusals = [*offers.refusals, *search.refusals]
        if len(found) < ENOUGH and not request.wants_more_there:
            found += await self._longer(offers, refusals)
        if not found:
            raise no_quote(refusals, offers.gross_for)
        compared = self._merits(found, context.prices)
        tagged = zip(found, compared, tags(compared), strict=True)
        plans = [(self.plan(context, steps, orders), merits) for steps, merits, orders in tagged]

        def place(each: tuple[Plan, Merits]) -> tuple[Exact, Exact, int, str]:
            first, second = score(each[1], request.order)
            return -first, -second, len(each[0].steps), each[0].steps[0].adapter

        best = tuple(plan for plan, _ in sorted(plans, key=place)[:most])
        note_plans(request.trail, best)
        return best

    async def step(self, step_request: StepRequest) -> RouteAnswer:
        """Return the step's transaction, quoted again; raise a RhumblineError if there is none."""
        request = replace(step_request.request, adapters=only(step_request.request, step_request.tool))
        if step_request.index == 0:
            request = replace(request, first_of=step_request.route_id)
        try:
            if step_request.fees_taken:
                request = replace(request, fee_share=None)
                if self.first_steps is not None and await self._is_paid(step_request, self.first_steps):
                    answer = await self.quotes.answer(without_fees(request))
                    if await self.first_steps.count(step_request.route_id, step_request.index, answer.transaction_id):
                        return answer
            return await self.quotes.answer(request)
        except NoAvailableQuotes as error:
            raise NoStepQuote(error.message, error.details) from error

    async def _is_paid(self, step_request: StepRequest, first_steps: FirstSteps) -> bool:
        """Return whether the fees of a later step's route were taken: proved, and seen on chain."""
        request, now = step_request.request, int(self.quotes.clock().timestamp())
        tokens, share = (request.origin_token, request.destination_token), self._service_share(request)
        step = _later_step(
            step_request.route_id, step_request.index, step_request.tool, request, request, tokens, share
        )
        first = first_step(self.id_keys, step_request.fee_proof or "", step, request.amount, now)
        if first is None:
            return False
        tags = tuple(first_step_tag(key, step_request.route_id) for key in self.id_keys)
        loop = asyncio.get_running_loop()
        until = loop.time() + self.patience_s
        while not await first_steps.is_open(tags, first, step_request.route_id, step_request.index):
            if loop.time() >= until:
                return False
            await asyncio.sleep(_LOOK_S)
        return True

    def _service_share(self, request: RouteRequest) -> str:
        return str((request.client.rule or self.quotes.fees.rule).service_share)

    async def _longer(self, offers: Offers, refusals: list[Refusal]) -> list[list[CountedStep]]:
        """Return the plans over other tokens; temporary failures that prevented one are added to ``refusals``."""
        context, errand = offers.context, Errand()
        planned_shapes = shapes(context.request, context.pair.origin, context.pair.destination, self.quotes.tokens.find)
        found = await asyncio.gather(*(self.steps_of(context, shape, refusals, errand) for shape in planned_shapes))
        return [each for each in found if each and not self.loses_too_much(context, each)]

    def _merits(self, plans: Sequence[Sequence[CountedStep]], prices: PriceReader) -> list[Merits]:
        """Return the values by which plans are compared: all in USD or, if a price is missing, all by output."""
        token = plans[0][-1].step.destination_token
        price = usd_price(token, prices)
        blind = price is None or any(each.cost_usd is None for plan in plans for each in plan)
        failures, requester = self.quotes.failures, plans[0][0].step.request.client.requester
        found: list[Merits] = []
        for plan in plans:
            # The shares of earlier steps that are not counted reduce the last step's output.
            counted_share = prod(Fraction(each.counted, each.step.output_amount or 1) for each in plan[:-1])
            counted = plan[-1].counted * Fraction(counted_share)
            gained = counted if blind or price is None else counted * Fraction(price) / 10**token.decimals
            cost = Fraction(0) if blind else sum((each.cost_usd or Fraction(0) for each in plan), Fraction(0))
            sound = prod(1 - failures.share(each.step.adapter, requester) for each in plan)
            handicap = sum((self.quotes.handicap(each.step.adapter, each.step.request) for each in plan), Fraction(0))
            found.append(Merits(gained, cost, sum(each.seconds for each in plan), Fraction(1 - sound), handicap))
        return found

    def loses_too_much(self, context: QuoteContext, steps: Sequence[CountedStep]) -> bool:
        """Return whether all steps together lose more than allowed, by fresh prices."""
        request, first, last = context.request, steps[0].step, steps[-1].step
        input_price = fresh_price(first.origin_token, context.prices)
        output_price = fresh_price(last.destination_token, context.prices)
        if input_price is None or output_price is None:
            return False
        lost = lost_share(
            usd(request.amount, first.origin_token, input_price),
            usd(last.output_amount, last.destination_token, output_price),
        )
        own = None if request.auto_slippage else request.slippage
        return lost > max(self.quotes.limits.values.largest_loss, own or Fraction(0))

    async def steps_of(
        self, context: QuoteContext, shape: Shape, refusals: list[Refusal], errand: Errand
    ) -> list[CountedStep]:
        """Return the steps of legs, each quoted with the expected output of the one before; none if one fails.

        All shapes of a plan are one errand: a host with a budget is asked for one leg of one of them.
        """
        steps: list[CountedStep] = []
        request, prices = context.request, context.prices
        amount = least = request.amount
        for number, leg in enumerate(shape.legs):
            leg_request, part = _of_leg(request, shape, number, leg, amount), (errand, (shape, number))
            try:
                best = await self._best(leg_request, prices, refusals, part, first=number == 0)
                for_least = best
                if number > 0 and best is not None:
                    again = replace(leg_request, amount=least, adapters=only(leg_request, best.step.adapter))
                    for_least = await self._best(again, prices, refusals, part)
            except (AdaptersFailed, StoreUnavailable) as error:
                refusals.append(Refusal(f"{leg.origin.key} to {leg.destination.key}", _PASSING, error.message))
                return []
            except RhumblineError:
                return []
            if best is None or for_least is None:
                return []
            # What is guaranteed is the step's guarantee for the least output of the one before.
            guaranteed = min(best.step.min_output_amount, for_least.step.min_output_amount)
            steps.append(replace(best, step=replace(best.step, min_output_amount=guaranteed)))
            amount, least = best.step.output_amount, guaranteed
        return steps

    async def _best(
        self,
        leg_request: RouteRequest,
        prices: PriceReader,
        refusals: list[Refusal],
        part: tuple[Errand, Hashable],
        *,
        first: bool = False,
    ) -> CountedStep | None:
        """Return the best offer; without one, temporary reasons are added to ``refusals``."""
        offers = await self.quotes.gather(await self.quotes.prepare(leg_request, prices), errand=part)
        search = self.quotes.search(offers)
        _, waiting = await search.several(offers, 0)
        note_part(offers, search, waiting[0].quote.adapter if waiting else None)
        if not waiting:
            refusals += [each for each in offers.refusals if each.kind == _PASSING]
            return None
        return of_offer(self.quotes, offers, search, waiting[0], first=first)

    def plan(self, context: QuoteContext, found: Sequence[CountedStep], orders: tuple[Order, ...]) -> Plan:
        """Return a plan under a new ID, its later steps with their proofs."""
        request, steps = context.request, [found[0].step]
        identifier, now = str(uuid.uuid4()), int(self.quotes.clock().timestamp())
        share, token = self._service_share(request), steps[0].origin_token.address
        name = request.integrator or ""
        first = FirstStep(request.origin.id, request.sender, name, token, request.amount, share != "0")
        for number, each in enumerate(found[1:], 1):
            step, step_request = each.step, each.step.request
            tokens = step.origin_token.address, step.destination_token.address
            later = _later_step(identifier, number, step.adapter, request, step_request, tokens, share)
            proof = new_fee_proof(self.id_keys[0], later, first, step_request.amount, now)
            steps.append(replace(each.step, fee_proof=proof))
        items = [item for step in steps for item in step.fees.items]
        fees = totalled(items, request.origin, steps[0].origin_token, context.prices)
        return Plan(identifier, request, tuple(steps), fees, orders)


def _later_step(
    route_id: str,
    index: int,
    tool: str,
    whole: RouteRequest,
    step_request: RouteRequest,
    tokens: tuple[str, str],
    service_share: str,
) -> LaterStep:
    """Return what a later step's proof covers; ``whole`` is the route's request, whose fees are taken."""
    return LaterStep(
        route_id=route_id,
        index=index,
        tool=tool,
        chain_id=step_request.origin.id,
        token=tokens[0],
        destination_chain_id=step_request.destination.id,
        destination_token=tokens[1],
        sender=step_request.sender,
        receiver=step_request.receiver,
        integrator=whole.integrator or "",
        fee=str(whole.fee_share or 0),
        service_share=service_share,
    )


def without_fees(request: RouteRequest) -> RouteRequest:
    """Return a request on which nothing is taken: the fees of its route were taken before."""
    rule = request.client.rule or FeeRule()
    client = replace(request.client, rule=replace(rule, service_share=Fraction(0)))
    return replace(request, client=client, fee_share=None)


def _of_leg(request: RouteRequest, shape: Shape, number: int, leg: Leg, amount: int) -> RouteRequest:
    """Return the request for one leg; an explicit slippage is divided among the legs, so that it holds end to end."""
    last = number == len(shape.legs) - 1
    slippage = None if request.slippage is None else request.slippage / len(shape.legs)
    leg_request = replace(
        request,
        origin=leg.origin,
        destination=leg.destination,
        origin_token=leg.sold.address,
        destination_token=leg.bought.address,
        amount=amount,
        sender=_owner(request, leg.origin),
        receiver=request.receiver if last else _owner(request, leg.destination),
        slippage=slippage,
        receiver_defaulted=not last or request.receiver_defaulted,
        refund_to=request.refund_to if leg.crosses else None,
    )
    return leg_request if number == 0 else without_fees(leg_request)


def _owner(request: RouteRequest, chain: Chain) -> str:
    """Return the wallet that holds the tokens on a chain between steps, and signs the next one."""
    return request.sender if chain.type is request.origin.type else request.receiver
