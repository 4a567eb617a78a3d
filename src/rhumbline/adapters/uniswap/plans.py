"""What a quote promises, and its transaction."""

from dataclasses import dataclass

from rhumbline.adapters.uniswap.deployments import Deployment
from rhumbline.adapters.uniswap.paths import Hop
from rhumbline.adapters.uniswap.pools import Version
from rhumbline.adapters.uniswap.router_calls import (
    ROUTER_BALANCE,
    TO_CALLER,
    TO_ROUTER,
    RouterCall,
    decode,
    encode,
    plan_call,
)
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.domain.errors import RequestRejected
from rhumbline.domain.quote import QuoteRequest
from rhumbline.domain.transaction import CallKind, EvmTransaction
from rhumbline.gateways.evm.abi import MalformedAnswer, encode_call, selector


@dataclass(frozen=True, slots=True)
class SwapPlan:
    """A path with the amounts of every hop, and the block of which they are exact: number and hash (0x-hex)."""

    hops: tuple[Hop, ...]
    block: int
    block_hash: str


UniswapPlan = SwapPlan | CallKind
"""A swap; else native to wrapped native (``WRAP``) or back (``UNWRAP``), one for one."""


def asset(address: str, deployment: Deployment) -> str:
    """Return the token that pools trade for a requested one: wrapped native for native."""
    return deployment.wrapped_native.address if address == NATIVE_EVM else address


def wrapping_kind(request: QuoteRequest, deployment: Deployment) -> CallKind | None:
    """Tell whether a request is to wrap or unwrap the native asset; None where it is a swap."""
    wrapped = deployment.wrapped_native.address
    match request.origin_token.address, request.destination_token.address:
        case (origin, destination) if origin == NATIVE_EVM and destination == wrapped:
            return CallKind.WRAP
        case (origin, destination) if origin == wrapped and destination == NATIVE_EVM:
            return CallKind.UNWRAP
    return None


def wrap_transaction(request: QuoteRequest, kind: CallKind, deployment: Deployment) -> EvmTransaction:
    """Call the wrapped native itself, which pays its caller."""
    if request.payout_address != request.taker:
        raise RequestRejected("recipient: wrapping pays whoever calls it, so recipient and caller must be the same")
    wrapped, wrap = deployment.wrapped_native.address, kind is CallKind.WRAP
    data = selector("deposit()") if wrap else encode_call("withdraw(uint256)", ["uint256"], [request.amount])
    return EvmTransaction(request.origin.id, wrapped, request.amount if wrap else 0, data, kind=kind)


def swap_transaction(request: QuoteRequest, plan: SwapPlan, minimum: int, deployment: Deployment) -> EvmTransaction:
    """Write the router's call, and read it back against what was asked; raise RequestRejected where they differ."""
    native_in, native_out = request.sells_native, request.buys_native
    if int(request.payout_address, 16) <= int(TO_ROUTER, 16) or request.payout_address == deployment.router:
        raise RequestRejected("recipient: this address means something else to the router")
    data = encode(
        plan_call(
            plan.hops, minimum, request.payout_address, request.deadline, native_in=native_in, native_out=native_out
        )
    )
    verify(data, request, plan, minimum, deployment)
    return EvmTransaction(
        request.origin.id,
        deployment.router,
        request.amount if native_in else 0,
        data,
        None if native_in else deployment.router,
    )


def verify(data: bytes, request: QuoteRequest, plan: SwapPlan, minimum: int, deployment: Deployment) -> None:
    """Raise RequestRejected unless the calldata does what the request and the plan say, and nothing else."""
    try:
        call = decode(data)
    except (MalformedAnswer, ValueError) as error:
        raise RequestRejected("the router's calldata cannot be read back") from error
    for what, holds in _claims(call, request, plan, minimum, deployment):
        if not holds:
            raise RequestRejected(f"the router's calldata has another {what} than was asked")


def _claims(
    call: RouterCall, request: QuoteRequest, plan: SwapPlan, minimum: int, deployment: Deployment
) -> list[tuple[str, bool]]:
    if not call.legs:
        return [("path", False)]
    first, last = call.legs[0], call.legs[-1]
    tokens = first.tokens + tuple(token for leg in call.legs[1:] for token in leg.tokens[1:])
    fees = tuple(fee for leg in call.legs for fee in (leg.fees or (None,) * (len(leg.tokens) - 1)))
    joined = all(a.tokens[-1] == b.tokens[0] for a, b in zip(call.legs, call.legs[1:], strict=False))
    native_out = request.buys_native
    paid = (call.unwrap == (minimum, request.payout_address) and last.recipient == TO_ROUTER) if native_out else (
        call.unwrap is None
        and last.recipient == request.payout_address
        and last.recipient not in (TO_CALLER, TO_ROUTER)
    )  # fmt: skip
    planned_fees = tuple(hop.pool.fee if hop.pool.version == Version.V3 else None for hop in plan.hops)
    return [
        ("origin token", tokens[0] == asset(request.origin_token.address, deployment)),
        ("destination token", tokens[-1] == asset(request.destination_token.address, deployment)),
        ("path", joined and tokens == (plan.hops[0].token_in, *(hop.token_out for hop in plan.hops))),
        ("choice of pools", fees == planned_fees),
        ("amount", first.amount_in == request.amount > 0),
        ("amount on the way", all(leg.amount_in == ROUTER_BALANCE for leg in call.legs[1:])),
        ("holder on the way", all(leg.recipient == TO_ROUTER for leg in call.legs[:-1])),
        ("minimum", last.minimum == minimum > 0),
        ("recipient", paid),
        ("deadline", call.deadline == request.deadline),
    ]
