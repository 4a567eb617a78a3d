"""Notes on a request's trail what was asked of adapters, what they answered, and how that was compared."""

from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from rhumbline.domain.plan import Plan
from rhumbline.domain.quote import Quote, Refusal
from rhumbline.domain.route import RouteRequest
from rhumbline.domain.token import Token
from rhumbline.domain.trail import (
    AnswerNote,
    AskedNote,
    Leaving,
    OfferNote,
    Stage,
    Standing,
    TokenNote,
    Trail,
    TrailPart,
    TryNote,
)
from rhumbline.routing.offer import BuiltQuote, Offer, Offers
from rhumbline.routing.quote_prices import usd_price
from rhumbline.routing.ranking import Merits
from rhumbline.routing.search import Search
from rhumbline.routing.selection import NOT_ASKED
from rhumbline.routing.trial import Candidate

_CENT = Decimal("0.000001")


def asked_note(request: RouteRequest) -> AskedNote:
    """Return what is kept of a request: no wallet."""
    chosen = request.adapters
    return AskedNote(
        origin_chain_id=request.origin.id,
        destination_chain_id=request.destination.id,
        origin_token=request.origin_token,
        destination_token=request.destination_token,
        amount=str(request.amount),
        order=request.order.value,
        slippage=None if request.slippage is None else str(float(request.slippage)),
        auto_slippage=request.auto_slippage,
        fee=None if request.fee_share is None else str(float(request.fee_share)),
        include_exchanges=None if chosen.include_exchanges is None else tuple(sorted(chosen.include_exchanges)),
        include_bridges=None if chosen.include_bridges is None else tuple(sorted(chosen.include_bridges)),
        exclude_exchanges=tuple(sorted(chosen.exclude_exchanges)),
        exclude_bridges=tuple(sorted(chosen.exclude_bridges)),
    )


def note_part(offers: Offers, search: Search, chosen: str | None) -> None:
    """Note what came of asking adapters, once a search among their offers has ended; nothing without a trail."""
    trail, context = offers.context.request.trail, offers.context
    if trail is None:
        return
    compared = _Compared(offers, search)
    tries = search.trial.left_out.tries
    tried = {offer.quote.adapter for offer, _ in tries}
    trail.parts.append(
        TrailPart(
            origin=_token(context.pair.origin),
            destination=_token(context.pair.destination),
            amount=str(context.request.amount),
            order=context.request.order.value,
            calls=tuple(offers.calls or ()),
            offers=tuple(map(compared.offer, search.ranked(offers.offers))),
            tries=tuple(compared.tried(*each) for each in tries),
            left=(*_left(trail, offers.refusals, None), *_left(trail, search.refusals, tried)),
            chosen=chosen,
        )
    )


def note_answer(trail: Trail | None, built: BuiltQuote) -> None:
    """Note the transaction that is answered."""
    if trail is None:
        return
    quote = built.offer.quote
    trail.answers.append(
        AnswerNote((quote.adapter,), str(quote.output_amount), str(built.min_output), "0x" + built.id.hex())
    )


def note_plans(trail: Trail | None, plans: Iterable[Plan]) -> None:
    """Note the plans that are answered, best first."""
    if trail is None:
        return
    trail.answers += [
        AnswerNote(tuple(step.adapter for step in plan.steps), str(plan.output_amount), str(plan.min_output_amount))
        for plan in plans
    ]


def _left(trail: Trail, refusals: Iterable[Refusal], tried: set[str] | None) -> Iterable[Leaving]:
    """Return the refusals with their stage; ``tried`` are the adapters that were, None before any was."""
    for each in refusals:
        if tried is None:
            stage = Stage.SELECTION if each.kind in NOT_ASKED else Stage.QUOTE
        else:
            stage = Stage.TRIAL if each.adapter in tried else Stage.LIMITS
        yield Leaving(each.adapter, stage, each.kind, trail.without_wallets(each.reason))


def _token(token: Token) -> TokenNote:
    return TokenNote(token.chain_id, token.address, token.symbol, token.decimals)


class _Compared:
    """Writes offers and candidates as the search compares them."""

    def __init__(self, offers: Offers, search: Search) -> None:
        self._search, self._ranking = search, search.ranking
        token, value = offers.context.pair.destination, search.ranking.output_value
        price = usd_price(token, offers.context.prices)
        priced = price is not None and value is not None and search.ranking.native_value is not None
        # The ranking compares whole numbers over a scale of its own: this is what one of them is worth in USD.
        self._unit = price / (value * 10**token.decimals) if priced and price is not None and value else None

    def offer(self, offer: Offer) -> OfferNote:
        quote, counted = offer.quote, self._search.counts(offer)
        standing = self._standing(counted, self._ranking.merits(quote, counted))
        output, minimum = str(quote.output_amount), str(offer.minimum)
        return OfferNote(quote.adapter, output, minimum, standing, offer.form.forgoes_fee)

    def tried(self, offer: Offer, candidate: Candidate | None) -> TryNote:
        if candidate is None:
            return TryNote(offer.quote.adapter)
        quote: Quote[Any] = candidate.built.offer.quote
        simulation = candidate.simulation
        result = None if simulation is None else simulation.result
        measured = None if simulation is None else simulation.measured_output
        used = None if result is None else result.gas_used
        merits = self._ranking.merits(quote, candidate.counted, used, known_cost=candidate.known_cost)
        return TryNote(
            quote.adapter,
            None if result is None else result.status.value,
            None if measured is None else str(measured),
            None if used is None else str(used),
            self._standing(candidate.counted, merits),
        )

    def _standing(self, counted: int, merits: Merits) -> Standing:
        unit, failed = self._unit, str(float(merits.failed))
        if unit is None:
            return Standing(str(counted), None, None, merits.seconds, failed)
        worth, cost = (str((int(each) * unit).quantize(_CENT)) for each in (merits.gained, merits.cost))
        return Standing(str(counted), worth, cost, merits.seconds, failed)
