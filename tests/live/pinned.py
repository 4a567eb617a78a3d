"""Every contract that an adapter has pinned, chain by chain: what stands there decides where money goes."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from rhumbline.adapters.uniswap.deployments import DEPLOYMENTS as UNISWAP
from rhumbline.app.registry import SPECS
from rhumbline.catalog.chains import ChainCatalog
from rhumbline.domain.chain import NATIVE_EVM, NATIVE_EVM_ALIAS, ChainType
from rhumbline.gateways.evm.address import checksummed, is_address

Named = Iterator[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Pinned:
    """The contracts of one adapter on one chain: what each is, and its address."""

    key: str
    chain_id: int
    contracts: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        """Name it in a test's ID."""
        return f"{self.key}-{self.chain_id}"


def _across(place: Any) -> Named:
    yield "SpokePool", place.spoke_pool


def _gaszip(place: Any) -> Named:
    yield "deposit contract", place.contract


def _kyberswap(place: Any) -> Named:
    yield "router", place.router


def _mayan(place: Any) -> Named:
    yield "Forwarder", place.forwarder
    yield "USDC", place.usdc or ""
    yield "token bridge", place.token_bridge
    for token in place.dollars:
        yield "dollar", token
    for token, _ in place.middles:
        yield "token between", token
    for name in ("swift", "mctp", "fast_mctp", "wormhole", "routers"):
        for contract in getattr(place, name):
            yield name, contract


def _near_intents(place: Any) -> Named:
    for token, asset in place.assets:
        yield asset, "" if token == NATIVE_EVM else token


def _nordstern(place: Any) -> Named:
    yield "guard", place.guard


def _okx(place: Any) -> Named:
    yield "TokenApprove", place.token_approve
    for router in place.routers:
        yield "router", router


def _openocean(place: Any) -> Named:
    yield "exchange", place.exchange


def _relay(place: Any) -> Named:
    yield "depository", place.depository
    yield "router", place.router
    yield "approval proxy", place.approval_proxy


def _symbiosis(place: Any) -> Named:
    for called, approved in place.entries:
        yield "entry", called
        yield "spender", approved
    yield "portal", place.portal
    yield "bridge", place.bridge
    yield "unwrapper", place.unwrapper
    yield "wrapped native token", place.wrapped
    for token, *_ in place.transit:
        yield "token that crosses", token


def _uniswap(place: Any) -> Named:
    yield "router", place.router
    yield "V2 factory", place.v2_factory or ""
    yield "V3 factory", place.v3_factory or ""
    yield "Multicall3", place.multicall
    for token in (place.wrapped_native, *place.anchors):
        yield token.symbol, token.address


CONTRACTS: Mapping[str, Callable[[Any], Named]] = {
    "ACROSS": _across,
    "GASZIP": _gaszip,
    "KYBERSWAP": _kyberswap,
    "MAYAN": _mayan,
    "MAYAN_SWIFT": _mayan,
    "MAYAN_MCTP": _mayan,
    "MAYAN_FAST_MCTP": _mayan,
    "MAYAN_WORMHOLE": _mayan,
    "NEAR_INTENTS": _near_intents,
    "NORDSTERN": _nordstern,
    "OKX": _okx,
    "OPENOCEAN": _openocean,
    "RELAY": _relay,
    "SYMBIOSIS": _symbiosis,
    "UNISWAP": _uniswap,
}
"""The contracts of a deployment by the adapter's key; an empty address is one that the chain has not.

An adapter that is not listed has every address of its deployment looked at (`contracts_of`).
Left out is what stands on a chain that no catalogue has: the contracts on Symbiosis' own.
"""


def contracts_of(key: str) -> Callable[[Any], Named]:
    """Return what finds the contracts in a deployment of an adapter."""
    return CONTRACTS.get(key, every_address)


def every_address(place: object) -> Named:
    """Yield every address that a deployment has, with the name of its field."""
    assert is_dataclass(place)
    for each in fields(place):
        for address in _addresses(getattr(place, each.name)):
            yield each.name, address


def _addresses(value: object) -> Iterator[str]:
    if isinstance(value, str) and is_address(value):
        if checksummed(value) not in (NATIVE_EVM, NATIVE_EVM_ALIAS):
            yield checksummed(value)
    elif isinstance(value, tuple):
        for inner in value:
            yield from _addresses(inner)


def pinned(catalog: ChainCatalog) -> list[Pinned]:
    """Return what is built in for the EVM chains of a catalogue; adapters that share their deployments count once."""
    found: dict[tuple[int, tuple[tuple[str, str], ...]], Pinned] = {}
    known: dict[str, Mapping[int, Any]] = {each.key: each.deployments for each in SPECS} | {"UNISWAP": UNISWAP}
    for key, deployments in known.items():
        for chain_id, place in deployments.items():
            chain = catalog.by_id(chain_id)
            if chain is None or chain.type is not ChainType.EVM:
                continue
            contracts = tuple(dict.fromkeys(each for each in contracts_of(key)(place) if each[1]))
            if contracts:
                found.setdefault((chain_id, contracts), Pinned(key, chain_id, contracts))
    return list(found.values())
