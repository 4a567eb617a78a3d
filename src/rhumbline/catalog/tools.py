"""The adapters: which keys exist at all, and which can quote with the present settings."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from rhumbline.domain.adapter import AdapterInfo, Capability

CONTRACT_ADAPTERS: Mapping[str, Capability] = MappingProxyType(
    {
        "ACROSS": Capability.BRIDGE,
        "RELAY": Capability.MULTI,
        "GASZIP": Capability.BRIDGE,
        "OPENOCEAN": Capability.EXCHANGE,
        "JUPITER": Capability.EXCHANGE,
        "SYMBIOSIS": Capability.MULTI,
        "MAYAN": Capability.BRIDGE,
        "MAYAN_WORMHOLE": Capability.BRIDGE,
        "MAYAN_SWIFT": Capability.BRIDGE,
        "MAYAN_MCTP": Capability.BRIDGE,
        "MAYAN_FAST_MCTP": Capability.BRIDGE,
        "OKX": Capability.EXCHANGE,
        "RISE": Capability.EXCHANGE,
        "NORDSTERN": Capability.EXCHANGE,
        "KYBERSWAP": Capability.EXCHANGE,
        "DFLOW": Capability.EXCHANGE,
        "NEAR_INTENTS": Capability.MULTI,
    }
)
"""The keys of the contract, which clients with strict enumerations know."""
KNOWN_ADAPTERS: Mapping[str, Capability] = MappingProxyType({**CONTRACT_ADAPTERS, "UNISWAP": Capability.EXCHANGE})
"""Every key that a filter may name, whether or not its adapter is configured here."""


class ToolCatalog:
    """The adapters that can quote with the present settings."""

    __slots__ = ("_beyond", "_infos")

    def __init__(self, infos: Iterable[AdapterInfo], *, beyond_contract: bool = True) -> None:
        """Keep them in alphabetical order of their keys, those beyond the contract's only if they are wanted."""
        self._beyond = beyond_contract
        wanted = (info for info in infos if beyond_contract or info.key in CONTRACT_ADAPTERS)
        self._infos = tuple(sorted(wanted, key=lambda info: info.key))

    @property
    def known(self) -> Mapping[str, Capability]:
        """Every key that a filter may name: those of the contract, and those of further adapters that are here."""
        if not self._beyond:
            return CONTRACT_ADAPTERS
        return {**{info.key: info.capability for info in self._infos}, **KNOWN_ADAPTERS}

    def tools(self, capabilities: frozenset[Capability], chains: frozenset[int] | None) -> tuple[AdapterInfo, ...]:
        """Return those with one of the capabilities that serve any of the chains (all of them for None)."""
        return tuple(
            info
            for info in self._infos
            if info.capability in capabilities and (chains is None or chains.intersection(info.chains))
        )
