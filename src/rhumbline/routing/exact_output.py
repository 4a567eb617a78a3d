"""Quotes for a wanted output: each adapter's least input is searched for, and the least of those is answered.

An adapter is asked by input, as in any quote, and its answer is checked as any other; so an upstream that takes the
output itself only says where to begin (docs/decisions/0096).
"""

import asyncio
from collections.abc import Awaitable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from rhumbline.domain.adapter import takes_output
from rhumbline.domain.errors import (
    AdaptersFailed,
    NoAvailableQuotes,
    NoRoute,
    RhumblineError,
    StoreUnavailable,
    UpstreamFailed,
)
from rhumbline.domain.quote import Refusal
from rhumbline.domain.route import OnAnswer, RouteAnswer, RouteRequest
from rhumbline.domain.trail import CallNote
from rhumbline.gateways.nodes.endpoints import reading
from rhumbline.gateways.upstreams.guard.budget import Purpose
from rhumbline.routing.answer import estimate_of
from rhumbline.routing.auto_gas import with_gas_settled
from rhumbline.routing.fan_out import Deadlines, guarded
from rhumbline.routing.first_input import beyond, first_guess, most_input, why_none, worth_of_gas
from rhumbline.routing.input_order import ranked
from rhumbline.routing.input_search import MOST_QUESTIONS, Answered, Unsettled, find_input
from rhumbline.routing.offer import Offer, Offers, offer_of
from rhumbline.routing.preparer import LARGEST_AMOUNT, expect_possible
from rhumbline.routing.quote_context import QuoteContext
from rhumbline.routing.quote_service import QuoteService
from rhumbline.routing.refusals import no_quote
from rhumbline.routing.score_notes import Tried, note_scores
from rhumbline.routing.selection import Ask, only, select
from rhumbline.routing.slippage import output_for, permitted_loss
from rhumbline.routing.trail_notes import note_part

MOST_TRIED = 4
"""How many adapters' transactions are built and simulated, one after the other, until one is sound."""


@dataclass(frozen=True, slots=True)
class Sought:
    """What came of a search for a wanted output: ``found`` are the offers with their inputs, the best first.

    ``context`` is that of the first guess; ``offers`` in ``found`` have one offer each, and a context of their own.
    """

    context: QuoteContext
    wanted: int
    found: tuple[Offers, ...]
    refusals: tuple[Refusal, ...]
    asks: tuple[Ask, ...]

    @property
    def none(self) -> Offers:
        """The search as answers without an offer."""
        return Offers(self.context, (), self.refusals, None, self.asks)

    @property
    def whole(self) -> Offers:
        """The search as answers with all the offers."""
        return replace(self.none, offers=tuple(each.offers[0] for each in self.found))


@dataclass(frozen=True, slots=True)
class ExactOutput:
    """Answers requests for an output by a quote service, and passes others on to it."""

    quotes: QuoteService

    async def answer(self, request: RouteRequest, on_answer: OnAnswer | None = None) -> RouteAnswer:
        """Return the route that takes least for the wanted output; raise a RhumblineError if there is none.

        ``on_answer`` is called once for each adapter: with the offer for the input that was found, or a refusal.
        """
        if request.wanted_output is None or not request.seeks_input:
            return await self.quotes.answer(request, on_answer)
        with reading():
            sought = await self.gather(request, on_answer)
            refusals, scores = sought.refusals, self.quotes.scores
            for offers in sought.found[:MOST_TRIED]:
                populated = await self.quotes.populate(offers)
                if populated.best is not None:
                    tried = Tried(sought.whole, populated.built)
                    return await self.quotes.answered(offers, populated.best, (*refusals, *populated.refusals), tried)
                refusals += populated.refusals
        note_scores(scores, sought.whole, (), refusals, None)
        raise no_quote(refusals, sought.none.gross_for)

    async def gather(self, request: RouteRequest, on_answer: OnAnswer | None = None) -> Sought:
        """Search with all permitted adapters at once; raise a RhumblineError for what cannot be."""
        wanted = request.wanted_output or 0
        context = await self._first_context(request, wanted)
        asks, refusals = self._asks(context)
        if on_answer is not None:
            for refusal in refusals:
                on_answer(refusal)
        calls: list[CallNote] = []
        searches = {
            key: _reported(_AdapterSearch(self.quotes, context, key, own, wanted, calls).run(), on_answer)
            for key, own in asks.items()
        }
        outcomes = await _in_time(searches, self.quotes.deadlines, on_answer)
        failures, requester = self.quotes.failures, request.client.requester
        found = ranked(
            (each for each in outcomes if isinstance(each, Offers)),
            lambda key: failures.share(key, requester),
            lambda key: self.quotes.handicap(key, request),
        )
        failed = tuple(each for each in outcomes if isinstance(each, Refusal))
        refusals += failed
        sought = Sought(context, wanted, tuple(found), refusals, tuple(each for own in asks.values() for each in own))
        if failed:
            nothing = replace(sought.none, calls=calls, refusals=failed)
            note_part(nothing, self.quotes.search(nothing), None)
        return sought

    async def _first_context(self, request: RouteRequest, wanted: int) -> QuoteContext:
        """Prepare the request with what the wanted output is worth, 1 where no price says that.

        Native on arrival is paid out of what arrives, so its worth is added; ``auto`` is settled for all questions.
        """
        quotes = self.quotes
        if request.auto_destination_gas:
            request = await with_gas_settled(request, quotes.composers, quotes.prices)
        plain = replace(request, amount=1, wanted_output=None)
        context = await quotes.prepare(replace(plain, destination_gas=0))
        expect_possible(wanted, context.pair.destination, context.prices)
        guess = first_guess(context, wanted)
        if guess is None or guess > most_input(request):
            if request.destination_gas:
                raise NoAvailableQuotes(f"destinationGas: {why_none(context, wanted)}")
            return context
        if request.destination_gas:
            guess += worth_of_gas(request.destination_gas, request.destination, context.pair.origin, context.prices)
        gross = context.forms[0].gross_for(guess)
        return await quotes.prepare(replace(plain, amount=min(gross, most_input(request))), context.prices)

    def _asks(self, context: QuoteContext) -> tuple[dict[str, list[Ask]], tuple[Refusal, ...]]:
        """Return the questions to each adapter that may be asked, and why others are not."""
        quotes, request = self.quotes, context.request
        selection = select(quotes.adapters, [form.request for form in context.forms], request.adapters, context.pauses)
        asks = selection.asks
        if context.crossing:
            composer = quotes.composers[request.origin.type]
            asks += composer.composed(context, quotes.adapters, quotes.tokens.find, quotes.notes)
        by_key: dict[str, list[Ask]] = {}
        for ask in asks:
            by_key.setdefault(ask.adapter.info.key, []).append(ask)
        return by_key, tuple(each for each in selection.refusals if each.adapter not in by_key)


@dataclass(frozen=True, slots=True)
class _AdapterSearch:
    """The search with one adapter, in all its forms; ``calls`` gets each call."""

    quotes: QuoteService
    context: QuoteContext
    key: str
    asks: Sequence[Ask]
    wanted: int
    calls: list[CallNote] = field(repr=False)

    async def run(self) -> Offers | Refusal:
        """Return the offer for the least input that was found, bound to the wanted output."""
        first, largest = await self._first(), most_input(self.context.request)
        if isinstance(first, Refusal):
            return first
        answer = await find_input(self.wanted, first, largest, self.ask)
        if isinstance(answer, Unsettled):
            reason = f"none of the {MOST_QUESTIONS} inputs that it was asked for gives so much"
            if answer.needed is not None:
                reason = beyond(largest)
            return Refusal(self.key, NoRoute.kind, reason)
        return answer if isinstance(answer, Refusal) else promising(answer.found, self.wanted)

    async def ask(self, amount: int) -> Answered[Offers] | Refusal:
        """Ask for a quote by its input, in all the adapter's forms."""
        request = self.context.request
        try:
            asked = replace(request, amount=amount, adapters=only(request, self.key))
            context = await self._prepared(asked)
            if context is None:
                return Refusal(self.key, NoRoute.kind, "no input that anybody could have gives so much")
            offers = await self.quotes.gather(context)
        except (AdaptersFailed, StoreUnavailable) as error:
            return Refusal(self.key, UpstreamFailed.kind, error.message, ours=True)
        except RhumblineError as error:
            return Refusal(self.key, NoRoute.kind, error.message)
        self.calls.extend(offers.calls or ())
        offer = _chosen(offer for offer in offers.offers if offer.quote.adapter == self.key)
        if offer is None:
            return next(
                (each for each in offers.refusals if each.adapter == self.key),
                Refusal(self.key, NoRoute.kind, "has no route"),
            )
        return Answered(amount, offer.minimum, replace(offers, offers=(offer,), refusals=()))

    async def _prepared(self, request: RouteRequest) -> QuoteContext | None:
        """Prepare a request; None for an amount that is beyond all, as the first context shows that the rest holds."""
        try:
            return await self.quotes.prepare(request, self.context.prices)
        except NoAvailableQuotes:
            return None

    async def _first(self) -> int | Refusal:
        """Return the first input to ask for: what the upstream itself names, else what the output is worth."""
        context, ask, guess = self.context, self.asks[0], self.context.request.amount
        if takes_output(ask.adapter) and ask.adapter.names_input(ask.request, priced=guess > 1):
            notes = replace(self.quotes.notes, requester=context.request.client.requester, calls=self.calls)
            output = output_for(self.wanted, permitted_loss(context.request, context.pair.kind, None))
            work = partial(ask.adapter.input_for, ask.request, output)
            net = await guarded(self.key, notes.call(Purpose.QUOTE, ask.request), notes, work)
            if isinstance(net, int) and 0 < net <= LARGEST_AMOUNT:
                return context.form_of(ask.request).gross_for(net)
            if isinstance(net, Refusal) and guess <= 1:
                return net
        return guess if guess > 1 else Refusal(self.key, NoRoute.kind, why_none(context, self.wanted))


def promising(offers: Offers, wanted: int) -> Offers:
    """Return offers in a context that guarantees the wanted output."""
    context = replace(offers.context, request=replace(offers.context.request, wanted_output=wanted))
    return replace(offers, context=context, offers=tuple(offer_of(context, each.quote) for each in offers.offers))


def _chosen(offers: Iterable[Offer]) -> Offer | None:
    """Return the offer that guarantees most; a form without a fee only where none takes it."""
    return max(offers, key=lambda each: (not each.form.forgoes_fee, each.minimum), default=None)


async def _reported(search: Awaitable[Offers | Refusal], on_answer: OnAnswer | None) -> Offers | Refusal:
    outcome = await search
    if on_answer is not None and isinstance(outcome, Refusal):
        on_answer(outcome)
    elif on_answer is not None and isinstance(outcome, Offers):
        amount = outcome.context.request.amount
        on_answer(replace(estimate_of(outcome.context, outcome.offers[0]), input_amount=amount))
    return outcome


async def _in_time(
    searches: Mapping[str, Coroutine[Any, Any, Offers | Refusal]], deadlines: Deadlines, on_answer: OnAnswer | None
) -> list[Offers | Refusal]:
    """Return each search's outcome; the unfinished ones are given up as late.

    That is when three soft deadlines have passed and half have ended, one with an offer, or after two hard deadlines.
    """
    loop = asyncio.get_running_loop()
    tasks = {loop.create_task(search): key for key, search in searches.items()}
    hard = loop.time() + 2 * deadlines.hard_s
    pending = set(tasks)
    try:
        if pending:
            _, pending = await asyncio.wait(
                pending, timeout=min(MOST_QUESTIONS * deadlines.soft_s, 2 * deadlines.hard_s)
            )
        while pending and loop.time() < hard and not _is_good(set(tasks) - pending, len(tasks)):
            _, pending = await asyncio.wait(pending, timeout=hard - loop.time(), return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
    late = {task: Refusal(tasks[task], UpstreamFailed.kind, "did not answer in time") for task in pending}
    if on_answer is not None:
        for refusal in late.values():
            on_answer(refusal)
    return [late[task] if task in late else task.result() for task in tasks]


def _is_good(done: set["asyncio.Task[Offers | Refusal]"], asked: int) -> bool:
    return 2 * len(done) >= asked and any(isinstance(task.result(), Offers) for task in done)
