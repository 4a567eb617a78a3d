"""The chains the service serves, found by ID, key or alias."""

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

from rhumbline.domain.chain import Chain, ChainType


class ChainCatalog:
    """An immutable set of chains in a fixed order. IDs, keys and aliases are unique; ValueError otherwise."""

    def __init__(self, chains: Iterable[Chain]) -> None:
        self._chains = tuple(chains)
        self.by_id: Mapping[int, Chain] = MappingProxyType({chain.id: chain for chain in self._chains})
        self._by_name: dict[str, Chain] = {}
        for chain in self._chains:
            for name in (chain.key, *chain.aliases):
                if self._by_name.setdefault(name.lower(), chain) is not chain:
                    raise ValueError(f"two chains are called {name!r}")
        if len(self.by_id) != len(self._chains):
            raise ValueError("two chains have the same ID")

    def __iter__(self) -> Iterator[Chain]:
        return iter(self._chains)

    def find(self, name: str) -> Chain | None:
        """Return the chain with this ID (decimal text), key or alias; keys without case."""
        text = name.strip()
        if text.isascii() and text.isdigit() and len(text) <= 20:
            return self.by_id.get(int(text))
        return self._by_name.get(text.lower())

    def of_types(self, types: frozenset[ChainType] | None) -> tuple[Chain, ...]:
        """Return the chains of the given types; all of them for None."""
        return tuple(chain for chain in self._chains if types is None or chain.type in types)
