"""The Forwarder's call for an order, with a swap on the origin if needed, decoded again and compared."""

from dataclasses import replace

from rhumbline.adapters.mayan.bytes32 import marker_of
from rhumbline.adapters.mayan.checking import verify_call
from rhumbline.adapters.mayan.client import ask_swap
from rhumbline.adapters.mayan.deployments import Deployment
from rhumbline.adapters.mayan.deposit import deposit_of
from rhumbline.adapters.mayan.forwarder import PROTOCOLS, ROUTERS, Call, Swap, decode, encode
from rhumbline.adapters.mayan.plan import Plan
from rhumbline.adapters.mayan.served_kinds import contracts_of
from rhumbline.domain.errors import NodeUnavailable, UpstreamFailed
from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.domain.transaction import EvmTransaction
from rhumbline.gateways.evm.calldata import Function
from rhumbline.gateways.nodes.evm.rpc import RpcError
from rhumbline.gateways.upstreams.fields import LARGEST_AMOUNT
from rhumbline.gateways.upstreams.spec import AdapterContext


async def forwarder_call(
    context: AdapterContext[Deployment], request: QuoteRequest, plan: Plan, version: str
) -> EvmTransaction:
    """Return the transaction of a plan on an EVM chain; raise an AdapterError."""
    order, here = plan.order, context.deployments[request.origin.id]
    await _expect_listed(context, request, PROTOCOLS, order.contract, contracts_of(order.kind, here))
    swap = None
    if order.swaps:
        reply = await ask_swap(context.http, request, order, here, plan.slippage_bps, version)
        await _expect_listed(context, request, ROUTERS, reply.swap_router_address, here.routers)
        swap = Swap(reply.swap_router_address, reply.swap_router_calldata, order.input_token, order.min_middle)
    token = marker_of(request.origin_token.address, request.origin.type)
    call = Call(token, order.amount, order.contract, order.data, order.message_fee, swap)
    data = encode(call)
    verify_call(data, call.value, order, request)
    return EvmTransaction(
        request.origin.id,
        here.forwarder,
        call.value,
        data,
        None if request.sells_native else here.forwarder,
        reference=order.reference,
        expires_at=order.deadline,
        input_taken=order.amount if order.amount != request.amount else None,
        deposit=deposit_of(order, call, here, request.origin),
    )


def bound(transaction: EvmTransaction, quote: Quote[Plan], least: int) -> EvmTransaction:
    """Return the same transaction, whose swap on the origin must bring ``least``: the Forwarder reverts with less.

    Raise UpstreamFailed where nothing is swapped and that is less.
    """
    deposit = transaction.deposit
    if deposit is None:
        raise UpstreamFailed("answered nothing that could be bound")
    if least <= deposit.least:
        return transaction
    call = decode(transaction.data, transaction.value)
    if call.swap is None or least > LARGEST_AMOUNT:
        raise UpstreamFailed("hands on less than must be handed on")
    data = encode(replace(call, swap=replace(call.swap, minimum=least)))
    verify_call(data, transaction.value, quote.payload.order, quote.request)
    return replace(transaction, data=data, deposit=replace(deposit, least=least))


async def _expect_listed(
    context: AdapterContext[Deployment],
    request: QuoteRequest,
    question: Function,
    contract: str,
    pinned: tuple[str, ...],
) -> None:
    """Raise UpstreamFailed unless a contract is pinned, or on the Forwarder's own list, which it enforces."""
    if contract.lower() in {each.lower() for each in pinned}:
        return
    rpc = context.rpcs.get(request.origin.id)
    if rpc is None:
        raise UpstreamFailed("answered with a contract that is not among those known")
    try:
        listed = await rpc.eth_call(context.deployments[request.origin.id].forwarder, question.encode(contract))
    except (RpcError, NodeUnavailable) as error:
        raise UpstreamFailed("cannot tell whether a contract is Mayan's: the Forwarder does not answer") from error
    if listed != (1).to_bytes(32):
        raise UpstreamFailed("answered with a contract that is not among those known")
