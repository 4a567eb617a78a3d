"""All listed tokens in one immutable object, merged by trust."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from rhumbline.catalog.symbols import is_plain, skeleton
from rhumbline.domain.chain import Chain, ChainType
from rhumbline.domain.token import Token

Key = tuple[int, str]


@dataclass(frozen=True, slots=True)
class TokenIndex:
    """Listed tokens by chain, by address and by what their symbol looks like."""

    lists: Mapping[int, tuple[Token, ...]]
    by_address: Mapping[Key, Token]
    by_symbol: Mapping[Key, Token]

    @classmethod
    def of(cls, chains: Iterable[Chain], tokens: Iterable[Token]) -> "TokenIndex":
        """Merge tokens in their order of trust, after every chain's native asset.

        The first one to name an address says what is there; later ones only add a coin key or a logo that it lacks.
        The first one to have a symbol gets it. A later token that is disguised as an earlier one, by letters of other
        alphabets, is left out; one that openly has the same symbol is listed and found by its address.
        """
        by_address: dict[Key, Token] = {}
        by_symbol: dict[Key, Key] = {}
        for token in (*(chain.native for chain in chains), *tokens):
            key = (token.chain_id, address_key(token.address))
            known = by_address.get(key)
            if known is not None:
                by_address[key] = _enriched(known, token)
                continue
            looks = (token.chain_id, skeleton(token.symbol))
            winner = by_symbol.get(looks)
            if winner is not None and not is_plain(token.symbol):
                continue
            by_address[key] = token
            if winner is None:
                by_symbol[looks] = key
        lists: dict[int, list[Token]] = {}
        for token in by_address.values():
            lists.setdefault(token.chain_id, []).append(token)
        return cls(
            {chain_id: tuple(listed) for chain_id, listed in lists.items()},
            by_address,
            {looks: by_address[key] for looks, key in by_symbol.items()},
        )

    def find(self, chain: Chain, name: str) -> Token | None:
        """Return the token with this address or, failing that, the one that has this symbol."""
        key = name.lower() if chain.type is ChainType.EVM else name
        return self.by_address.get((chain.id, key)) or self.by_symbol.get((chain.id, skeleton(name)))

    def __len__(self) -> int:
        """Count the tokens, native assets included."""
        return len(self.by_address)


def address_key(address: str) -> str:
    """Return what addresses are compared by: EVM ones without case."""
    return address.lower() if address.startswith("0x") else address


def _enriched(known: Token, other: Token) -> Token:
    if known.coin_key and known.logo_uri:
        return known
    added = (known.coin_key or other.coin_key, known.logo_uri or other.logo_uri)
    if added == (known.coin_key, known.logo_uri):
        return known
    return replace(known, coin_key=added[0], logo_uri=added[1])
