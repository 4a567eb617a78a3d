"""Comparing calldata, read back, with what was asked. Everything raises UpstreamFailed where it differs."""

from rhumbline.adapters.mayan.amounts import denormalised
from rhumbline.adapters.mayan.bytes32 import (
    NATIVE,
    home_address,
    main_account,
    marker_of,
    same_address,
    token_word,
    word,
    wrapped_mint,
)
from rhumbline.adapters.mayan.deployments import Deployment
from rhumbline.adapters.mayan.forwarder import decode
from rhumbline.adapters.mayan.kinds import swift
from rhumbline.adapters.mayan.kinds.order import Kind, Order
from rhumbline.adapters.mayan.protocol_calls import ProtocolCall, read_protocol_call
from rhumbline.adapters.mayan.svm.checking import read_order
from rhumbline.domain.chain import NATIVE_EVM, NATIVE_SVM
from rhumbline.domain.errors import UpstreamFailed
from rhumbline.domain.expectations import expect, expect_at_least, expect_at_most, expect_one_of
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
    if found.trader is not None:
        expect("refund address", found.trader, word(request.sender, request.origin.type))
    if found.account is not None:
        # Whatever mint the quote names, the bridge pays in the one that it made of the input.
        home = word(home_address(request.origin_token.address, request.origin), request.origin.type)
        expect("account on Solana", found.account, main_account(wrapped_mint(home, here.wormhole_id)))
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
    return 0 if request.origin_token.address == NATIVE_EVM else order.message_fee


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
    wanted, type_ = request.destination_token.address, request.destination.type
    if found.home is not None:
        native = wanted in (NATIVE_EVM, NATIVE_SVM)
        home = home_address(wanted, request.destination)
        # A token that is at home elsewhere arrives in Wormhole's wrapping, which nothing here can tell from another.
        expect("output token", found.home, (word(home, type_), there.wormhole_id, native))
    elif found.token_out is None:
        expect("output token", wanted, there.usdc)
    else:
        expect("output token", found.token_out, token_word(marker_of(wanted, type_), type_))
        if _is_circles(order) and there.usdc is not None and same_address(wanted, there.usdc):
            # Every fill fails, and FAST_MCTP lets anybody turn the order into a refund at once, for the refund's fee.
            raise UpstreamFailed("answered an order for USDC, which its contract cannot fill")


def _is_circles(order: Order) -> bool:
    return order.kind in (Kind.MCTP, Kind.FAST_MCTP)
