"""From an answered quote to a plan: what was answered against what was asked, and what the receiver is sure to get."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from decimal import ROUND_DOWN, Context, Decimal

from rhumbline.adapters.mayan import fast_mctp, mctp, swift, wormhole
from rhumbline.adapters.mayan.client import slippage_bps
from rhumbline.adapters.mayan.deployments import Deployment
from rhumbline.adapters.mayan.terms import Kind, Order, Terms
from rhumbline.adapters.mayan.verifying import verify_order
from rhumbline.adapters.mayan.wire import FastMctpSaid, MctpSaid, QuoteSaid, SwiftSaid, WormholeSaid
from rhumbline.adapters.mayan.words import marker_of, token_word, word
from rhumbline.domain.amount import mul_div_up
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.domain.errors import UpstreamFailed
from rhumbline.domain.expecting import expect, expect_at_least, expect_at_most
from rhumbline.domain.fee import FeeItem, FeeType
from rhumbline.domain.quote import QuoteRequest
from rhumbline.domain.token import Token
from rhumbline.gateways.sound_json import Json
from rhumbline.gateways.upstreams import read_answer

SHORTEST_S = 60
LONGEST_S = 2 * 24 * 3600
"""Between how many seconds an order's deadline must lie ahead: for longer, nobody's money is to be locked."""
_WITH_MESSAGES = frozenset({Kind.MCTP, Kind.WORMHOLE})
"""Kinds that send a message of Wormhole from the origin."""
_BPS = 10_000
_EXACT = Context(prec=1000)


@dataclass(frozen=True, slots=True)
class Places:
    """Origin and destination as Mayan knows them, the Unix time now, and a source of random bytes."""

    here: Deployment
    there: Deployment
    now: int
    random: Callable[[int], bytes]


@dataclass(frozen=True, slots=True)
class Plan:
    """A quote's payload: the order, what is expected of it in raw units, and the slippage that it was quoted with."""

    order: Order
    output: int
    slippage_bps: int
    seconds: int | None


def kind_of(document: Mapping[str, Json]) -> Kind | None:
    """Return the kind of a quote that is not read yet; None for one that is not known here."""
    try:
        return Kind(str(document.get("type")))
    except ValueError:
        return None


def plan_of(kind: Kind, document: Json, request: QuoteRequest, places: Places) -> Plan:
    """Read a quote, compare it with the request, and make its order; raise UpstreamFailed where they differ."""
    said, order_of = _read(kind, document)
    _compare(said, request, places)
    if kind not in _WITH_MESSAGES:
        expect("fee of a message", said.bridge_fee or 0, 0)
    type_ = request.destination.type
    terms = Terms(
        places.here,
        places.there,
        word(request.sender, request.origin.type),
        word(request.receiver, type_),
        token_word(marker_of(request.destination_token.address, type_), type_),
        request.destination_token.decimals,
        request.amount,
        places.random,
    )
    order = order_of(terms)
    verify_order(order, request, places.here, places.there)
    output = _expected(said, request.destination_token.decimals)
    output = output if order.most is None else min(output, order.most)
    # What is expected is never less than what is promised.
    order = replace(order, guaranteed=min(order.guaranteed, output))
    _weigh(order, request, places)
    seconds = None if said.eta_seconds is None or said.eta_seconds < 0 else int(said.eta_seconds)
    return Plan(order, output, said.slippage_bps, seconds)


def fees_of(plan: Plan, request: QuoteRequest, here: Deployment) -> tuple[FeeItem, ...]:
    """Return what Mayan, its relayers and Circle keep: their fees are off the expected output already.

    Fixed fees are in Circle's USDC of the origin, Mayan's share in the output, rounded up.
    """
    order, items = plan.order, []
    if here.usdc is not None:
        usdc = Token(request.origin.id, here.usdc, "USDC", fast_mctp.USDC_DECIMALS, "USD Coin")
        items += [
            FeeItem(type_, amount, usdc)
            for type_, amount in ((FeeType.RELAYER, order.relayer_fee), (FeeType.CAPITAL, order.circle_fee))
            if amount
        ]
    if order.protocol_bps:
        share = mul_div_up(plan.output, order.protocol_bps, _BPS - order.protocol_bps)
        items.append(FeeItem(FeeType.RELAYER_SERVICE, share, request.destination_token))
    return tuple(items)


def _read(kind: Kind, document: Json) -> tuple[QuoteSaid, Callable[[Terms], Order]]:
    match kind:
        case Kind.SWIFT:
            first = read_answer(SwiftSaid, document)
            return first, lambda terms: swift.order(first, terms)
        case Kind.MCTP:
            second = read_answer(MctpSaid, document)
            return second, lambda terms: mctp.order(second, terms)
        case Kind.FAST_MCTP:
            third = read_answer(FastMctpSaid, document)
            return third, lambda terms: fast_mctp.order(third, terms)
        case Kind.WORMHOLE:
            fourth = read_answer(WormholeSaid, document)
            return fourth, lambda terms: wormhole.order(fourth, terms)


def _compare(said: QuoteSaid, request: QuoteRequest, places: Places) -> None:
    """Compare what the quote echoes; a gas drop, a referrer or a relayer's own sending were not asked for."""
    expect("origin chain", said.from_chain, places.here.name)
    expect("destination chain", said.to_chain, places.there.name)
    for what, token, asked, chain, place in (
        ("origin token", said.from_token, request.origin_token, request.origin, places.here),
        ("destination token", said.to_token, request.destination_token, request.destination, places.there),
    ):
        expect(what, token.contract, marker_of(asked.address, chain.type))
        expect(f"number of decimals of the {what}", token.decimals, asked.decimals)
        expect(f"chain of the {what}", token.w_chain_id, place.wormhole_id)
    expect("amount", said.effective_amount_in64, request.amount)
    expect_at_most("slippage", said.slippage_bps, slippage_bps(request))
    expect("gas drop", said.gas_drop, Decimal(0))
    expect("referrer's share", said.referrer_bps or 0, 0)
    expect("sending by a relayer", said.gasless, False)
    if said.min_amount_out <= 0:
        raise UpstreamFailed("answered a quote without a minimum")


def _weigh(order: Order, request: QuoteRequest, places: Places) -> None:
    """Refuse an order that promises nothing, costs unlikely much, or lasts too short or too long."""
    if order.guaranteed <= 0 or order.amount <= 0:
        raise UpstreamFailed("answered a quote that guarantees nothing")
    if order.left <= 0:
        raise UpstreamFailed("answered a quote whose fees could take half of it")
    expect_at_most("fee of a message", order.message_fee, places.here.largest_message_fee)
    if request.origin_token.address == NATIVE_EVM:
        expect_at_most("fee of a message", order.message_fee, order.amount - 1)
    if order.deadline is not None and not SHORTEST_S <= order.deadline - places.now <= LONGEST_S:
        raise UpstreamFailed("answered an order's deadline that is too near or too far")
    same = places.here.usdc is not None and order.input_token.lower() == places.here.usdc.lower()
    if order.swaps and same and request.destination_token.address == places.there.usdc:
        # Nobody pays out more USDC than came in; a smaller minimum would let the swap keep the difference.
        expect_at_least("minimum between", order.min_middle, order.guaranteed)


def _expected(said: QuoteSaid, decimals: int) -> int:
    """Return the expected output in raw units, rounded down; the text of base units is exact where it is there."""
    told = int(said.expected_amount_out.scaleb(decimals, _EXACT).to_integral_value(ROUND_DOWN))
    exact = said.expected_amount_out_base_units
    return max(0, told) if exact is None else exact
