"""Notes on a request's trail what was asked of adapters, what they answered, and how that was compared.

The notes are made after the answer (`Trail.later`), on a thread: from what a search has kept, which does not change
any more.
"""

from collections.abc import Iterable
from functools import partial
from typing import Any

from rhumbline.domain.plan import Plan
from rhumbline.domain.quote import Quote, Refusal
from rhumbline.domain.route import RouteRequest, TradeType
from rhumbline.domain.token import Token
from rhumbline.domain.trail import (
    AnswerNote,
    AskedNote,
    Compared,
    Leaving,
    OfferNote,
    Phase,
    TokenNote,
    Trail,
    TrailPart,
    TryNote,
)
from rhumbline.routing.offer import BuiltQuote, Offer, Offers
from rhumbline.routing.quote_prices import usd_price
from rhumbline.routing.ranking import Merits, RankingContext
from rhumbline.routing.search import Search
from rhumbline.routing.selection import NOT_ASKED
from rhumbline.routing.trial import Candidate


def note_request(trail: Trail, request: RouteRequest) -> None:
    """Note what was asked for: no wallet."""
    chosen = request.adapters
    trail.asked = AskedNote(
        origin_chain_id=request.origin.id,
        destination_chain_id=request.destination.id,
        origin_token=request.origin_token,
        destination_token=request.destination_token,
        amount=str(request.amount if request.wanted_output is None else request.wanted_output),
        order=request.order.value,
        slippage=None if request.slippage is None else str(float(request.slippage)),
        auto_slippage=request.auto_slippage,
        fee=None if request.fee_share is None else str(float(request.fee_share)),
        include_exchanges=None if chosen.include_exchanges is None else tuple(sorted(chosen.include_exchanges)),
        include_bridges=None if chosen.include_bridges is None else tuple(sorted(chosen.include_bridges)),
        exclude_exchanges=tuple(sorted(chosen.exclude_exchanges)),
        exclude_bridges=tuple(sorted(chosen.exclude_bridges)),
        trade_type=None if request.wanted_output is None else TradeType.EXACT_OUTPUT.value,
    )


def note_part(offers: Offers, search: Search, chosen: str | None) -> None:
    """Have noted what came of asking adapters, once a search among their offers has ended; nothing without a trail."""
    trail = offers.context.request.trail
    if trail is not None:
        trail.later.append(partial(_note_part, trail, offers, search, chosen))


def note_answer(trail: Trail | None, built: BuiltQuote) -> None:
    """Have the transaction noted that is answered."""
    if trail is not None:
        trail.later.append(partial(_note_answer, trail, built))


def note_plans(trail: Trail | None, plans: Iterable[Plan]) -> None:
    """Have the plans noted that are answered, best first."""
    if trail is not None:
        trail.later.append(partial(_note_plans, trail, plans))


def _note_part(trail: Trail, offers: Offers, search: Search, chosen: str | None) -> None:
    context = offers.context
    tries, ranking = search.trial.left_out.tries, search.ranking
    tried = {offer.quote.adapter for offer, _ in tries}
    trail.parts.append(
        TrailPart(
            origin=_token(context.pair.origin),
            destination=_token(context.pair.destination),
            amount=str(context.request.amount),
            order=context.request.order.value,
            calls=tuple(offers.calls or ()),
            offers=tuple([_offer(search, each) for each in offers.offers]),
            tries=tuple([_tried(ranking, *each) for each in tries]),
            left=(*_left(trail, offers.refusals, None), *_left(trail, search.refusals, tried)),
            chosen=chosen,
            unit_usd=_unit_usd(offers, ranking),
        )
    )


def _note_answer(trail: Trail, built: BuiltQuote) -> None:
    quote = built.offer.quote
    trail.answers.append(
        AnswerNote((quote.adapter,), str(quote.output_amount), str(built.min_output), "0x" + built.id.hex())
    )


def _note_plans(trail: Trail, plans: Iterable[Plan]) -> None:
    trail.answers += [
        AnswerNote(tuple(step.adapter for step in plan.steps), str(plan.output_amount), str(plan.min_output_amount))
        for plan in plans
    ]


def _left(trail: Trail, refusals: Iterable[Refusal], tried: set[str] | None) -> Iterable[Leaving]:
    """Return the refusals with their phase; ``tried`` are the adapters that were, None before any was."""
    for each in refusals:
        if tried is None:
            phase = Phase.SELECTION if each.kind in NOT_ASKED else Phase.QUOTE
        else:
            phase = Phase.TRIAL if each.adapter in tried else Phase.LIMITS
        yield Leaving(each.adapter, phase, each.kind, trail.without_wallets(each.reason))


def _token(token: Token) -> TokenNote:
    return TokenNote(token.chain_id, token.address, token.symbol, token.decimals)


def _unit_usd(offers: Offers, ranking: RankingContext) -> str | None:
    """Return what one unit of the ranking's values is worth: it compares whole numbers over a scale of its own."""
    token, value = offers.context.pair.destination, ranking.output_value
    price = usd_price(token, offers.context.prices)
    if price is None or not value or ranking.native_value is None:
        return None
    return str(price.scaleb(-token.decimals) / value)


def _offer(search: Search, offer: Offer) -> OfferNote:
    quote, counted = offer.quote, search.counts(offer)
    compared = _compared(counted, search.ranking.merits(quote, counted))
    return OfferNote(quote.adapter, str(quote.output_amount), str(offer.minimum), compared, offer.form.forgoes_fee)


def _tried(ranking: RankingContext, offer: Offer, candidate: Candidate | None) -> TryNote:
    if candidate is None:
        return TryNote(offer.quote.adapter)
    quote: Quote[Any] = candidate.built.offer.quote
    simulation = candidate.simulation
    if simulation is None:
        merits = ranking.merits(quote, candidate.counted, known_cost=candidate.known_cost)
        return TryNote(quote.adapter, compared=_compared(candidate.counted, merits))
    measured, used = simulation.measured_output, simulation.result.gas_used
    merits = ranking.merits(quote, candidate.counted, used, known_cost=candidate.known_cost)
    return TryNote(
        quote.adapter,
        simulation.result.status.value,
        None if measured is None else str(measured),
        None if used is None else str(used),
        _compared(candidate.counted, merits),
    )


def _compared(counted: int, merits: Merits) -> Compared:
    charged = str(merits.failed), str(merits.handicap)
    return Compared(str(counted), str(merits.gained), str(merits.cost), merits.seconds, *charged)
