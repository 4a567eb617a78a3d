"""Filters of metadata: by chain, and by type of chain."""

from rhumbline.api.parameters.lists import CHAIN_TYPES, CHAINS
from rhumbline.api.parameters.parameter import Parameter, Reading, shown
from rhumbline.catalog.chains import ChainCatalog
from rhumbline.domain.chain import ChainType

CHAIN_FILTER = Parameter(
    "chains",
    CHAINS,
    "Comma-separated chain IDs or keys: only these.",
    "1,8453",
    remedy="chain IDs, separated by commas",
)
TYPE_FILTER = Parameter(
    "chainTypes", CHAIN_TYPES, "Comma-separated chain types: only these.", "EVM", remedy="EVM, SVM or both"
)


def read_types(reading: Reading) -> frozenset[ChainType] | None:
    names = reading.take(TYPE_FILTER)
    return None if names is None else frozenset(ChainType(name) for name in names)


def read_chains(reading: Reading, chains: ChainCatalog) -> frozenset[int] | None:
    names = reading.take(CHAIN_FILTER)
    if names is None:
        return None
    found = {name: chains.find(name) for name in names}
    for name in (name for name, chain in found.items() if chain is None):
        reading.fault(CHAIN_FILTER.name, f"names the chain {shown(name)}, which is not served: see GET /v1/chains")
    return frozenset(chain.id for chain in found.values() if chain is not None)
