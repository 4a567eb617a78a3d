"""Makes a plan of a quote: compares it with the request and computes what the receiver gets at least."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from rhumbline.adapters.mayan.amounts import whole_units
from rhumbline.adapters.mayan.bounds import expect_terms
from rhumbline.adapters.mayan.bytes32 import home_address, marker_of, token_word, word
from rhumbline.adapters.mayan.checking import expect_bounds, expect_echo, verify_order
from rhumbline.adapters.mayan.deployments import Deployment
from rhumbline.adapters.mayan.kinds import fast_mctp, mctp, swift, wormhole
from rhumbline.adapters.mayan.kinds.order import USDC_DECIMALS, Kind, Order, Places, Terms, expected_output
from rhumbline.adapters.mayan.svm import fast_mctp as solana_fast_mctp
from rhumbline.adapters.mayan.svm import mctp as solana_mctp
from rhumbline.adapters.mayan.svm import swift as solana_swift
from rhumbline.adapters.mayan.wire import FastMctpQuote, MayanQuote, MctpQuote, QuotesReply, SwiftQuote, WormholeQuote
from rhumbline.domain.amount import BASIS_POINTS, mul_div_up
from rhumbline.domain.chain import ChainType
from rhumbline.domain.errors import AdapterError, NoRoute, UpstreamFailed
from rhumbline.domain.expectations import expect, expect_at_most
from rhumbline.domain.fee import FeeItem, FeeType
from rhumbline.domain.quote import QuoteRequest
from rhumbline.domain.token import Token
from rhumbline.gateways.evm.address import is_address
from rhumbline.gateways.http.strict_json import Json
from rhumbline.gateways.upstreams.estimates import estimated_seconds
from rhumbline.gateways.upstreams.spec import read_answer

_FORMS: Mapping[Kind, tuple[type[MayanQuote], Callable[..., Order], Callable[..., Order]]] = MappingProxyType(
    {
        Kind.SWIFT: (SwiftQuote, swift.order, solana_swift.order),
        Kind.MCTP: (MctpQuote, mctp.order, solana_mctp.order),
        Kind.FAST_MCTP: (FastMctpQuote, fast_mctp.order, solana_fast_mctp.order),
        Kind.WORMHOLE: (WormholeQuote, wormhole.order, wormhole.order),
    }
)
"""By kind: its answer, and the makers of its order on an EVM chain and on Solana."""
_WITH_MESSAGES = frozenset({Kind.MCTP, Kind.WORMHOLE})
"""Kinds that send a Wormhole message from the origin."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A quote's payload: the order, its expected output in raw units, and the slippage of the quote."""

    order: Order
    output: int
    slippage_bps: int
    seconds: int | None


def kind_of(document: Mapping[str, Json]) -> Kind | None:
    """Return the kind of a quote that is not parsed yet; None for an unknown kind."""
    try:
        return Kind(str(document.get("type")))
    except ValueError:
        return None


def best_plan(answer: QuotesReply, kinds: tuple[Kind, ...], request: QuoteRequest, places: Places) -> Plan:
    """Return the plan with the largest output; one sound quote is enough, and without any the first fault counts."""
    plans, faults = [], list[AdapterError]()
    for document in answer.quotes:
        kind = kind_of(document)
        if kind is None or kind not in kinds:
            continue
        try:
            plans.append(plan_of(kind, document, request, places))
        except (UpstreamFailed, NoRoute) as fault:
            faults.append(fault)
    if not plans:
        raise faults[0] if faults else NoRoute("no route between the two tokens for this amount")
    return max(plans, key=lambda plan: (plan.output, plan.order.guaranteed))


def plan_of(kind: Kind, document: Json, request: QuoteRequest, places: Places) -> Plan:
    """Read a quote, compare it with the request, and make its order; raise UpstreamFailed where they differ."""
    answered, on_evm, on_solana = _FORMS[kind]
    reply = read_answer(answered, document)
    expect_echo(reply, request, places)
    expect_terms(reply)
    if isinstance(reply, WormholeQuote):
        # A token in Wormhole's own wrapping would arrive in another mint than the origin's.
        home = word(home_address(request.origin_token.address, request.origin), request.origin.type)
        expect("home of the origin token", wormhole.home_of(reply.from_token), (home, places.here.wormhole_id))
    if kind not in _WITH_MESSAGES:
        expect("fee of a message", reply.bridge_fee or 0, 0)
    if request.origin.type is ChainType.EVM and not all(map(is_address, reply.accounts)):
        raise UpstreamFailed("answered with a contract of another chain")
    if request.origin.type is ChainType.SVM:
        # Who carries the transfer on pays for its message there.
        fee = whole_units(reply.bridge_fee, places.here.native_decimals)
        expect_at_most("fee of a message", fee, places.here.largest_message_fee)
    type_ = request.destination.type
    terms = Terms(
        places.here,
        places.there,
        word(request.refund_address, request.origin.type),
        word(request.receiver, type_),
        token_word(marker_of(request.destination_token.address, type_), type_),
        request.destination_token.decimals,
        request.amount,
        places.random,
        word(request.sender, request.origin.type),
    )
    order = (on_solana if request.origin.type is ChainType.SVM else on_evm)(reply, terms)
    verify_order(order, request, places.here, places.there)
    output = expected_output(reply, request.destination_token.decimals)
    output = output if order.most is None else min(output, order.most)
    # The expected output is never less than the promise.
    order = replace(order, guaranteed=min(order.guaranteed, output))
    expect_bounds(order, request, places)
    return Plan(order, output, reply.slippage_bps, estimated_seconds(reply.eta_seconds))


def fees_of(plan: Plan, request: QuoteRequest, here: Deployment) -> tuple[FeeItem, ...]:
    """Return what Mayan, its relayers and Circle keep: their fees are off the expected output already.

    Fixed fees are in Circle's USDC of the origin, Mayan's share in the output, rounded up.
    """
    order, items = plan.order, []
    if here.usdc is not None:
        usdc = Token(request.origin.id, here.usdc, "USDC", USDC_DECIMALS, "USD Coin")
        items += [
            FeeItem(type_, amount, usdc)
            for type_, amount in ((FeeType.RELAYER, order.relayer_fee), (FeeType.CAPITAL, order.circle_fee))
            if amount
        ]
    if order.protocol_bps:
        share = mul_div_up(plan.output, order.protocol_bps, BASIS_POINTS - order.protocol_bps)
        items.append(FeeItem(FeeType.RELAYER_SERVICE, share, request.destination_token))
    return tuple(items)
