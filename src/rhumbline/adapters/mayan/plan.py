"""From an answered quote to a plan: what was answered against what was asked, and what the receiver is sure to get."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import partial

from rhumbline.adapters.mayan.amounts import floored, whole_units
from rhumbline.adapters.mayan.bounds import expect_deadline, expect_fees, expect_terms, is_native
from rhumbline.adapters.mayan.bytes32 import home_address, marker_of, same_address, token_word, word
from rhumbline.adapters.mayan.checking import verify_order
from rhumbline.adapters.mayan.client import slippage_bps
from rhumbline.adapters.mayan.deployments import Deployment
from rhumbline.adapters.mayan.kinds import fast_mctp, mctp, swift, wormhole
from rhumbline.adapters.mayan.kinds.order import Kind, Order, Terms, expected_output
from rhumbline.adapters.mayan.svm import fast_mctp as solana_fast_mctp
from rhumbline.adapters.mayan.svm import mctp as solana_mctp
from rhumbline.adapters.mayan.svm import swift as solana_swift
from rhumbline.adapters.mayan.wire import FastMctpSaid, MctpSaid, QuoteSaid, SwiftSaid, WormholeSaid
from rhumbline.domain.amount import mul_div_up
from rhumbline.domain.chain import NATIVE_EVM, ChainType
from rhumbline.domain.errors import BelowMinimum, UpstreamFailed
from rhumbline.domain.expectations import expect, expect_at_least, expect_at_most
from rhumbline.domain.fee import FeeItem, FeeType
from rhumbline.domain.quote import QuoteRequest
from rhumbline.domain.token import Token
from rhumbline.gateways.evm.address import is_address
from rhumbline.gateways.http.strict_json import Json
from rhumbline.gateways.upstreams.spec import read_answer

LONGEST_ETA_S = 7 * 24 * 3600
"""A longer estimate, as one below zero, is no estimate."""
_WITH_MESSAGES = frozenset({Kind.MCTP, Kind.WORMHOLE})
"""Kinds that send a message of Wormhole from the origin."""
_BPS = 10_000


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
    said, order_of = _read(kind, document, request.origin.type)
    _compare(said, request, places)
    expect_terms(said)
    if kind is Kind.WORMHOLE:
        # A token in Wormhole's own wrapping would arrive in another mint than the origin's.
        home = word(home_address(request.origin_token.address, request.origin), request.origin.type)
        expect("home of the origin token", wormhole.home_of(said.from_token), (home, places.here.wormhole_id))
    if kind not in _WITH_MESSAGES:
        expect("fee of a message", said.bridge_fee or 0, 0)
    if request.origin.type is ChainType.EVM and not all(map(is_address, said.accounts)):
        raise UpstreamFailed("answered with a contract of another chain")
    if request.origin.type is ChainType.SVM:
        # Who carries the transfer on pays for its message there.
        fee = whole_units(said.bridge_fee, places.here.native_decimals)
        expect_at_most("fee of a message", fee, places.here.largest_message_fee)
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
    output = expected_output(said, request.destination_token.decimals)
    output = output if order.most is None else min(output, order.most)
    # What is expected is never less than what is promised.
    order = replace(order, guaranteed=min(order.guaranteed, output))
    _weigh(order, request, places)
    return Plan(order, output, said.slippage_bps, _seconds(said.eta_seconds))


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


def _read(kind: Kind, document: Json, origin: ChainType) -> tuple[QuoteSaid, Callable[[Terms], Order]]:
    svm = origin is ChainType.SVM
    match kind:
        case Kind.SWIFT:
            first = read_answer(SwiftSaid, document)
            return first, partial((solana_swift if svm else swift).order, first)
        case Kind.MCTP:
            second = read_answer(MctpSaid, document)
            return second, partial((solana_mctp if svm else mctp).order, second)
        case Kind.FAST_MCTP:
            third = read_answer(FastMctpSaid, document)
            return third, partial((solana_fast_mctp if svm else fast_mctp).order, third)
        case Kind.WORMHOLE:
            fourth = read_answer(WormholeSaid, document)
            return fourth, partial(wormhole.order, fourth)


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
    if said.min_amount_out < 0:
        raise UpstreamFailed("answered a quote without a minimum")
    if said.min_amount_out == 0:
        raise BelowMinimum("answers so small an amount with a quote without a minimum", None)


def _weigh(order: Order, request: QuoteRequest, places: Places) -> None:
    """Refuse an order that promises nothing, and one with a number beyond its bound."""
    # The same again for the same amount, so it is the amount that is refused.
    if order.guaranteed <= 0 or order.amount <= 0:
        raise BelowMinimum("answers so small an amount with a quote that guarantees nothing", None)
    if order.left <= 0:
        raise BelowMinimum("answers so small an amount with a quote whose fees could take half of it", None)
    expect_fees(order, request.origin, places.here)
    expect_at_most("fee of a message", order.message_fee, places.here.largest_message_fee)
    if request.origin_token.address == NATIVE_EVM:
        expect_at_most("fee of a message", order.message_fee, order.amount - 1)
    expect_deadline(order, places.now)
    _weigh_between(order, request, places)


def _weigh_between(order: Order, request: QuoteRequest, places: Places) -> None:
    """Refuse what cannot come true, and a swap on the origin that may keep what it need not, where that shows."""
    wrapped = request.origin.wrapped_native
    wraps = wrapped is not None and same_address(order.input_token, wrapped)
    if order.swaps and wraps and request.origin_token.address == NATIVE_EVM:
        # Native is wrapped one to one.
        least = floored(order.amount - order.message_fee, order.decimals)
        expect_at_least("minimum between", order.min_middle, least)
    if _is_same_asset(order.input_token, request, places):
        # Nobody pays out more than came in; a smaller minimum would let the swap keep the difference.
        if order.swaps:
            expect_at_least("minimum between", order.min_middle, order.guaranteed)
        else:
            expect_at_most("minimum", order.guaranteed, order.amount)


def _is_same_asset(token: str, request: QuoteRequest, places: Places) -> bool:
    """Tell whether what a protocol takes and the output are worth the same: both USDC, or both one native asset.

    Chains whose native assets have the same symbol and decimals share it, as rollups do; wrapped it is the same.
    """
    wanted, here, there = request.destination_token.address, places.here.usdc, places.there.usdc
    if here is not None and there is not None and same_address(token, here):
        return same_address(wanted, there)
    one, other = request.origin.native, request.destination.native
    if (one.symbol, one.decimals) != (other.symbol, other.decimals):
        return False
    return is_native(token, request.origin) and is_native(wanted, request.destination)


def _seconds(told: Decimal | None) -> int | None:
    return int(told) if told is not None and 0 <= told <= LONGEST_ETA_S else None
