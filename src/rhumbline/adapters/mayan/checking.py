"""Compares a quote, and the decoded calldata, with the request.

Everything raises UpstreamFailed where it differs.
"""

from rhumbline.adapters.mayan.amounts import denormalised, floored
from rhumbline.adapters.mayan.bounds import expect_deadline, expect_fees, is_native
from rhumbline.adapters.mayan.bytes32 import (
    NATIVE,
    home_address,
    main_account,
    marker_of,
    token_word,
    word,
    wrapped_mint,
)
from rhumbline.adapters.mayan.client import requested_slippage_bps
from rhumbline.adapters.mayan.deployments import Deployment
from rhumbline.adapters.mayan.forwarder import decode
from rhumbline.adapters.mayan.gas_drop import drop_units, whole_drop
from rhumbline.adapters.mayan.kinds import swift
from rhumbline.adapters.mayan.kinds.order import Kind, Order, Places
from rhumbline.adapters.mayan.protocol_calls import ProtocolCall, read_protocol_call
from rhumbline.adapters.mayan.svm.checking import read_order
from rhumbline.adapters.mayan.wire import MayanQuote
from rhumbline.domain.errors import BelowMinimum, UpstreamFailed
from rhumbline.domain.expectations import expect, expect_at_least, expect_at_most, expect_one_of, same
from rhumbline.domain.quote import QuoteRequest
from rhumbline.gateways.evm.abi import MalformedAnswer


def verify_order(order: Order, request: QuoteRequest, here: Deployment, there: Deployment) -> None:
    """Compare the protocol's call with the request: token, amount, receiver, output, refund, and nothing besides."""
    try:
        ledger = order.ledger
        found = read_protocol_call(order.data) if ledger is None else read_order(ledger.call, order, request, here)
    except MalformedAnswer as error:
        raise UpstreamFailed("answered a quote whose calldata cannot be read back") from error
    expect("input of the protocol", found.token, _taken(order, request))
    if found.amount is not None:
        expect("amount", found.amount, order.amount)
    _verify_input(order, request, here)
    expect("receiver", found.destination, word(request.receiver, request.destination.type))
    if found.chain is not None:
        expect("destination chain", found.chain, there.wormhole_id)
    else:
        expect("destination chain", found.domain, there.cctp_domain)
    _verify_output(order, found, request, there)
    if found.minimum is not None:
        expect_at_least(
            "minimum", denormalised(found.minimum, request.destination_token.decimals), order.guaranteed
        )  # fmt: skip
    if found.trader is not None or request.refund_to is not None:
        expect("refund address", found.trader, word(request.refund_address, request.origin.type))
    if found.account is not None:
        # Whatever mint the quote names, the bridge pays in the one that it created for the input.
        home = word(home_address(request.origin_token.address, request.origin), request.origin.type)
        expect("account on Solana", found.account, main_account(wrapped_mint(home, here.wormhole_id)))
    expect("native on arrival", found.gas_drop, drop_units(request, there))
    expect("referrer, gas or payload", found.extras, False)


def verify_call(data: bytes, value: int, order: Order, request: QuoteRequest) -> None:
    """Compare the Forwarder's call with the request and the order."""
    try:
        call = decode(data, value)
    except (MalformedAnswer, ValueError) as error:
        raise UpstreamFailed("the Forwarder's calldata cannot be read back") from error
    expect("origin token", call.token, marker_of(request.origin_token.address, request.origin.type))
    expect("amount", call.amount, order.amount)
    expect_at_most("amount", call.amount, request.amount)
    expect("protocol contract", call.contract, order.contract)
    expect("protocol call", call.data, order.data)
    if call.token != NATIVE or call.swap is not None:
        expect("fee of a message", call.message_fee, order.message_fee)
    expect("value", value, (call.amount if call.token == NATIVE else 0) + native_fee(order, request))
    expect("swap on the origin", call.swap is not None, order.swaps)
    if call.swap is not None:
        expect("token between", call.swap.middle, order.input_token)
        expect_at_least("minimum between", call.swap.minimum, max(1, order.min_middle))


def native_fee(order: Order, request: QuoteRequest) -> int:
    """Return what must be paid besides the input: out of a native input, a message's fee is paid.

    On Solana that is what the order's own account must hold, at the most.
    """
    if order.ledger is not None:
        return order.ledger.rent
    return 0 if request.sells_native else order.message_fee


def _taken(order: Order, request: QuoteRequest) -> str:
    """Return what the protocol's call must name as its input: SWIFT's second version locks wrapped native unwrapped."""
    locks_native = order.data[:4] == swift.CREATE_WITH_TOKEN_2.selector and int(order.data[4:36].hex(), 16) == 0
    wrapped = request.origin.wrapped_native
    if locks_native and wrapped is not None and wrapped.lower() == order.input_token.lower():
        return NATIVE
    return order.input_token


def _verify_input(order: Order, request: QuoteRequest, here: Deployment) -> None:
    """Only tokens that are pinned may be swapped into, and Circle carries its own USDC alone."""
    if _is_circles(order):
        expect("USDC", order.input_token, here.usdc)
    elif order.swaps:
        expect_one_of("token between", order.input_token, frozenset(token for token, _ in here.middles))
        known = {token.lower(): decimals for token, decimals in here.middles}
        expect("number of decimals of the token between", order.decimals, known[order.input_token.lower()])
    if not order.swaps:
        expect("origin token", order.input_token, marker_of(request.origin_token.address, request.origin.type))
        expect("number of decimals of the input", order.decimals, request.origin_token.decimals)


def _verify_output(order: Order, found: ProtocolCall, request: QuoteRequest, there: Deployment) -> None:
    token, type_ = request.destination_token.address, request.destination.type
    if found.home is not None:
        home = home_address(token, request.destination)
        # A token that is at home elsewhere arrives in Wormhole's wrapping, which nothing here can tell from another.
        expect("output token", found.home, (word(home, type_), there.wormhole_id, request.buys_native))
    elif found.token_out is None:
        expect("output token", token, there.usdc)
    else:
        expect("output token", found.token_out, token_word(marker_of(token, type_), type_))
        if _is_circles(order) and there.usdc is not None and same(token, there.usdc):
            # Every fill fails, and FAST_MCTP lets anybody turn the order into a refund at once, for the refund's fee.
            raise UpstreamFailed("answered an order for USDC, which its contract cannot fill")


def _is_circles(order: Order) -> bool:
    return order.kind in (Kind.MCTP, Kind.FAST_MCTP)


def expect_echo(reply: MayanQuote, request: QuoteRequest, places: Places) -> None:
    """Compare what the quote repeats of the question, in which are no referrer, or sending by a relayer."""
    expect("origin chain", reply.from_chain, places.here.name)
    expect("destination chain", reply.to_chain, places.there.name)
    for what, answered, token, chain, place in (
        ("origin token", reply.from_token, request.origin_token, request.origin, places.here),
        ("destination token", reply.to_token, request.destination_token, request.destination, places.there),
    ):
        expect(what, answered.contract, marker_of(token.address, chain.type))
        expect(f"number of decimals of the {what}", answered.decimals, token.decimals)
        expect(f"chain of the {what}", answered.w_chain_id, place.wormhole_id)
    expect("amount", reply.effective_amount_in64, request.amount)
    expect_at_most("slippage", reply.slippage_bps, requested_slippage_bps(request))
    expect("gas drop", reply.gas_drop, whole_drop(request, places.there))
    expect("referrer's share", reply.referrer_bps or 0, 0)
    expect("sending by a relayer", reply.gasless, False)
    if reply.min_amount_out < 0:
        raise UpstreamFailed("answered a quote without a minimum")
    if reply.min_amount_out == 0:
        raise BelowMinimum("answers so small an amount with a quote without a minimum")


def expect_bounds(order: Order, request: QuoteRequest, places: Places) -> None:
    """Refuse an order that promises nothing, and one with a number beyond its bound."""
    # The same again for the same amount, so it is the amount that is refused.
    if order.guaranteed <= 0 or order.amount <= 0:
        raise BelowMinimum("answers so small an amount with a quote that guarantees nothing")
    if order.left <= 0:
        raise BelowMinimum("answers so small an amount with a quote whose fees could take half of it")
    expect_fees(order, request.origin, places.here)
    expect_at_most("fee of a message", order.message_fee, places.here.largest_message_fee)
    if request.sells_native:
        expect_at_most("fee of a message", order.message_fee, order.amount - 1)
    expect_deadline(order, places.now)
    _expect_between(order, request, places)


def _expect_between(order: Order, request: QuoteRequest, places: Places) -> None:
    """Refuse impossible terms, and a swap on the origin that may keep more than it needs, if that shows."""
    wrapped = request.origin.wrapped_native
    wraps = wrapped is not None and same(order.input_token, wrapped)
    if order.swaps and wraps and request.sells_native:
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
    """Return whether the protocol's input and the output have the same value: both USDC, or both the same native asset.

    Chains whose native assets have the same symbol and decimals share it, as rollups do; wrapped it is the same.
    """
    bought, here, there = request.destination_token.address, places.here.usdc, places.there.usdc
    if here is not None and there is not None and same(token, here):
        return same(bought, there)
    one, other = request.origin.native, request.destination.native
    if (one.symbol, one.decimals) != (other.symbol, other.decimals):
        return False
    return is_native(token, request.origin) and is_native(bought, request.destination)
