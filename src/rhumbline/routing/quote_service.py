"""A quote in three verbs: prepare a request, gather what adapters answer, populate the best with transactions."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from typing import Any

from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.domain.adapter import Adapter
from rhumbline.domain.chain import ChainType
from rhumbline.domain.clock import Clock, system_clock
from rhumbline.domain.errors import NoAvailableQuotes, RhumblineError, StoreUnavailable
from rhumbline.domain.quote import Refusal
from rhumbline.domain.route import AdapterFilter, RouteAnswer, RouteRequest, Tell, tell_nobody
from rhumbline.domain.simulation import Simulation
from rhumbline.domain.transfer import IssuedTransaction
from rhumbline.gateways.nodes.endpoints import reading
from rhumbline.gateways.upstreams.guard.call import Errand
from rhumbline.routing.answer import answer_of, estimate_of, issued_transaction
from rhumbline.routing.call_log import CallNotes
from rhumbline.routing.composed_quote import best_of_each, refusals_of
from rhumbline.routing.composer import Composer
from rhumbline.routing.deviations import Deviations
from rhumbline.routing.failures import Failures
from rhumbline.routing.fan_out import Deadlines, Outcome, gather_quotes, hear_nothing
from rhumbline.routing.fees import FeeSettings
from rhumbline.routing.offer import BuiltQuote, Offers, offer_of
from rhumbline.routing.preparer import IntegratorReader, Preparer
from rhumbline.routing.quote_context import QuoteContext
from rhumbline.routing.quote_prices import PriceReader, no_prices, usd_price
from rhumbline.routing.ranking import RankingContext, unit_values
from rhumbline.routing.refusals import confirmed, is_too_low, no_quote
from rhumbline.routing.search import Search
from rhumbline.routing.second_opinion import SecondOpinion
from rhumbline.routing.selection import select
from rhumbline.routing.trial import Trial
from rhumbline.routing.value_limits import ValueLimits
from rhumbline.simulation.simulator import Simulator


@dataclass(frozen=True, slots=True)
class QuoteLimits:
    """How long a transaction may be sent, how long all simulations of one quote may take together, in seconds."""

    transaction_ttl_s: int = 1200
    simulation_budget_s: float = 1.5
    values: ValueLimits = field(default_factory=ValueLimits)


BuildKeeper = Callable[[IssuedTransaction], Awaitable[None]]
"""Stores a transfer that is about to be handed out; raises StoreUnavailable, and then it is not."""


async def keep_nothing(build: IssuedTransaction) -> None:
    """Forget a transfer: for services that track nothing."""


def nobody_waits(chain_id: int, expires_at: datetime, wallet_call: bool) -> None:
    """Note nothing of what is handed out: for services that track nothing."""


@dataclass(frozen=True, slots=True)
class Populated:
    """The best offer with its transaction and run, None without one; and why each of the others is not it."""

    best: tuple[BuiltQuote, Simulation | None] | None
    refusals: tuple[Refusal, ...]


@dataclass(frozen=True, slots=True)
class QuoteService:
    """Answers quotes. ``composers`` are by the origin's type of chain, ``simulators`` by chain ID.

    ``keep`` stores transfers across chains before they are handed out, so that tracking can tell what was promised.
    ``origins`` are the chains that are served with a node of the operator's, None for all. ``deviations`` remembers who
    promised too much, ``failures`` whose quotes came to nothing. ``second_simulators`` are asked about what is answered
    alone, beside the others. ``may_answer`` raises a RhumblineError while nothing may be handed out at all.
    ``handed_out`` notes the chain of a transaction, until when it may run, and whether it is a wallet's own call.
    """

    adapters: tuple[Adapter[Any], ...]
    tokens: TokenCatalog
    integrators: IntegratorReader
    composers: Mapping[ChainType, Composer]
    simulators: Mapping[int, Simulator[Any]]
    fees: FeeSettings = field(default_factory=FeeSettings)
    deadlines: Deadlines = field(default_factory=Deadlines)
    limits: QuoteLimits = field(default_factory=QuoteLimits)
    clock: Clock = system_clock
    prices: PriceReader = no_prices
    notes: CallNotes = field(default_factory=CallNotes)
    keep: BuildKeeper = keep_nothing
    origins: frozenset[int] | None = None
    deviations: Deviations = field(default_factory=Deviations)
    second_simulators: Mapping[int, Simulator[Any]] = field(default_factory=dict)
    failures: Failures = field(default_factory=Failures)
    may_answer: Callable[[], None] = lambda: None
    handed_out: Callable[[int, datetime, bool], None] = nobody_waits

    async def answer(self, request: RouteRequest, tell: Tell = tell_nobody) -> RouteAnswer:
        """Return the best executable route; raise a RhumblineError that says why there is none.

        ``tell`` is told before what each adapter offers, or why it offers nothing.
        """
        # Else a block that one node has told might be another's past.
        with reading():
            context = await self.prepare(request)
            offers = await self.gather(context, tell)
            populated = await self.populate(offers)
        if populated.best is None:
            enough = await self._enough(offers, populated.refusals)
            raise no_quote(populated.refusals, offers.gross_for, enough)
        built, simulation = populated.best
        if (context.crossing or built.wallet_call) and not context.shown_only:
            await self._kept(issued_transaction(context, built, self.clock()))
        if not context.shown_only:
            expires_at = datetime.fromtimestamp(built.deadline, UTC)
            self.handed_out(context.request.origin.id, expires_at, built.wallet_call)
        info = next(item.info for item in self.adapters if item.info.key == built.offer.quote.adapter)
        return answer_of(
            context,
            built,
            simulation,
            refusals=populated.refusals,
            network=offers.network,
            scan_url=info.scan_url,
            trusted=info.trust_assumptions,
        )

    def trusted(self, adapter: str) -> tuple[str, ...]:
        """Return what an adapter says that its upstream has to be believed in."""
        return next(each.info.trust_assumptions for each in self.adapters if each.info.key == adapter)

    async def prepare(self, request: RouteRequest, prices: PriceReader | None = None) -> QuoteContext:
        """Settle what is asked, at present prices where none are given.

        Raise NoAvailableQuotes for an origin that is not served, else as ``may_answer`` and ``Preparer`` do.
        """
        self.may_answer()
        origin = request.origin
        if origin.type not in self.composers or (self.origins is not None and origin.id not in self.origins):
            raise NoAvailableQuotes(f"Nothing can be sent from {origin.name}: this service has no node of it")
        deadline = int(self.clock().timestamp()) + self.limits.transaction_ttl_s
        preparer = Preparer(self.tokens, self.integrators, self.fees, self.deadlines.hard_s)
        return await preparer.prepare(request, self.composers[origin.type], deadline, prices or self.prices)

    async def gather(
        self, context: QuoteContext, tell: Tell = tell_nobody, errand: tuple[Errand, Hashable] | None = None
    ) -> Offers:
        """Ask whom the request permits, all at once; raise a RhumblineError where the chains forbid any answer.

        ``errand`` is what this is asked for together with other questions, and for which part of that.
        """

        def hear(outcome: Outcome) -> None:
            if isinstance(outcome, Refusal):
                tell(outcome)
            else:
                tell(estimate_of(context, offer_of(context, outcome)))

        request, composer = context.request, self.composers[context.request.origin.type]
        selection = select(self.adapters, [form.request for form in context.forms], request.adapters)
        notes = replace(self.notes, requester=request.client.requester, errand=errand)
        composed = composer.composed(context, self.adapters, self.tokens.find, notes)
        asks = (*selection.asks, *composed)
        resorts = tuple(form.request for form in context.forms if form.forgoes_fee)
        for refusal in selection.refusals:
            tell(refusal)
        hearer = hear_nothing if tell is tell_nobody else hear
        gathered, network, objection = await asyncio.gather(
            gather_quotes(asks, notes, self.deadlines, resorts, hearer),
            composer.price(request.origin),
            composer.objection(request),
        )
        if objection is not None:
            raise objection
        refusals = refusals_of(selection.refusals, gathered.quotes, gathered.refusals)
        offered = tuple(offer_of(context, quote) for quote in best_of_each(gathered.quotes))
        return Offers(context, offered, refusals, network, asks)

    async def populate(self, offers: Offers) -> Populated:
        search = self.search(offers)
        best = await search.best(offers)
        return Populated(best, (*offers.refusals, *search.refusals))

    def search(self, offers: Offers) -> Search:
        """Return a search among the offers."""
        context, quotes = offers.context, [offer.quote for offer in offers.offers]
        requester, failures = context.request.client.requester, self.failures
        tokens = context.pair.destination, context.request.origin.native
        output_value, native_value = unit_values(*((token, usd_price(token, context.prices)) for token in tokens))
        ranking = RankingContext(
            output_value=output_value,
            native_value=native_value,
            network=offers.network,
            most_gas=max((quote.gas_units or 0 for quote in quotes), default=0),
            order=context.request.order,
            failed={quote.adapter: share for quote in quotes if (share := failures.share(quote.adapter, requester))},
        )
        trial = Trial(
            context=context,
            adapters={adapter.info.key: adapter for adapter in self.adapters},
            composer=self.composers[context.request.origin.type],
            simulators=self.simulators,
            tokens=self.tokens,
            notes=replace(self.notes, requester=requester),
            timeout_s=self.deadlines.hard_s,
            limits=self.limits.values,
            deviations=self.deviations,
            failures=failures,
            second=SecondOpinion(self.second_simulators),
        )
        return Search(trial, ranking, self.limits.simulation_budget_s)

    async def _enough(self, offers: Offers, refusals: tuple[Refusal, ...]) -> int | None:
        """Return an amount that was seen to be enough, where the amount is what stands in the way."""
        if not is_too_low(refusals):
            return None
        try:
            async with asyncio.timeout(self.deadlines.hard_s):
                return await confirmed(refusals, offers.gross_for, partial(self._works, offers.context))
        except TimeoutError:
            return None

    async def _works(self, context: QuoteContext, adapter: str, amount: int) -> bool:
        """Tell whether an adapter has an executable quote for another amount; nothing of it is kept."""
        only = AdapterFilter(include_bridges=frozenset({adapter}), include_exchanges=frozenset({adapter}))
        asked = replace(context.request, amount=amount, adapters=only)
        try:
            context = await self.prepare(asked, context.prices)
            return (await self.populate(await self.gather(context))).best is not None
        except RhumblineError:
            return False

    async def _kept(self, build: IssuedTransaction) -> None:
        try:
            async with asyncio.timeout(self.deadlines.hard_s):
                await self.keep(build)
        except TimeoutError as error:
            raise StoreUnavailable("The store does not answer in time; try again") from error
