"""The known chains, and those that are served, which have an endpoint of the operator's."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from rhumbline.app.chain_section import ChainSettings, endpoints_of
from rhumbline.app.deployments import spoke_pool_of
from rhumbline.app.settings import Settings, SettingsError
from rhumbline.catalog.chains import ChainCatalog
from rhumbline.catalog.evm.token_reader import token_readers as evm_token_readers
from rhumbline.catalog.known import ChainFacts, ChainFaults, changed_chains, known_chains, to_chain
from rhumbline.catalog.svm.token_reader import token_readers as svm_token_readers
from rhumbline.catalog.tokens import TokenReader
from rhumbline.domain.chain import Chain, ChainType
from rhumbline.domain.metrics import Metrics
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.comparison import Sight
from rhumbline.gateways.nodes.evm.deployment import diamond_address, executor_address, receiver_address
from rhumbline.gateways.nodes.evm.endpoints import evm_endpoints
from rhumbline.gateways.nodes.evm.endpoints import look as look_at_evm
from rhumbline.gateways.nodes.evm.heads import EvmHeads
from rhumbline.gateways.nodes.evm.rpc import EvmRpc
from rhumbline.gateways.nodes.heads import Heads
from rhumbline.gateways.nodes.svm.cluster import MAINNET_GENESIS
from rhumbline.gateways.nodes.svm.endpoints import look as look_at_svm
from rhumbline.gateways.nodes.svm.endpoints import svm_endpoints
from rhumbline.gateways.nodes.svm.heads import SvmHeads
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from rhumbline.gateways.nodes.websocket import RpcSocket

SOLANA = 1000000001
"""The ID of mainnet-beta, which no other cluster may have."""


@dataclass(frozen=True, slots=True)
class ServedEvm:
    """A chain with its node, its first tracked block (None: the head), and its announcements of heads, if any."""

    chain: Chain
    rpc: EvmRpc
    start_block: int | None
    socket: RpcSocket | None = None

    def each(self) -> "Sequence[tuple[str, ServedEvm]]":
        """Return the chain with each of its endpoints alone, by their names."""
        return [(name, replace(self, rpc=rpc)) for name, rpc in self.rpc.each()]

    async def look(self) -> Sight:
        """Ask the node for its newest block; raise NodeRefused or NodeUnavailable."""
        return await look_at_evm(self.rpc)

    def make_heads(self) -> Heads | None:
        return None if self.socket is None else EvmHeads(self.socket, self.chain.id)


@dataclass(frozen=True, slots=True)
class ServedSvm:
    """A Solana chain with its node, and its announcements of slots, if any."""

    chain: Chain
    rpc: SvmRpc
    socket: RpcSocket | None = None

    def each(self) -> "Sequence[tuple[str, ServedSvm]]":
        """Return the chain with each of its endpoints alone, by their names."""
        return [(name, replace(self, rpc=rpc)) for name, rpc in self.rpc.each()]

    async def look(self) -> Sight:
        """Ask the node for its newest slot; raise NodeRefused or NodeUnavailable."""
        return await look_at_svm(self.rpc)

    def make_heads(self) -> Heads | None:
        return None if self.socket is None else SvmHeads(self.socket, self.rpc)


ServedChain = ServedEvm | ServedSvm


@dataclass(frozen=True, slots=True)
class Chains:
    """Every known chain, and the served ones by type."""

    catalog: ChainCatalog
    evm: tuple[ServedEvm, ...]
    svm: tuple[ServedSvm, ...] = ()

    @property
    def served(self) -> tuple[ServedChain, ...]:
        return (*self.evm, *self.svm)

    @property
    def served_ids(self) -> frozenset[int]:
        return frozenset(served.chain.id for served in self.served)

    @property
    def rpcs(self) -> Mapping[int, EvmRpc]:
        return {served.chain.id: served.rpc for served in self.evm}

    @property
    def svm_rpcs(self) -> Mapping[int, SvmRpc]:
        return {served.chain.id: served.rpc for served in self.svm}

    @property
    def token_readers(self) -> Mapping[int, TokenReader]:
        """The lookups of unlisted tokens, by chain ID."""
        return {**evm_token_readers(self.rpcs), **svm_token_readers(self.svm_rpcs)}


def build_chains(settings: Settings, http: HttpClient, metrics: Metrics | None = None) -> Chains:
    """Join the shipped facts with the operator's; raise SettingsError when they make no chain."""
    configured = _configured(settings)
    catalog = known_to(settings)
    evm: list[ServedEvm] = []
    svm: list[ServedSvm] = []
    for chain in catalog:
        own = configured.get(chain.id)
        if own is None or own.rpc is None:
            continue
        endpoints = endpoints_of(own.rpc)
        if chain.type is ChainType.EVM:
            rpc = evm_endpoints(chain.key, chain.id, endpoints, http, metrics)
            evm.append(ServedEvm(chain, rpc, own.start_block, _socket(chain, own)))
        else:
            node = svm_endpoints(chain.key, _genesis(chain.id, own), endpoints, http, metrics)
            svm.append(ServedSvm(chain, node, _socket(chain, own)))
    return Chains(catalog, tuple(evm), tuple(svm))


def known_to(settings: Settings) -> ChainCatalog:
    """Return every known chain, served or not; raise SettingsError when the settings make no chain."""
    known = known_chains() if settings.catalog.shipped else ()
    try:
        facts = changed_chains(known, settings.chains)
    except ChainFaults as error:
        raise SettingsError([f"chains: {fault}" for fault in error.faults]) from None
    configured = _configured(settings)
    if faults := [fault for item in facts if item.id in configured for fault in _useless(item, configured[item.id])]:
        raise SettingsError(faults)
    return ChainCatalog(_chain(item, configured.get(item.id), settings) for item in facts)


def _useless(facts: ChainFacts, own: ChainSettings) -> list[str]:
    """Return the settings that a chain does not use."""
    faults = []
    if own.start_block is not None and facts.type is ChainType.SVM:
        faults.append("start_block: is for EVM chains only; remove it")
    if own.genesis is not None and facts.type is not ChainType.SVM:
        faults.append("genesis: is for Solana chains only; remove it")
    if facts.id == SOLANA and own.genesis not in (None, MAINNET_GENESIS):
        faults.append("genesis: this ID is mainnet-beta's; remove genesis, or give another cluster another ID")
    return [f"chains: chain {facts.id}: {fault}" for fault in faults]


def _genesis(chain_id: int, own: ChainSettings) -> str | None:
    return MAINNET_GENESIS if chain_id == SOLANA else own.genesis


def _socket(chain: Chain, own: ChainSettings) -> RpcSocket | None:
    return None if own.ws is None else RpcSocket(own.ws.get_secret_value(), chain.key)


def _configured(settings: Settings) -> Mapping[int, ChainSettings]:
    return {chain.id: chain for chain in settings.chains if chain.rpc is not None and not chain.remove}


def _chain(facts: ChainFacts, own: ChainSettings | None, settings: Settings) -> Chain:
    if own is None or not facts.diamond or facts.type is not ChainType.EVM:
        return to_chain(facts)
    pool = spoke_pool_of(settings, facts.id)
    receiver = None if pool is None else receiver_address(pool)
    return to_chain(facts, diamond=diamond_address(), executor=executor_address(), receiver=receiver)
