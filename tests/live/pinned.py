"""Every contract that an adapter has pinned, chain by chain: what stands there decides where money goes."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from fnmatch import fnmatchcase
from typing import Any

from rhumbline.app.registry import SPECS
from rhumbline.catalog.chains import ChainCatalog
from rhumbline.domain.chain import NATIVE_EVM, NATIVE_EVM_ALIAS, ChainType
from rhumbline.gateways.evm.address import checksummed, is_address
from rhumbline.liquidity.deployments import DEPLOYMENTS as ONCHAIN
from tests.live.by_folder import NO_CONTRACTS

DEPLOYMENTS: Mapping[str, Mapping[int, Any]] = {each.key: each.deployments for each in SPECS} | {"ONCHAIN": ONCHAIN}


@dataclass(frozen=True, slots=True)
class Pinned:
    """The contracts of one adapter on one chain: what each is, and its address."""

    key: str
    chain_id: int
    contracts: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        """Name it in a test's ID."""
        return f"{self.key}-{self.chain_id}"


def contracts_of(key: str, deployment: object) -> tuple[tuple[str, str], ...]:
    """Return every address in a deployment that is a contract of its chain, by its field: ``routers.0``."""
    assert is_dataclass(deployment)
    left_out = NO_CONTRACTS.get(key, ())
    named: dict[str, str] = {}
    for name, address in _addresses(deployment):
        if not any(fnmatchcase(name, pattern) for pattern in left_out):
            named.setdefault(address, name)
    return tuple((name, address) for address, name in named.items())


def _addresses(value: object, name: str = "") -> Iterator[tuple[str, str]]:
    """Yield every address that a value holds, native markers excepted, by its path."""
    if isinstance(value, str) and is_address(value):
        if checksummed(value) not in (NATIVE_EVM, NATIVE_EVM_ALIAS):
            yield name, checksummed(value)
    elif isinstance(value, tuple):
        for index, inner in enumerate(value):
            yield from _addresses(inner, f"{name}.{index}")
    elif is_dataclass(value):
        for each in fields(value):
            yield from _addresses(getattr(value, each.name), f"{name}.{each.name}".removeprefix("."))


def pinned(catalog: ChainCatalog) -> list[Pinned]:
    """Return what is built in for the EVM chains of a catalogue; adapters that share their deployments count once."""
    found: dict[tuple[int, tuple[tuple[str, str], ...]], Pinned] = {}
    for key, deployments in DEPLOYMENTS.items():
        for chain_id, deployment in deployments.items():
            chain = catalog.by_id.get(chain_id)
            if chain is None or chain.type is not ChainType.EVM:
                continue
            contracts = contracts_of(key, deployment)
            if contracts:
                found.setdefault((chain_id, contracts), Pinned(key, chain_id, contracts))
    return list(found.values())
