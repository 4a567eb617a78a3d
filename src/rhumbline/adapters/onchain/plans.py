"""What a quote promises, and its transaction."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from rhumbline.adapters.onchain.pool_plans import decode as decode_plan
from rhumbline.adapters.onchain.pool_plans import encode as encode_plan
from rhumbline.adapters.onchain.pool_plans import planned, tokens_of
from rhumbline.adapters.onchain.router_calls import (
    ROUTER_BALANCE,
    TO_ROUTER,
    Leg,
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
from rhumbline.liquidity.deployments import Deployment
from rhumbline.liquidity.kinds.pools import PoolKind
from rhumbline.liquidity.market import Hop


@dataclass(frozen=True, slots=True)
class SwapPlan:
    """Hops in the order of their execution, and the block for which they are exact: number and hash (0x-hex)."""

    hops: tuple[Hop, ...]
    block: int
    block_hash: str


OnchainPlan = SwapPlan | CallKind
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


def trades_by_plan(request: QuoteRequest) -> bool:
    """Tell whether the service's own contracts make the swap, and so call its pools themselves."""
    executor = request.origin.executor
    return executor is not None and request.taker == request.payout_address == executor


def pools_transaction(request: QuoteRequest, plan: SwapPlan, deployment: Deployment) -> EvmTransaction:
    """Write the plan that the Executor runs, and read it back; raise RequestRejected where it differs.

    The minimum is the order's, which the Executor and the Diamond hold.
    """
    wrapped = deployment.wrapped_native.address
    expected = planned(plan.hops, wrapped, native_in=request.sells_native, native_out=request.buys_native)
    try:
        data = encode_plan(expected)
        written = decode_plan(data)
    except (MalformedAnswer, ValueError) as error:
        raise RequestRejected(f"the plan cannot be written and read back: {error}") from error
    tokens = tokens_of(written)
    ends = request.origin_token.address, request.destination_token.address
    if written != expected or (tokens[0], written[-1].bought) != ends:
        raise RequestRejected("the plan has other hops than were planned")
    between = tuple(token for token in tokens if token not in ends and token != NATIVE_EVM)
    return EvmTransaction(
        request.origin.id,
        request.taker,
        request.amount if request.sells_native else 0,
        data,
        kind=CallKind.POOLS,
        sweep_tokens=between,
    )


def swap_transaction(request: QuoteRequest, plan: SwapPlan, minimum: int, deployment: Deployment) -> EvmTransaction:
    """Encode the router's call, and compare it, decoded, with the request; raise RequestRejected if they differ."""
    native_in, native_out, router = request.sells_native, request.buys_native, deployment.router
    if router is None:
        raise RequestRejected("on this chain no router trades with these pools in the wallet's name")
    if int(request.payout_address, 16) <= int(TO_ROUTER, 16) or request.payout_address == router:
        raise RequestRejected("recipient: this address means something else to the router")
    data = encode(
        plan_call(
            plan.hops, minimum, request.payout_address, request.deadline, native_in=native_in, native_out=native_out
        )
    )
    verify(data, request, plan, minimum, deployment)
    return EvmTransaction(
        request.origin.id,
        router,
        request.amount if native_in else 0,
        data,
        None if native_in else router,
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
    origin, destination = (
        asset(token.address, deployment) for token in (request.origin_token, request.destination_token)
    )
    first = [leg for leg in call.legs if leg.amount_in != ROUTER_BALANCE]
    last = [leg for leg in call.legs if leg.tokens[-1] == destination]
    if not call.legs:
        return [("path", False)]
    expected = (None if request.buys_native else destination, minimum, request.payout_address)
    payout = (call.payout.token, call.payout.minimum, call.payout.recipient) if call.payout else None
    direct = payout is None and len(last) == 1
    payer = request.payout_address if direct else TO_ROUTER
    planned = Counter((hop.pool.kind, hop.token_in, hop.token_out, _fee(hop)) for hop in plan.hops)
    written = Counter(swap for leg in call.legs for swap in _swaps(leg))
    spent = {(hop.pool.kind, hop.token_out, _fee(hop), hop.amount_in) for hop in plan.hops if hop.token_in == origin}
    return [
        ("origin token", bool(first) and all(leg.tokens[0] == origin for leg in first)),
        ("destination token", bool(last) and plan.hops[-1].token_out == destination),
        ("path", _joined(call.legs, destination) and _tokens(written) == _tokens(planned)),
        ("choice of pools", written == planned),
        ("amount", sum(leg.amount_in for leg in first) == request.amount > 0),
        ("share", all((leg.kind, leg.tokens[1], (*leg.fees, None)[0], leg.amount_in) in spent for leg in first)),
        ("holder on the way", all(leg.recipient == TO_ROUTER for leg in call.legs if leg not in last)),
        ("minimum", (last[0].minimum if direct and last else payout[1] if payout else 0) == minimum > 0),
        ("recipient", (direct or payout == expected) and all(leg.recipient == payer for leg in last)),
        ("deadline", call.deadline == request.deadline),
    ]


Swap = tuple[PoolKind, str, str, int | None]
"""A pool by its kind, token in, token out and, of V3, its fee."""


def _fee(hop: Hop) -> int | None:
    return hop.pool.fee if hop.pool.kind == PoolKind.V3 else None


def _swaps(leg: Leg) -> list[Swap]:
    fees = leg.fees or (None,) * (len(leg.tokens) - 1)
    return [(leg.kind, a, b, fee) for (a, b), fee in zip(pairwise(leg.tokens), fees, strict=True)]


def _tokens(swaps: Iterable[Swap]) -> Counter[tuple[str, str]]:
    return Counter((token_in, token_out) for _, token_in, token_out, _ in swaps)


def _joined(legs: Sequence[Leg], destination: str) -> bool:
    """Tell whether one later leg spends what legs before left with the router, of every token but the last."""
    waiting: set[str] = set()
    spent: set[str] = set()
    for leg in legs:
        if leg.amount_in == ROUTER_BALANCE:
            if leg.tokens[0] not in waiting:
                return False
            waiting.discard(leg.tokens[0])
            spent.add(leg.tokens[0])
        if leg.tokens[-1] in spent:
            return False
        waiting.add(leg.tokens[-1])
    return waiting == {destination}
