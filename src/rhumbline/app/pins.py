"""Compares the contracts that adapters pin with the chains: ``rhumbline doctor --pins``."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from types import MappingProxyType
from typing import Any

from rhumbline.adapters.mayan.deployments import Deployment as MayanPlace
from rhumbline.adapters.mayan.forwarder import PROTOCOLS
from rhumbline.adapters.mayan.kinds.order import Kind
from rhumbline.adapters.mayan.served_kinds import contracts_of
from rhumbline.adapters.okx.deployments import Deployment as OkxPlace
from rhumbline.adapters.okx.routers import RouterProof
from rhumbline.app.adapters import switched_on
from rhumbline.app.chains import Chains
from rhumbline.app.checkups import Finding, State
from rhumbline.app.deployments import deployments_of
from rhumbline.app.registry import SPECS
from rhumbline.app.settings import Settings
from rhumbline.domain.chain import NATIVE_EVM, NATIVE_EVM_ALIAS
from rhumbline.domain.clock import system_clock
from rhumbline.domain.errors import NodeRefused, NodeUnavailable, UpstreamFailed
from rhumbline.gateways.evm.address import is_address
from rhumbline.gateways.nodes.evm.rpc import EvmRpc
from rhumbline.gateways.upstreams.spec import AdapterSpec

NO_CONTRACTS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "OPENOCEAN": frozenset({"native_too"}),
        "RELAY": frozenset({"solver"}),
        # Contracts and accounts on Symbiosis' own chain; of a token that crosses, only the first address is here.
        "SYMBIOSIS": frozenset(
            {"host_synthesis", "host_bridge", "host_multicall", "host_routers", "reverters", "transit"}
        ),
    }
)
"""Fields of a deployment whose addresses are not contracts on its chain."""
_NOBODY = frozenset({NATIVE_EVM, NATIVE_EVM_ALIAS.lower()})
_AT_ONCE = 8


async def pin_findings(settings: Settings, chains: Chains, specs: Sequence[AdapterSpec[Any]] = SPECS) -> list[Finding]:
    """Compare code and upstreams' own lists with the pins: a finding per chain and adapter, shared deployments once."""
    room, findings, seen = asyncio.Semaphore(_AT_ONCE), [], set[tuple[type[Any], int]]()
    for spec in switched_on(settings, specs):
        places = deployments_of(spec, settings)
        for served in chains.evm:
            chain = served.chain
            mark = (spec.deployment, chain.id)
            if chain.id in places and mark not in seen:
                seen.add(mark)
                name = f"pins {spec.key} {chain.key}"
                findings.append(_finding(name, spec.key, places[chain.id], chain.id, served.rpc, room))
    return list(await asyncio.gather(*findings))


async def _finding(name: str, key: str, place: object, chain_id: int, rpc: EvmRpc, room: asyncio.Semaphore) -> Finding:
    pins = dict(_pins(place, NO_CONTRACTS.get(key, frozenset())))
    async with room:
        try:
            faults = [f"no code at {what} {address}" for address, what in pins.items() if not await rpc.code(address)]
            faults += await _unlisted(place, chain_id, rpc)
        except (NodeRefused, NodeUnavailable, UpstreamFailed) as error:
            return Finding(name, State.FAILS, str(error) or "the node does not tell")
    if faults:
        return Finding(name, State.FAILS, "; ".join(faults))
    return Finding(name, State.OK, f"code at {len(pins)} addresses" if pins else "nothing is pinned by address")


async def _unlisted(place: object, chain_id: int, rpc: EvmRpc) -> list[str]:
    """Return which pinned contracts an upstream's own list on the chain does not have."""
    if isinstance(place, OkxPlace):
        proof = RouterProof(system_clock)
        return [
            f"TokenApprove does not know router {router}"
            for router in place.routers
            if not await proof.is_listed(chain_id, rpc, place.token_approve, router)
        ]
    if isinstance(place, MayanPlace):
        return [
            f"the Forwarder does not list {kind} {contract}"
            for kind in Kind
            for contract in contracts_of(kind, place)
            if await rpc.eth_call(place.forwarder, PROTOCOLS.encode(contract)) != (1).to_bytes(32)
        ]
    return []


def _pins(value: object, without: frozenset[str], name: str = "") -> Iterator[tuple[str, str]]:
    """Yield the addresses in a deployment, each with its field's name."""
    if isinstance(value, str) and is_address(value) and value.lower() not in _NOBODY:
        yield value, name.replace("_", " ")
    elif isinstance(value, tuple):
        for inner in value:
            yield from _pins(inner, without, name)
    elif is_dataclass(value):
        for each in fields(value):
            if each.name not in without:
                yield from _pins(getattr(value, each.name), without, each.name)
