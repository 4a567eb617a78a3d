"""The adapters: all their keys, and those that can quote with the present settings."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
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
KNOWN_ADAPTERS: Mapping[str, Capability] = MappingProxyType({**CONTRACT_ADAPTERS, "ONCHAIN": Capability.EXCHANGE})
"""Every key that a filter may name, whether or not its adapter is configured here."""

_EXCHANGING = frozenset({Capability.EXCHANGE, Capability.MULTI})
_BRIDGING = frozenset({Capability.BRIDGE, Capability.MULTI})


class ToolCatalog:
    """The adapters that can quote with the present settings."""

    def __init__(
        self, infos: Iterable[AdapterInfo], *, beyond_contract: bool = True, served: frozenset[int] | None = None
    ) -> None:
        """Keep them in alphabetical order of their keys, those beyond the contract's only if they are wanted.

        Nothing can be sent from chains that are not ``served`` (all are for None).
        """
        self._served = served
        self._beyond = beyond_contract
        offered = (info for info in infos if beyond_contract or info.key in CONTRACT_ADAPTERS)
        self._infos = tuple(sorted(offered, key=lambda info: info.key))

    @property
    def known(self) -> Mapping[str, Capability]:
        """Every key that a filter may name: those of the contract, and those of further adapters that are here."""
        if not self._beyond:
            return CONTRACT_ADAPTERS
        return {**{info.key: info.capability for info in self._infos}, **KNOWN_ADAPTERS}

    def exchanges(self, only: frozenset[int] | None) -> tuple[AdapterInfo, ...]:
        """Return the adapters that swap, with their served chains; of ``only`` any (None: all)."""
        narrowed = (replace(info, chains=self._of_served(info)) for info in self._of(_EXCHANGING))
        return tuple(info for info in narrowed if info.chains and _is_on(info, only))

    def bridges(self, only: frozenset[int] | None) -> tuple[AdapterInfo, ...]:
        """Return the adapters that cross from a served chain, with all their chains; of ``only`` any (None: all)."""
        return tuple(info for info in self._of(_BRIDGING) if self._of_served(info) and _is_on(info, only))

    def _of(self, capabilities: frozenset[Capability]) -> Iterator[AdapterInfo]:
        return (info for info in self._infos if info.capability in capabilities)

    def _of_served(self, info: AdapterInfo) -> tuple[int, ...]:
        return tuple(chain for chain in info.chains if self._served is None or chain in self._served)


def _is_on(info: AdapterInfo, only: frozenset[int] | None) -> bool:
    return only is None or not only.isdisjoint(info.chains)
