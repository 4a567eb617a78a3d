"""Plans of one step or several: what adapters answered as steps, and ways through tokens that bridges carry."""

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
from rhumbline.domain.route import AdapterFilter, Order, RouteAnswer, RouteRequest
from rhumbline.domain.transaction import first_step_tag
from rhumbline.gateways.nodes.endpoints import reading
from rhumbline.gateways.upstreams.guard.call import Errand
from rhumbline.routing.fee_proof import FirstSteps, LaterStep, first_step, made
from rhumbline.routing.fees import totalled
from rhumbline.routing.offer import Offers
from rhumbline.routing.planned_steps import CountedStep, of_candidate, of_offer
from rhumbline.routing.quote_context import QuoteContext
from rhumbline.routing.quote_prices import PriceReader, fresh_price, usd_price
from rhumbline.routing.quote_service import QuoteService
from rhumbline.routing.ranking import Exact, Merits, score, tags, usd
from rhumbline.routing.refusals import no_quote
from rhumbline.routing.shapes import Leg, Shape, shapes
from rhumbline.routing.slippage import lost_share

TRIED = 3
"""So many of the routes of one step are built and run; the others are estimates."""
ENOUGH = 3
"""Where so many adapters do it in one step, nobody is asked for the parts of a longer way."""
_PASSING = UpstreamFailed.kind
_LOOK_S = 0.25
"""How often it is looked whether a first step is listed."""


@dataclass(frozen=True, slots=True)
class Planner:
    """Plans routes with what a quote service answers. ``id_keys`` sign the proofs of later steps, newest first.

    ``first_steps`` knows whose first step was made; without it every step takes the service's fee. It is asked for
    ``patience_s`` seconds, for a transaction is listed a moment after it was mined.
    """

    quotes: QuoteService
    id_keys: tuple[bytes, ...]
    first_steps: FirstSteps | None = None
    patience_s: float = 2.0

    async def routes(self, request: RouteRequest, most: int) -> tuple[Plan, ...]:
        """Return at most ``most`` routes, best first; raise a RhumblineError that says why there is none."""
        with reading():
            return await self._routes(request, most)

    async def _routes(self, request: RouteRequest, most: int) -> tuple[Plan, ...]:
        context = await self.quotes.prepare(request)
        offers = await self.quotes.gather(context)
        search = self.quotes.search(offers)
        tried, untried = await search.several(offers, TRIED)
        found = [[of_candidate(self.quotes, offers, search, each)] for each in tried]
        found += [[of_offer(self.quotes, offers, search, offer)] for offer in untried]
        refusals = [*offers.refusals, *search.refusals]
        if len(found) < ENOUGH:
            found += await self._longer(offers, refusals)
        if not found:
            raise no_quote(refusals, offers.gross_for)
        compared = self._merits(found, context.prices)
        tagged = zip(found, compared, tags(compared), strict=True)
        plans = [(self._plan(context, steps, given), merits) for steps, merits, given in tagged]

        def place(each: tuple[Plan, Merits]) -> tuple[Exact, Exact, int, str]:
            first, second = score(each[1], request.order)
            return -first, -second, len(each[0].steps), each[0].steps[0].adapter

        return tuple(plan for plan, _ in sorted(plans, key=place)[:most])

    async def step(self, asked: StepRequest) -> RouteAnswer:
        """Return the step's transaction, quoted anew; raise a RhumblineError that says why there is none."""
        request = replace(asked.request, adapters=_only(asked.request, asked.tool))
        if asked.index == 0:
            request = replace(request, first_of=asked.route_id)
        try:
            if asked.fees_taken:
                request = replace(request, fee_share=None)
                if self.first_steps is not None and await self._is_paid(asked, self.first_steps):
                    answer = await self.quotes.answer(without_fees(request))
                    if await self.first_steps.count(asked.route_id, asked.index, answer.transaction_id):
                        return answer
            return await self.quotes.answer(request)
        except NoAvailableQuotes as error:
            raise NoStepQuote(error.message, error.details) from error

    async def _is_paid(self, asked: StepRequest, first_steps: FirstSteps) -> bool:
        """Tell whether the fees of a later step's route were taken: proved, and seen on chain."""
        request, now = asked.request, int(self.quotes.clock().timestamp())
        tokens, share = (request.origin_token, request.destination_token), self._service_share(request)
        step = _later_step(asked.route_id, asked.index, asked.tool, request, request, tokens, share)
        first = first_step(self.id_keys, asked.fee_proof or "", step, request.amount, now)
        if first is None:
            return False
        tags = tuple(first_step_tag(key, asked.route_id) for key in self.id_keys)
        loop = asyncio.get_running_loop()
        until = loop.time() + self.patience_s
        while not await first_steps.is_open(tags, first, asked.route_id, asked.index):
            if loop.time() >= until:
                return False
            await asyncio.sleep(_LOOK_S)
        return True

    def _service_share(self, request: RouteRequest) -> str:
        return str((request.client.rule or self.quotes.fees.rule).service_share)

    async def _longer(self, offers: Offers, refusals: list[Refusal]) -> list[list[CountedStep]]:
        """Return the ways over other tokens; what kept one from being found and may pass joins the ``refusals``."""
        context, errand = offers.context, Errand()
        ways = shapes(context.request, context.pair.origin, context.pair.destination, self.quotes.tokens.find)
        found = await asyncio.gather(*(self._way(context, way, refusals, errand) for way in ways))
        return [each for each in found if each and not self._loses_too_much(context, each)]

    def _merits(self, plans: Sequence[Sequence[CountedStep]], prices: PriceReader) -> list[Merits]:
        """Return what plans are compared by, all in USD or, where any price is missing, all by output alone."""
        token = plans[0][-1].step.destination_token
        price = usd_price(token, prices)
        blind = price is None or any(each.cost_usd is None for plan in plans for each in plan)
        failures, requester = self.quotes.failures, plans[0][0].step.request.client.requester
        found: list[Merits] = []
        for plan in plans:
            # What an earlier step is not believed in is missing from what the last one brings.
            believed = prod(Fraction(each.counted, each.step.output_amount or 1) for each in plan[:-1])
            counted = plan[-1].counted * Fraction(believed)
            gained = counted if blind or price is None else counted * Fraction(price) / 10**token.decimals
            cost = Fraction(0) if blind else sum((each.cost_usd or Fraction(0) for each in plan), Fraction(0))
            seconds = sum(each.seconds for each in plan)
            sound = prod(1 - failures.share(each.step.adapter, requester) for each in plan)
            found.append(Merits(gained, cost, seconds, Fraction(1 - sound)))
        return found

    def _loses_too_much(self, context: QuoteContext, steps: Sequence[CountedStep]) -> bool:
        """Tell whether all steps together lose more than one may, by prices that may be used against somebody."""
        request, first, last = context.request, steps[0].step, steps[-1].step
        paid = fresh_price(first.origin_token, context.prices)
        got = fresh_price(last.destination_token, context.prices)
        if paid is None or got is None:
            return False
        lost = lost_share(
            usd(request.amount, first.origin_token, paid), usd(last.output_amount, last.destination_token, got)
        )
        own = None if request.auto_slippage else request.slippage
        return lost > max(self.quotes.limits.values.largest_loss, own or Fraction(0))

    async def _way(
        self, context: QuoteContext, way: Shape, refusals: list[Refusal], errand: Errand
    ) -> list[CountedStep]:
        """Return a way's steps, each quoted with what the one before is expected to bring; none where one fails.

        All ways of a plan are one errand: a host with a budget is asked for one leg of one of them.
        """
        steps: list[CountedStep] = []
        request, prices = context.request, context.prices
        amount = least = request.amount
        for number, leg in enumerate(way.legs):
            asked, part = _of_leg(request, way, number, leg, amount), (errand, (way, number))
            try:
                best = await self._best(asked, prices, refusals, part, first=number == 0)
                held = best
                if number > 0 and best is not None:
                    again = replace(asked, amount=least, adapters=_only(asked, best.step.adapter))
                    held = await self._best(again, prices, refusals, part)
            except (AdaptersFailed, StoreUnavailable) as error:
                refusals.append(Refusal(f"{leg.origin.key} to {leg.destination.key}", _PASSING, error.message))
                return []
            except RhumblineError:
                return []
            if best is None or held is None:
                return []
            # What is guaranteed is what the step guarantees for the least that the one before brings.
            guaranteed = min(best.step.min_output_amount, held.step.min_output_amount)
            steps.append(replace(best, step=replace(best.step, min_output_amount=guaranteed)))
            amount, least = best.step.output_amount, guaranteed
        return steps

    async def _best(
        self,
        asked: RouteRequest,
        prices: PriceReader,
        refusals: list[Refusal],
        part: tuple[Errand, Hashable],
        *,
        first: bool = False,
    ) -> CountedStep | None:
        """Return the best offer; without one, what may pass of the reasons joins the ``refusals``."""
        offers = await self.quotes.gather(await self.quotes.prepare(asked, prices), errand=part)
        search = self.quotes.search(offers)
        _, waiting = await search.several(offers, 0)
        if not waiting:
            refusals += [each for each in offers.refusals if each.kind == _PASSING]
            return None
        return of_offer(self.quotes, offers, search, waiting[0], first=first)

    def _plan(self, context: QuoteContext, found: Sequence[CountedStep], given: tuple[Order, ...]) -> Plan:
        """Return a plan under a new ID, its later steps with their proofs."""
        request, steps = context.request, [found[0].step]
        identifier, now = str(uuid.uuid4()), int(self.quotes.clock().timestamp())
        share, token = self._service_share(request), steps[0].origin_token.address
        name = request.integrator or ""
        first = FirstStep(request.origin.id, request.sender, name, token, request.amount, share != "0")
        for number, each in enumerate(found[1:], 1):
            step, asked = each.step, each.step.request
            tokens = step.origin_token.address, step.destination_token.address
            later = _later_step(identifier, number, step.adapter, request, asked, tokens, share)
            proof = made(self.id_keys[0], later, first, asked.amount, now)
            steps.append(replace(each.step, fee_proof=proof))
        items = [item for step in steps for item in step.fees.items]
        fees = totalled(items, request.origin, steps[0].origin_token, context.prices)
        return Plan(identifier, request, tuple(steps), fees, given)


def _later_step(
    route_id: str,
    index: int,
    tool: str,
    whole: RouteRequest,
    asked: RouteRequest,
    tokens: tuple[str, str],
    service_share: str,
) -> LaterStep:
    """Return what a later step's proof is made for; ``whole`` is the route's request, whose fees are taken."""
    return LaterStep(
        route_id=route_id,
        index=index,
        tool=tool,
        chain_id=asked.origin.id,
        token=tokens[0],
        destination_chain_id=asked.destination.id,
        destination_token=tokens[1],
        sender=asked.sender,
        receiver=asked.receiver,
        integrator=whole.integrator or "",
        fee=str(whole.fee_share or 0),
        service_share=service_share,
    )


def without_fees(request: RouteRequest) -> RouteRequest:
    """Return a request on which nothing is taken: the fees of its route were taken before."""
    rule = request.client.rule or FeeRule()
    client = replace(request.client, rule=replace(rule, service_share=Fraction(0)))
    return replace(request, client=client, fee_share=None)


def _of_leg(request: RouteRequest, way: Shape, number: int, leg: Leg, amount: int) -> RouteRequest:
    """Return the question for one leg; an explicit slippage is divided among them, so that it holds end to end."""
    last = number == len(way.legs) - 1
    slippage = None if request.slippage is None else request.slippage / len(way.legs)
    asked = replace(
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
    )
    return asked if number == 0 else without_fees(asked)


def _owner(request: RouteRequest, chain: Chain) -> str:
    """Return who holds what is on its way on a chain, and signs the step that goes on from there."""
    return request.sender if chain.type is request.origin.type else request.receiver


def _only(asked: RouteRequest, adapter: str) -> AdapterFilter:
    """Permit one adapter; before a bridge whichever exchanges were permitted may swap in the same transaction."""
    only = frozenset({adapter})
    if asked.origin.id == asked.destination.id:
        return AdapterFilter(include_exchanges=only)
    return replace(asked.adapters, include_bridges=only, exclude_bridges=frozenset())
