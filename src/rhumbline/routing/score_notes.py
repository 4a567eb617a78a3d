"""Notes for scorecards what became of adapters in a request, and what its answer promises."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType

from rhumbline.accounts.score_tally import CallerPair, Key, ScoreTally
from rhumbline.domain.amount import MAX_EVM
from rhumbline.domain.quote import Refusal
from rhumbline.domain.scorecard import REFUSALS, AdapterPair, Counted, Promise
from rhumbline.routing.offer import BuiltQuote, Offers
from rhumbline.routing.quote_context import QuoteContext
from rhumbline.routing.quote_prices import fresh_price, usd
from rhumbline.routing.selection import NOT_ASKED

_BY_KIND = MappingProxyType({each.value: each for each in REFUSALS})
_MOST_CENTS, _LONGEST_S = 2**40, 30 * 86_400
"""No more is told by anybody who means it, and the store holds it."""


@dataclass(frozen=True, slots=True)
class Tried:
    """The search of which an answer comes: ``offers`` are all there were, ``built`` names whose were built."""

    offers: Offers
    built: Collection[str]


def note_answered(
    tried: Tried,
    refusals: Iterable[Refusal],
    answered: tuple[QuoteContext, BuiltQuote],
    at: datetime,
    tally: ScoreTally,
) -> None:
    """Count each adapter that was asked, and keep what is promised by what was ``answered`` at this time."""
    context, built = answered
    note_scores(tally, tried.offers, tried.built, refusals, built.offer.quote.adapter)
    if not context.shown_only:
        note_promise(tally, context, built, at)


def note_scores(
    tally: ScoreTally | None, offers: Offers, built: Collection[str], refusals: Iterable[Refusal], won: str | None
) -> None:
    """Count each adapter that was asked; ``built`` and ``won`` name those that were, ``refusals`` are all there were.

    Of one that refused in several ways the last counts.
    """
    request = offers.context.request
    origin, destination = request.origin.id, request.destination.id
    if tally is None:
        return
    answered = {offer.quote.adapter for offer in offers.offers}
    refused = {each.adapter: _reason(each) for each in refusals if each.kind not in NOT_ASKED}
    counted: list[Key] = []
    for adapter in {ask.adapter.info.key for ask in offers.asks}:
        pair = AdapterPair(adapter, origin, destination)
        counted.append((pair, Counted.ASKED))
        if adapter in answered:
            counted.append((pair, Counted.ANSWERED))
        if adapter in built:
            counted.append((pair, Counted.BUILT))
        if adapter == won:
            counted.append((pair, Counted.WON))
        if (reason := refused.get(adapter)) is not None:
            counted.append((pair, reason))
    tally.add(CallerPair(request.client.requester, origin, destination), counted)


def _reason(refusal: Refusal) -> Counted:
    return Counted.OURS if refusal.ours else _BY_KIND.get(refusal.kind, Counted.OTHER)


def note_promise(tally: ScoreTally | None, context: QuoteContext, built: BuiltQuote, at: datetime) -> None:
    """Have kept what a transaction is quoted with that is answered now, ``at``."""
    if tally is None:
        return
    request, quote = context.request, built.offer.quote
    pair = AdapterPair(quote.adapter, request.origin.id, request.destination.id)
    sold, bought = context.pair.origin, context.pair.destination
    price = fresh_price(sold, context.prices)
    cents = None if price is None else int(usd(request.amount, sold, price) * 100)
    # Who is told of arriving coins may pass some on while they are measured; a token on no list can do anything.
    pays_itself = context.crossing or request.receiver == request.sender
    weighs = sold.listed and bought.listed and not quote.request.buys_native and pays_itself
    tally.promise(
        Promise(
            "0x" + built.id.hex(),
            pair,
            min(quote.output_amount, MAX_EVM),
            None if quote.seconds is None else min(max(quote.seconds, 0), _LONGEST_S),
            None if cents is None else min(cents, _MOST_CENTS),
            weighs,
            at,
        )
    )
