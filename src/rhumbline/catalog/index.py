"""All listed tokens in one immutable object, merged by trust."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from rhumbline.catalog.symbols import is_plain, skeleton
from rhumbline.domain.chain import Chain, ChainType
from rhumbline.domain.token import Token

Key = tuple[int, str]


@dataclass(frozen=True, slots=True)
class TokenIndex:
    """Listed tokens by chain, address and look-alike form of their symbol."""

    lists: Mapping[int, tuple[Token, ...]]
    by_address: Mapping[Key, Token]
    by_symbol: Mapping[Key, Token]

    @classmethod
    def of(cls, chains: Iterable[Chain], tokens: Iterable[Token], listed: Iterable[Token] = ()) -> "TokenIndex":
        """Merge tokens in their order of trust, after every chain's native asset: ``tokens``, then those of lists.

        The first one with an address determines its data; later ones only add a missing coin key or logo. The first one
        with a symbol gets it. A later token that imitates an earlier one, by letters of other alphabets, is left out;
        one with exactly the same symbol is listed and found by its address only. A coin key that is no symbol of
        ``tokens`` finds its token too, before any list's: Arbitrum's USDT, now named ``USD₮0``, is still found as
        ``USDT``.
        """
        merging = _Merging({}, {})
        for token in (*(chain.native for chain in chains), *tokens):
            merging.add(token)
        merging.name_by_coin_keys()
        for token in listed:
            merging.add(token)
        by_address = merging.by_address
        lists: dict[int, list[Token]] = {}
        for token in by_address.values():
            lists.setdefault(token.chain_id, []).append(token)
        return cls(
            {chain_id: tuple(each) for chain_id, each in lists.items()},
            by_address,
            {looks: by_address[key] for looks, key in merging.by_symbol.items()},
        )

    def find(self, chain: Chain, name: str) -> Token | None:
        """Return the token with this address, otherwise the one with this symbol or coin key."""
        key = name.lower() if chain.type is ChainType.EVM else name
        return self.by_address.get((chain.id, key)) or self.by_symbol.get((chain.id, skeleton(name)))

    def __len__(self) -> int:
        return len(self.by_address)


@dataclass(frozen=True, slots=True)
class _Merging:
    """The state of a merge: tokens by their key, and the owner of each symbol."""

    by_address: dict[Key, Token]
    by_symbol: dict[Key, Key]

    def add(self, token: Token) -> None:
        key = (token.chain_id, address_key(token.address))
        known = self.by_address.get(key)
        if known is not None:
            self.by_address[key] = _enriched(known, token)
            return
        looks = (token.chain_id, skeleton(token.symbol))
        if looks in self.by_symbol and not is_plain(token.symbol):
            return
        self.by_address[key] = token
        self.by_symbol.setdefault(looks, key)

    def name_by_coin_keys(self) -> None:
        """Let a coin key that is no token's symbol find its first token."""
        for key, token in self.by_address.items():
            if token.coin_key:
                self.by_symbol.setdefault((token.chain_id, skeleton(token.coin_key)), key)


def address_key(address: str) -> str:
    """Return what addresses are compared by: EVM ones without case."""
    return address.lower() if address.startswith("0x") else address


def _enriched(known: Token, other: Token) -> Token:
    added = (known.coin_key or other.coin_key, known.logo_uri or other.logo_uri)
    if added == (known.coin_key, known.logo_uri):
        return known
    return replace(known, coin_key=added[0], logo_uri=added[1])
