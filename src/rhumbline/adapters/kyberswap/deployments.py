"""KyberSwap's contracts by chain.

Chain names: the vendor's list of supported chains, read 2026-11-21, and for Robinhood Chain (4663) several clients that
trade there and pin the same router (2026-10). The router has one address on all of them; zkSync,
where it has another and the virtual machine is not the EVM, and chains that only older lists name are left out.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from rhumbline.domain.chain import NATIVE_EVM_ALIAS

ROUTER = "0x6131B5fae19EA4f9D964eAc0408E4408b66337b5"
"""MetaAggregationRouterV2."""


@dataclass(frozen=True, slots=True)
class Deployment:
    """One chain: its name in the paths of the API, and the router, which is both called and approved (EIP-55)."""

    chain_name: str
    router: str = ROUTER
    native: str = NATIVE_EVM_ALIAS


DEPLOYMENTS: Mapping[int, Deployment] = MappingProxyType(
    {
        1: Deployment("ethereum"),
        10: Deployment("optimism"),
        56: Deployment("bsc"),
        130: Deployment("unichain"),
        137: Deployment("polygon"),
        143: Deployment("monad"),
        146: Deployment("sonic"),
        999: Deployment("hyperevm"),
        2020: Deployment("ronin"),
        4326: Deployment("megaeth"),
        4663: Deployment("robinhood"),
        5000: Deployment("mantle"),
        8453: Deployment("base"),
        9745: Deployment("plasma"),
        42161: Deployment("arbitrum"),
        42793: Deployment("etherlink"),
        43114: Deployment("avalanche"),
        59144: Deployment("linea"),
        80094: Deployment("berachain"),
    }
)
