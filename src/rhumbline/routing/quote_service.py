"""A quote in three steps: prepare a request, gather adapters' answers, populate the best with transactions."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from fractions import Fraction
from functools import partial
from typing import Any

from rhumbline.accounts.score_tally import ScoreTally
from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.domain.adapter import Adapter
from rhumbline.domain.chain import ChainType
from rhumbline.domain.clock import Clock, system_clock
from rhumbline.domain.errors import NoAvailableQuotes, RhumblineError, StoreUnavailable
from rhumbline.domain.pauses import NOTHING_PAUSED, Pauses
from rhumbline.domain.quote import Refusal
from rhumbline.domain.route import AdapterFilter, OnAnswer, RouteAnswer, RouteRequest
from rhumbline.domain.scorecard import AdapterPair
from rhumbline.domain.simulation import Simulation
from rhumbline.domain.spans import span
from rhumbline.domain.trail import CallNote
from rhumbline.domain.transfer import IssuedTransaction
from rhumbline.gateways.nodes.endpoints import reading
from rhumbline.gateways.upstreams.guard.call import Errand
from rhumbline.routing.answer import answer_of, issued_transaction, report
from rhumbline.routing.auto_gas import with_gas_settled
from rhumbline.routing.call_log import CallNotes
from rhumbline.routing.composed_quote import best_of_each, refusals_of
from rhumbline.routing.composer import Composer
from rhumbline.routing.deviations import Deviations
from rhumbline.routing.failures import Failures
from rhumbline.routing.fan_out import Deadlines, gather_quotes
from rhumbline.routing.fees import FeeSettings
from rhumbline.routing.offer import BuiltQuote, Offers, offer_of
from rhumbline.routing.preparer import IntegratorReader, Preparer
from rhumbline.routing.quote_context import QuoteContext
from rhumbline.routing.quote_prices import PriceReader, no_prices, unit_values, usd_price
from rhumbline.routing.ranking import RankingContext
from rhumbline.routing.refusals import confirmed, is_too_low, no_quote
from rhumbline.routing.score_notes import Tried, note_answered, note_scores
from rhumbline.routing.search import Search
from rhumbline.routing.second_opinion import SecondOpinion
from rhumbline.routing.selection import select
from rhumbline.routing.trail_notes import note_answer, note_part
from rhumbline.routing.trial import MeasuredGas, Trial
from rhumbline.routing.value_limits import ValueLimits
from rhumbline.simulation.simulator import Simulator


@dataclass(frozen=True, slots=True)
class QuoteLimits:
    """How long a transaction is valid, and how long all simulations of a quote may take together, in seconds."""

    transaction_ttl_s: int = 1200
    simulation_budget_s: float = 1.5
    values: ValueLimits = field(default_factory=ValueLimits)


BuildKeeper = Callable[[IssuedTransaction], Awaitable[None]]
"""Stores a transfer before it is answered; if it raises StoreUnavailable, the transfer is not answered."""


async def keep_nothing(build: IssuedTransaction) -> None:
    """Forget a transfer: for services that track nothing."""


def nobody_waits(chain_id: int, expires_at: datetime, wallet_call: bool) -> None:
    """Record nothing of issued transactions: for services without tracking."""


@dataclass(frozen=True, slots=True)
class Populated:
    """The best offer with its transaction and simulation, None without one; and why each of the others was dropped.

    ``built`` are the adapters whose transactions were made and found sound.
    """

    best: tuple[BuiltQuote, Simulation | None] | None
    refusals: tuple[Refusal, ...]
    built: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class QuoteService:
    """Answers quotes. ``composers`` are by the origin's type of chain, ``simulators`` by chain ID.

    ``keep`` stores transfers across chains before they are answered, so that tracking knows what was promised.
    ``origins`` are the chains with a node of the operator's, None for all. ``deviations`` stores broken promises,
    ``failures`` failed tries, ``gas`` what runs used. ``second_simulators`` also simulate, but only what is answered.
    ``may_answer`` raises a RhumblineError while no answer may be given at all. ``handed_out`` records the chain of an
    answered transaction, its deadline, and whether it is a wallet's own call. ``pauses`` are the operator's now.
    ``scores`` counts for scorecards, None counts nothing; ``handicaps`` are the shares of the value that track records
    cost adapters in the ranking now.
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
    gas: MeasuredGas = field(default_factory=MeasuredGas)
    may_answer: Callable[[], None] = lambda: None
    handed_out: Callable[[int, datetime, bool], None] = nobody_waits
    pauses: Callable[[], Pauses] = lambda: NOTHING_PAUSED
    scores: ScoreTally | None = None
    handicaps: Mapping[AdapterPair, Fraction] = field(default_factory=dict)

    async def answer(self, request: RouteRequest, on_answer: OnAnswer | None = None) -> RouteAnswer:
        """Return the best executable route; raise a RhumblineError if there is none.

        ``on_answer`` is called first with what each adapter offers, or why it offers nothing.
        """
        # Otherwise the head that one node reports could be older than another's.
        with reading():
            context = await self.prepare(request)
            offers = await self.gather(context, on_answer)
            populated = await self.populate(offers)
            if populated.best is None:
                note_scores(self.scores, offers, populated.built, populated.refusals, None)
                raise no_quote(populated.refusals, offers.gross_for, await self._enough(offers, populated.refusals))
            return await self.answered(offers, populated.best, populated.refusals, Tried(offers, populated.built))

    async def answered(
        self, offers: Offers, best: tuple[BuiltQuote, Simulation | None], refusals: tuple[Refusal, ...], tried: Tried
    ) -> RouteAnswer:
        """Return the answer, stored where tracking needs it; ``tried`` is for scorecards. Raise StoreUnavailable."""
        context, (built, simulation) = offers.context, best
        request = context.request
        permit = await self.composers[request.origin.type].permit(context, built) if request.permits else None
        if (context.crossing or built.wallet_call) and not context.shown_only:
            await self._kept(issued_transaction(context, built, self.clock()))
        if not context.shown_only:
            expires_at = datetime.fromtimestamp(built.deadline, UTC)
            self.handed_out(context.request.origin.id, expires_at, built.wallet_call)
        if self.scores is not None:
            self.scores.later(partial(note_answered, tried, refusals, (context, built), self.clock()))
        info = next(each.info for each in self.adapters if each.info.key == built.offer.quote.adapter)
        note_answer(request.trail, built)
        return answer_of(
            context,
            built,
            simulation,
            refusals=refusals,
            network=offers.network,
            scan_url=info.scan_url,
            trusted=info.trust_assumptions if request.refund_to is None else self.trusted(info.key, request),
            permit=permit,
        )

    def trusted(self, adapter: str, request: RouteRequest) -> tuple[str, ...]:
        """Return an adapter's trust assumptions for a request."""
        infos = (each.info for each in self.adapters if each.info.key == adapter)
        return next(infos).trusted(names_refund=request.refund_to is not None)

    async def prepare(self, request: RouteRequest, prices: PriceReader | None = None) -> QuoteContext:
        """Prepare a request, at present prices if none are given.

        Raise as ``expect_open`` and ``Preparer`` do.
        """
        origin, pauses = request.origin, self.expect_open(request)
        deadline = int(self.clock().timestamp()) + self.limits.transaction_ttl_s
        preparer = Preparer(self.tokens, self.integrators, self.fees, self.deadlines.hard_s)
        with span("prepare"):
            if request.auto_destination_gas:
                request = await with_gas_settled(request, self.composers, prices or self.prices)
            context = await preparer.prepare(request, self.composers[origin.type], deadline, prices or self.prices)
        return replace(context, pauses=pauses) if pauses.each else context

    def expect_open(self, request: RouteRequest) -> Pauses:
        """Return the operator's pauses now.

        Raise NoAvailableQuotes for an origin that is not served, else as ``may_answer`` and ``Pauses.permit`` do.
        """
        self.may_answer()
        origin, pauses = request.origin, self.pauses()
        if pauses.each:
            pauses.permit(origin, request.destination)
        if origin.type not in self.composers or (self.origins is not None and origin.id not in self.origins):
            raise NoAvailableQuotes(f"There are no quotes from {origin.name}: this service has no node of that chain")
        return pauses

    async def gather(
        self, context: QuoteContext, on_answer: OnAnswer | None = None, errand: tuple[Errand, Hashable] | None = None
    ) -> Offers:
        """Ask all permitted adapters at once; raise a RhumblineError if the chains prevent any answer.

        ``errand`` is what this is asked for together with other questions, and for which part of that.
        """
        request, composer = context.request, self.composers[context.request.origin.type]
        forms = [form.request for form in context.forms]
        selection = select(self.adapters, forms, request.adapters, context.pauses)
        calls: list[CallNote] | None = None if request.trail is None else []
        notes = replace(self.notes, requester=request.client.requester, errand=errand, calls=calls)
        asks = selection.asks
        if context.crossing:
            asks += composer.composed(context, self.adapters, self.tokens.find, notes)
        resorts = tuple(form.request for form in context.forms if form.forgoes_fee)
        listener = None if on_answer is None else partial(report, context, on_answer)
        if on_answer is not None:
            for refusal in selection.refusals:
                on_answer(refusal)
        with span("gather"):
            gathered, network, objection = await asyncio.gather(
                gather_quotes(asks, notes, self.deadlines, resorts, listener),
                composer.price(request.origin),
                composer.objection(request),
            )
        if objection is not None:
            raise objection
        refusals = refusals_of(selection.refusals, gathered.quotes, gathered.refusals)
        offered = tuple(offer_of(context, quote) for quote in best_of_each(gathered.quotes))
        return Offers(context, offered, refusals, network, asks, calls)

    async def populate(self, offers: Offers) -> Populated:
        search = self.search(offers)
        with span("populate"):
            best = await search.best(offers)
        note_part(offers, search, None if best is None else best[0].offer.quote.adapter)
        return Populated(best, (*offers.refusals, *search.refusals), search.built)

    def search(self, offers: Offers) -> Search:
        """Return a search among the offers."""
        context, quotes = offers.context, [offer.quote for offer in offers.offers]
        requester, failures = context.request.client.requester, self.failures
        origin, destination = context.request.origin, context.request.destination
        tokens = context.pair.destination, context.request.origin.native
        output_value, native_value = unit_values(*((token, usd_price(token, context.prices)) for token in tokens))
        ranking = RankingContext(
            output_value=output_value,
            native_value=native_value,
            network=offers.network,
            most_gas=max((quote.gas_units or 0 for quote in quotes), default=0),
            order=context.request.order,
            failed={quote.adapter: share for quote in quotes if (share := failures.share(quote.adapter, requester))},
            handicaps={
                each.adapter: lost
                for each in quotes
                if (lost := self.handicaps.get(AdapterPair(each.adapter, origin.id, destination.id)))
            },
        )
        trial = Trial(
            context=context,
            adapters={adapter.info.key: adapter for adapter in self.adapters},
            composer=self.composers[context.request.origin.type],
            simulators=self.simulators,
            tokens=self.tokens,
            notes=replace(self.notes, requester=requester, calls=offers.calls),
            timeout_s=self.deadlines.hard_s,
            limits=self.limits.values,
            deviations=self.deviations,
            failures=failures,
            gas=self.gas,
            second=SecondOpinion(self.second_simulators) if self.second_simulators else None,
        )
        return Search(trial, ranking, self.limits.simulation_budget_s)

    def handicap(self, adapter: str, request: RouteRequest) -> Fraction:
        """Return the share of the value that an adapter's track record costs it between the chains of a request."""
        return self.handicaps.get(AdapterPair(adapter, request.origin.id, request.destination.id), Fraction(0))

    async def _enough(self, offers: Offers, refusals: tuple[Refusal, ...]) -> int | None:
        """Return an amount with an executable quote, if the requested amount is too small."""
        if not is_too_low(refusals):
            return None
        try:
            async with asyncio.timeout(self.deadlines.hard_s):
                return await confirmed(refusals, offers.gross_for, partial(self._works, offers.context))
        except TimeoutError:
            return None

    async def _works(self, context: QuoteContext, adapter: str, amount: int) -> bool:
        """Return whether an adapter has an executable quote for another amount; nothing is stored."""
        only = AdapterFilter(include_bridges=frozenset({adapter}), include_exchanges=frozenset({adapter}))
        request = replace(context.request, amount=amount, adapters=only, trail=None)
        try:
            context = await self.prepare(request, context.prices)
            return (await self.populate(await self.gather(context))).best is not None
        except RhumblineError:
            return False

    async def _kept(self, build: IssuedTransaction) -> None:
        try:
            with span("store transfer"):
                async with asyncio.timeout(self.deadlines.hard_s):
                    await self.keep(build)
        except TimeoutError as error:
            raise StoreUnavailable("The store does not answer in time; try again") from error
