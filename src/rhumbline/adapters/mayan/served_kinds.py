"""Which kinds of transfer can serve a request, as far as our data shows."""

from collections.abc import Iterable, Mapping
from itertools import permutations

from rhumbline.adapters.mayan.bytes32 import is_payable
from rhumbline.adapters.mayan.deployments import Deployment
from rhumbline.adapters.mayan.gas_drop import DROPPING
from rhumbline.adapters.mayan.kinds.order import Kind
from rhumbline.adapters.mayan.kinds.wormhole import SOLANA
from rhumbline.domain.chain import Chain, ChainType
from rhumbline.domain.delegation import is_contract
from rhumbline.domain.errors import NodeUnavailable, NoRoute, UpstreamFailed
from rhumbline.domain.expectations import same
from rhumbline.domain.quote import QuoteRequest
from rhumbline.gateways.nodes.evm.rpc import EvmRpc, RpcError

WALLETS_ONLY = frozenset({Kind.WORMHOLE, Kind.MCTP})
"""Kinds that cannot pay a contract on an EVM chain, by clients that run in production."""
REFUNDING = frozenset({Kind.SWIFT, Kind.WORMHOLE})
"""Kinds whose order names who is refunded on the origin. Circle's USDC is paid out on the destination in any case."""


def is_served(request: QuoteRequest) -> bool:
    """Return whether Mayan can serve the request at all: to another chain, paying the receiver.

    On Solana only for the wallet itself, which signs for its input.
    """
    return (
        (request.origin.type is ChainType.EVM or request.taker == request.sender)
        and request.origin.id != request.destination.id
        and request.amount > 0
        and request.payout_address == request.receiver
        and is_payable(request.receiver, request.destination)
    )


def kinds_for(kinds: Iterable[Kind], request: QuoteRequest, places: tuple[Deployment, Deployment]) -> tuple[Kind, ...]:
    """Return those of some kinds that may carry the request's token between its chains, and do what else it wants."""
    return tuple(
        kind
        for kind in kinds
        if reaches(kind, *places)
        and carries(kind, request, places[0])
        and (request.refund_to is None or kind in REFUNDING)
        and (not request.destination_gas or kind in DROPPING)
    )


async def kinds_that_pay(
    kinds: tuple[Kind, ...], request: QuoteRequest, rpc: EvmRpc | None
) -> tuple[tuple[Kind, ...], UpstreamFailed | None]:
    """Return the kinds that may pay this receiver, and why others were left out that might pay it as well.

    ``rpc`` is the destination's node. Raise NoRoute for none, UpstreamFailed if no node tells.
    """
    if request.destination_gas:
        await expect_wallet(request, rpc)
    if rpc is None or request.destination.type is not ChainType.EVM or not WALLETS_ONLY.intersection(kinds):
        return kinds, None
    others = tuple(kind for kind in kinds if kind not in WALLETS_ONLY)
    try:
        code = await rpc.code(request.receiver)
    except (RpcError, NodeUnavailable) as error:
        reason = f"cannot tell whether the receiver is a contract: {rpc.name}'s node does not answer"
        unseen = UpstreamFailed(reason)
        if others:
            return others, unseen
        raise unseen from error
    if not is_contract(code):
        return kinds, None
    if not others:
        raise NoRoute("this kind of transfer cannot pay a contract, and the receiver is one")
    return others, None


async def expect_wallet(request: QuoteRequest, rpc: EvmRpc | None) -> None:
    """Raise NoRoute unless a node shows that the receiver of native on arrival has no code, which might not take it.

    Raise UpstreamFailed if it does not answer.
    """
    if rpc is None:
        raise NoRoute(f"brings no native to {request.destination.name}, where no node tells whether it is taken")
    try:
        code = await rpc.code(request.receiver)
    except (RpcError, NodeUnavailable) as error:
        raise UpstreamFailed(f"cannot tell whether the receiver takes native: {rpc.name}'s node is silent") from error
    if is_contract(code):
        raise NoRoute("brings native to wallets only, and the receiver is a contract")


def reaches(kind: Kind, here: Deployment, there: Deployment) -> bool:
    match kind:
        case Kind.SWIFT:
            return bool(here.swift or here.swift_first)
        case Kind.MCTP:
            return bool(here.mctp) and _circle(here) and _circle(there)
        case Kind.FAST_MCTP:
            return bool(here.fast_mctp) and _circle(here) and _circle(there)
        case Kind.WORMHOLE:
            return bool(here.wormhole and here.token_bridge) and (bool(there.wormhole) or there.wormhole_id == SOLANA)


def carries(kind: Kind, request: QuoteRequest, here: Deployment) -> bool:
    """Return whether a kind may take the request's token: on Solana nothing is swapped before."""
    if request.origin.type is ChainType.EVM or kind is Kind.SWIFT:
        return True
    return here.usdc is not None and same(request.origin_token.address, here.usdc)


def connected(kinds: Iterable[Kind], places: Mapping[int, Deployment], chains: Mapping[int, Chain]) -> tuple[int, ...]:
    """Return the chains from or to which any of these kinds goes: known ones that have a place, in order."""
    requested, found = tuple(kinds), set[int]()
    for here, there in permutations(places.keys() & chains.keys(), 2):
        if any(reaches(kind, places[here], places[there]) for kind in requested):
            found |= {here, there}
    return tuple(sorted(found))


def contracts_of(kind: Kind, here: Deployment) -> tuple[str, ...]:
    """Return the protocol contracts that are pinned for a kind."""
    match kind:
        case Kind.SWIFT:
            return (*here.swift, *here.swift_first)
        case Kind.MCTP:
            return here.mctp
        case Kind.FAST_MCTP:
            return here.fast_mctp
        case Kind.WORMHOLE:
            return here.wormhole


def _circle(place: Deployment) -> bool:
    return place.cctp_domain is not None and place.usdc is not None
