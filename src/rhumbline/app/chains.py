"""The chains: what is known of each, and which are served, that is, have an endpoint of the operator's."""

from collections.abc import Mapping
from dataclasses import dataclass

import aiohttp

from rhumbline.app.chain_section import ChainSettings
from rhumbline.app.settings import Settings, SettingsError
from rhumbline.catalog.chains import ChainCatalog
from rhumbline.catalog.evm.token_reader import token_readers
from rhumbline.catalog.known import ChainFacts, ChainFaults, changed_chains, known_chains, to_chain
from rhumbline.catalog.tokens import TokenReader
from rhumbline.domain.chain import Chain, ChainType
from rhumbline.gateways.evm.deployment import diamond_address, executor_address
from rhumbline.gateways.evm.rpc import EvmRpc
from rhumbline.gateways.evm.socket import EvmSocket


@dataclass(frozen=True, slots=True)
class ServedChain:
    """A chain with its node, where tracking begins (None: the head), and what announces new heads, if anything."""

    chain: Chain
    rpc: EvmRpc
    start_block: int | None
    socket: EvmSocket | None = None


@dataclass(frozen=True, slots=True)
class Chains:
    """Every known chain, and those that are served."""

    catalog: ChainCatalog
    served: tuple[ServedChain, ...]

    @property
    def rpcs(self) -> Mapping[int, EvmRpc]:
        return {served.chain.id: served.rpc for served in self.served}

    @property
    def token_readers(self) -> Mapping[int, TokenReader]:
        """Who looks up unlisted tokens, by chain ID."""
        return token_readers(self.rpcs)

    def find(self, name: str) -> ServedChain | None:
        chain = self.catalog.find(name)
        return next((served for served in self.served if served.chain == chain), None)


def build_chains(settings: Settings, session: aiohttp.ClientSession) -> Chains:
    """Join the shipped facts with the operator's; raise SettingsError when they make no chain."""
    given = _given(settings)
    catalog = known_to(settings)
    return Chains(
        catalog,
        tuple(
            ServedChain(
                chain, EvmRpc(own.rpc.get_secret_value(), session, chain.key), own.start_block, _socket(chain, own)
            )
            for chain in catalog
            if (own := given.get(chain.id)) is not None and own.rpc is not None and chain.type is ChainType.EVM
        ),
    )


def known_to(settings: Settings) -> ChainCatalog:
    """Return every known chain, served or not; raise SettingsError when the settings make no chain."""
    known = known_chains() if settings.catalog.shipped else ()
    try:
        facts = changed_chains(known, settings.chains)
    except ChainFaults as error:
        raise SettingsError([f"chains: {fault}" for fault in error.faults]) from None
    given = _given(settings)
    return ChainCatalog(_chain(item, given.get(item.id)) for item in facts)


def _socket(chain: Chain, own: ChainSettings) -> EvmSocket | None:
    return None if own.ws is None else EvmSocket(own.ws.get_secret_value(), chain.key)


def _given(settings: Settings) -> Mapping[int, ChainSettings]:
    return {chain.id: chain for chain in settings.chains if chain.rpc is not None and not chain.remove}


def _chain(facts: ChainFacts, own: ChainSettings | None) -> Chain:
    if own is None or not facts.diamond or facts.type is not ChainType.EVM:
        return to_chain(facts)
    return to_chain(facts, diamond=diamond_address(), executor=executor_address())
