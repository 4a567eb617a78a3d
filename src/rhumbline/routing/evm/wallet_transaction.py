"""The wallet's transaction: a swap or transfer through the Diamond, or the upstream's call itself. Pure."""

from dataclasses import replace
from typing import Any

from rhumbline.domain.chain import NATIVE_EVM, Chain, ChainType
from rhumbline.domain.deposit import BridgeDeposit
from rhumbline.domain.errors import UpstreamFailed
from rhumbline.domain.quote import QuoteRequest
from rhumbline.domain.transaction import CallKind, EvmTransaction, SwapBefore
from rhumbline.domain.unowned_addresses import STAND_IN, is_placeholder, is_unowned
from rhumbline.gateways.chain_types.bytes32 import address_word, word_address
from rhumbline.gateways.evm.abi import encode_call
from rhumbline.routing.evm.bridge_call import UNIDENTIFIED, BridgeOrder, Order, bridge_call, identified
from rhumbline.routing.evm.destination_message import under_id
from rhumbline.routing.evm.router_call import RouterOrder, router_call, with_receiver
from rhumbline.routing.evm.verification import decode_bridge, verify_bridge_call, verify_destination, verify_router_call
from rhumbline.routing.evm.work_verification import verify_work
from rhumbline.routing.offer import BuiltQuote, Offer, expect_native_there
from rhumbline.routing.quote_context import QuoteContext
from rhumbline.routing.transaction_id import direct_id, nonce_of
from rhumbline.simulation.evm.task import EvmSimulationTask


def finished(context: QuoteContext, offer: Offer, upstream: EvmTransaction, key: bytes) -> BuiltQuote:
    """Return the transaction that the wallet signs, under a new ID that ``key`` signs.

    Raise UpstreamFailed if the upstream's does not match the request, CallMismatch if ours does not.
    """
    request = context.request
    if request.destination_gas:
        expect_native_there(offer.quote, request.destination_gas)
    if request.destination_call is not None and upstream.work_after is None:
        raise UpstreamFailed("does not make the call that was asked for")
    if offer.form.terms is None:
        return _direct(context, offer, upstream, key)
    return (_bridge if context.crossing else _swap)(context, offer, upstream, key)


def _swap(context: QuoteContext, offer: Offer, upstream: EvmTransaction, key: bytes) -> BuiltQuote:
    order = identified(
        _order(RouterOrder, context, offer, upstream), context.request.sender, key, nonce_of(context, key)
    )
    call = router_call(order, upstream)
    verify_router_call(order, upstream, call)
    task = _task(context, offer, call, stand_in=with_receiver(call.data, STAND_IN), returns_gain=True)
    return BuiltQuote(offer, order.id, upstream, order.deadline, order.min_output, call, call.spender, task)


def _order(kind: type[Order], context: QuoteContext, offer: Offer, upstream: EvmTransaction, **crossing: Any) -> Order:
    """Return an order without an ID; ``crossing`` are the fields that only a transfer across chains has."""
    request, quote, quote_request = context.request, offer.quote, offer.quote.request
    deadline = _deadline(quote_request, upstream)
    return kind(
        id=UNIDENTIFIED,
        chain=request.origin,
        integrator=context.integrator,
        adapter=quote.adapter,
        receiver=request.receiver,
        input_token=quote_request.origin_token.address,
        amount=request.amount,
        net=quote_request.amount,
        output_token=quote_request.destination_token.address,
        min_output=offer.minimum,
        deadline=deadline,
        native_fee=quote.native_fee,
        charges=offer.form.intake.charges,
        **crossing,
    )


def _bridge(context: QuoteContext, offer: Offer, upstream: EvmTransaction, key: bytes) -> BuiltQuote:
    request, quote_request, swap = context.request, offer.quote.request, upstream.swap
    sent = quote_request.amount if upstream.input_taken is None else upstream.input_taken
    if swap is not None:
        sent = _sent_after(swap, upstream, request.origin)
    order = _order(
        BridgeOrder,
        *(context, offer, upstream),
        destination=request.destination,
        sent=sent,
        expected_output=offer.quote.output_amount,
        refund_to=quote_request.refund_address,
        reference=upstream.reference,
        swapped_into=None if swap is None else swap.token,
        has_destination_call=upstream.destination_call is not None,
    )
    order = identified(order, context.request.sender, key, nonce_of(context, key))
    upstream = under_id(upstream, order.id)
    call = bridge_call(order, upstream)
    verify_bridge_call(order, upstream, call)
    decoded = decode_bridge(call.data)
    if upstream.work_after is None:
        verify_destination(order, upstream, decoded)
    else:
        verify_work(order, upstream, decoded, request.destination_gas, request.destination_call)
    stand_in = bridge_call(_for_stand_in(order), upstream).data
    task = _task(context, offer, call, stand_in=stand_in, deposit=upstream.deposit)
    if task is not None and _for_nobody(context):
        task = replace(task, data=stand_in)
    return BuiltQuote(
        *(offer, order.id, upstream, order.deadline, order.min_output, call, call.spender, task),
        sent=None if swap is None else (order.sent_token, order.sent),
        destination_call=upstream.destination_call,
    )


def _sent_after(swap: SwapBefore, upstream: EvmTransaction, chain: Chain) -> int:
    """Return what a bridge takes after a swap: the least that this brings; raise UpstreamFailed for anything else."""
    taken, deposit = upstream.input_taken, upstream.deposit
    # A bridge that is given the native asset may wrap it.
    held = (swap.token, chain.wrapped_native) if swap.token == NATIVE_EVM else (swap.token,)
    exact = deposit is not None and deposit.least == swap.least and deposit.token in held and not deposit.swapped
    if taken not in (None, swap.least) or not exact:
        raise UpstreamFailed("the transaction takes another amount than the minimum of its swap")
    return swap.least


def _direct(context: QuoteContext, offer: Offer, upstream: EvmTransaction, key: bytes) -> BuiltQuote:
    quote, quote_request = offer.quote, offer.quote.request
    deadline = _deadline(quote_request, upstream)
    identifier = direct_id(context, quote, upstream.reference, deadline, key)
    if (
        upstream.chain_id != quote_request.origin.id
        or upstream.swap is not None
        or upstream.destination_call is not None
    ):
        raise UpstreamFailed("the transaction is for another chain")
    if upstream.kind is CallKind.POOLS:
        raise UpstreamFailed("only the service's own contracts execute a plan")
    native = quote_request.origin_token.address == NATIVE_EVM
    taken = quote_request.amount if upstream.input_taken is None else upstream.input_taken
    if not 0 < taken <= quote_request.amount:
        raise UpstreamFailed("the transaction takes another amount than was agreed")
    call = _paid_directly(quote_request, upstream, taken) if upstream.kind is CallKind.PAY else upstream
    expected = (taken if native else 0) + quote.native_fee
    if call.value != expected:
        raise UpstreamFailed(f"the transaction sends {call.value} wei instead of {expected}")
    approval = None if native or upstream.kind is CallKind.PAY else call.spender
    task = _task(context, offer, call, deposit=upstream.deposit)
    return BuiltQuote(
        offer, identifier, upstream, deadline, offer.minimum, call, approval, task, wallet_call=context.crossing
    )


def _task(
    context: QuoteContext,
    offer: Offer,
    call: EvmTransaction,
    *,
    stand_in: bytes | None = None,
    deposit: BridgeDeposit | None = None,
    returns_gain: bool = False,
) -> EvmSimulationTask | None:
    """Return the task that simulates the call; ``stand_in`` is the same for the stand-in, ``deposit`` the bridge's."""
    request, quote_request = context.request, offer.quote.request
    # What goes to a placeholder of Solana's is there to be shown.
    if is_placeholder(ChainType.SVM, request.receiver):
        return None
    return EvmSimulationTask(
        chain_id=call.chain_id,
        sender=request.sender,
        # What arrives on another chain is not seen here, and its receiver may be an address of another type.
        receiver=request.sender if context.crossing else request.receiver,
        to=call.to,
        value=call.value,
        data=call.data,
        input_token=quote_request.origin_token.address,
        input_amount=request.amount,
        spender=None if quote_request.origin_token.address == NATIVE_EVM else call.spender,
        output_token=None if context.crossing else quote_request.destination_token.address,
        advertised_output=offer.quote.output_amount,
        stand_in_data=stand_in,
        deposit=deposit,
        returns_gain=returns_gain,
    )


def _deadline(quote_request: QuoteRequest, upstream: EvmTransaction) -> int:
    return quote_request.deadline if upstream.expires_at is None else min(quote_request.deadline, upstream.expires_at)


def _paid_directly(quote_request: QuoteRequest, upstream: EvmTransaction, amount: int) -> EvmTransaction:
    """Return the wallet's own transfer in place of the Executor's: native as value, a token by call."""
    if quote_request.origin_token.address == NATIVE_EVM:
        return replace(upstream, kind=CallKind.CALL, data=b"", spender=None)
    data = encode_call("transfer(address,uint256)", ["address", "uint256"], [upstream.to, amount])
    return replace(
        upstream, kind=CallKind.CALL, to=quote_request.origin_token.address, value=0, data=data, spender=None
    )


def _for_stand_in(order: BridgeOrder) -> BridgeOrder:
    """Return the order with the stand-in for addresses that the Diamond refuses."""
    receiver = word_address(order.destination, address_word(order.chain, STAND_IN))
    return replace(order, refund_to=STAND_IN, receiver=receiver or STAND_IN)


def _for_nobody(context: QuoteContext) -> bool:
    """Return whether the sender or the receiver of a transfer is a placeholder, on whatever type of chain."""
    request = context.request
    ends = (address_word(request.origin, request.sender), address_word(request.destination, request.receiver))
    return any(is_unowned(word.hex()) for word in ends)
