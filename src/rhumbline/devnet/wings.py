"""The chain types of the sandbox: one table of their chains and wallets."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from rhumbline.devnet.evm.chains import running_chains
from rhumbline.devnet.evm.contracts import CHAINS
from rhumbline.devnet.evm.wallet import open_evm_chain
from rhumbline.devnet.sandbox import LocalChains, SandboxConfig
from rhumbline.devnet.svm import chains as solana
from rhumbline.devnet.svm.wallet import open_svm_chain
from rhumbline.devnet.wallets import ChainClient
from rhumbline.domain.chain import ChainType
from rhumbline.gateways.http.client import HttpClient


@dataclass(frozen=True, slots=True)
class Wing:
    """One chain type: how many chains it has, how they run at given ports, how a client opens one."""

    count: int
    running: Callable[[SandboxConfig, Sequence[int]], AbstractAsyncContextManager[LocalChains]]
    opened: Callable[[Mapping[str, Any], HttpClient], ChainClient]


WINGS: Mapping[ChainType, Wing] = MappingProxyType({
    ChainType.EVM: Wing(len(CHAINS), running_chains, open_evm_chain),
    ChainType.SVM: Wing(1, solana.running_chains, open_svm_chain),
})  # fmt: skip


def open_chain(described: Mapping[str, Any], http: HttpClient) -> ChainClient:
    return WINGS[ChainType(described["type"])].opened(described, http)
