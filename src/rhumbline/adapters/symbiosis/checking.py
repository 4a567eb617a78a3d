"""Compares every field of Symbiosis' call with the request."""

from collections.abc import Mapping
from dataclasses import dataclass

from rhumbline.adapters.symbiosis.calldata import Crossing, read_crossing
from rhumbline.adapters.symbiosis.deployments import Deployment, Transit, transit_of
from rhumbline.adapters.symbiosis.fees import expect_fees
from rhumbline.adapters.symbiosis.wire import QuoteAnswer
from rhumbline.domain.chain import NATIVE_EVM, ChainType
from rhumbline.domain.errors import NoRoute, UpstreamFailed
from rhumbline.domain.expectations import expect, expect_at_least, expect_at_most, expect_one_of
from rhumbline.domain.quote import QuoteRequest
from rhumbline.gateways.evm.abi import MalformedAnswer
from rhumbline.gateways.evm.address import is_address


@dataclass(frozen=True, slots=True)
class Route:
    """Both chains, and the transit tokens of both tokens."""

    origin: Deployment
    destination: Deployment
    source: Transit
    target: Transit


def route_of(request: QuoteRequest, places: tuple[Deployment, Deployment] | None) -> Route | None:
    """Return how two tokens of one pool cross between two EVM chains, paid to the receiver itself; None if they do not.

    Any caller may make the call.
    """
    kinds = {request.origin.type, request.destination.type}
    if places is None or request.origin.id == request.destination.id or kinds != {ChainType.EVM}:
        return None
    if request.payout_address != request.receiver or not is_address(request.receiver):
        return None
    origin, destination = places
    source = transit_of(origin, request.origin_token.address)
    target = transit_of(destination, request.destination_token.address)
    if source is None or target is None or source.pool != target.pool or (target.native and not destination.unwrapper):
        return None
    return Route(origin, destination, source, target)


@dataclass(frozen=True, slots=True)
class Terms:
    """What a checked call does: ``spender`` may take the input, at least ``minimum`` arrives, before ``deadline``."""

    crossing: Crossing
    spender: str | None
    output: int
    minimum: int
    deadline: int


def checked(answer: QuoteAnswer, request: QuoteRequest, route: Route) -> Terms:
    """Return the terms of an answer's call; raise UpstreamFailed for another than was asked for.

    BelowMinimum where the fees take too much of the amount. A route that is no plain crossing, and so cannot be read,
    is NoRoute where the answer says so itself.
    """
    if (answer.type, answer.kind) != ("evm", "crosschain-swap"):
        raise NoRoute("there is no route through the bridge itself")
    call = answer.tx
    expect("chain", call.chain_id, request.origin.id)
    expect("value", call.value, request.amount if route.source.native else 0)
    _expect_output(answer, request)
    spender = _spender(answer, route)
    try:
        crossing = read_crossing(call.data)
    except MalformedAnswer:
        raise UpstreamFailed("answered with a call that is no plain crossing") from None
    _expect_origin(crossing, request, route)
    _expect_host(crossing, route)
    _expect_destination(crossing, request, route)
    expect_fees(crossing, request, answer.token_amount_out.amount)
    minimum = crossing.swap.minimum - crossing.burn.fee
    expect_at_least("minimum", minimum, 1)
    expect_at_most("minimum", minimum, answer.token_amount_out.amount)
    return Terms(crossing, spender, answer.token_amount_out.amount, minimum, crossing.swap.deadline)


def _spender(answer: QuoteAnswer, route: Route) -> str | None:
    """Return the spender pinned with the called entry, None for the native asset."""
    entries: Mapping[str, str] = dict(route.origin.entries)
    expect_one_of("entry", answer.tx.to, frozenset(entries))
    spender = entries[answer.tx.to]
    if route.source.native:
        return None
    expect("spender", answer.approve_to, spender)
    return spender


def _expect_output(answer: QuoteAnswer, request: QuoteRequest) -> None:
    for amount in (answer.token_amount_out, answer.token_amount_out_min):
        expect("destination chain", amount.chain_id, request.destination.id)
        expect("destination token", amount.address, request.destination_token.address)
    expect_at_most("minimum", answer.token_amount_out_min.amount, answer.token_amount_out.amount)


def _expect_origin(crossing: Crossing, request: QuoteRequest, route: Route) -> None:
    expect("input token", crossing.paid_token, NATIVE_EVM if route.source.native else route.source.token)
    expect("input token", crossing.token, route.source.token)
    expect("kind of input", crossing.native, route.source.native)
    expect("wrapper", crossing.wrapper, route.source.token if route.source.native else None)
    expect("amount", crossing.amount, request.amount)
    expect("portal", crossing.portal, route.origin.portal)
    expect("refund address", crossing.refunded, request.refund_address)
    expect_one_of("account that may turn it back", crossing.revertable, _reverters(request, route))


def _expect_host(crossing: Crossing, route: Route) -> None:
    host, swap, burn = route.origin, crossing.swap, crossing.burn
    expect("host chain", crossing.chain, host.host_chain)
    expect("synthesis", crossing.receive_side, host.host_synthesis)
    expect("synthesis", crossing.burner, host.host_synthesis)
    expect("bridge", crossing.bridge, host.host_bridge)
    expect("swapper", crossing.swapper, host.host_multicall)
    pair = (route.source.synthetic, route.target.synthetic)
    expect("pair of synthetic tokens", crossing.synthetics, pair)
    expect("pair of synthetic tokens", swap.path, pair)
    expect("pool", swap.pool, route.source.pool)
    expect("place in the pool", (swap.from_index, swap.to_index), (route.source.index, route.target.index))
    expect("receiver of the swap", swap.to, host.host_multicall)
    expect_one_of("holder of the swap", swap.holder, frozenset(host.host_routers))
    expect("token to release", burn.token, route.target.synthetic)
    expect_one_of("holder of the release", burn.caller, frozenset(host.host_routers))


def _expect_destination(crossing: Crossing, request: QuoteRequest, route: Route) -> None:
    burn = crossing.burn
    expect("destination chain", burn.chain, request.destination.id)
    expect("portal", burn.receive_side, route.destination.portal)
    expect("bridge", burn.bridge, route.destination.bridge)
    expect("receiver", crossing.receiver, request.payout_address)
    expect("receiver", burn.receiver, request.payout_address)
    expect("unwrapper", burn.unwrapper, route.destination.unwrapper if route.target.native else None)
    expect("receiver", burn.unwrapped_to, request.payout_address if route.target.native else None)
    expect_one_of("account that may turn it back", burn.revertable, _reverters(request, route))


def _reverters(request: QuoteRequest, route: Route) -> frozenset[str]:
    return frozenset({request.sender, *route.origin.reverters})
