"""Tokens: the lists, and the metadata of unlisted ones read from their chain."""

import asyncio
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Protocol

from rhumbline.catalog.index import TokenIndex, address_key
from rhumbline.domain.chain import Chain
from rhumbline.domain.errors import AdaptersFailed, NodeRefused, NodeUnavailable, NotFound
from rhumbline.domain.token import Token

MOST_READ = 10_000


class TokenReader(Protocol):
    """Reads the tokens of one chain."""

    async def read(self, chain: Chain, address: str, /) -> Token:
        """Return the token at a canonical address, as unlisted; NotFound where there is none, NodeUnavailable."""
        ...


class TokenCatalog:
    """Listed tokens by chain, most trusted list first, and a reader for the others.

    ``resolve`` never lets an unlisted token win a symbol: symbols are looked up in the lists only. ``adopt`` replaces
    all listed tokens at once: readers see the old ones or the new ones, never a mixture.
    """

    def __init__(self, chains: Iterable[Chain], tokens: Iterable[Token], readers: Mapping[int, TokenReader]) -> None:
        """Index ``tokens`` in their order of trust, natives first; ``readers`` by chain ID look up the others."""
        self._index = self._fixed = TokenIndex.of(chains, tokens)
        self._read: dict[tuple[int, str], Token] = {}
        self._readers = readers
        self.version = 0
        self.as_of: datetime | None = None

    def adopt(self, index: TokenIndex, as_of: datetime | None) -> None:
        """Take over another set of listed tokens; ``as_of`` is when the newest list in it was downloaded."""
        self._index = index
        self.as_of = as_of
        self.version += 1

    def __len__(self) -> int:
        return len(self._index)

    def listed(self, chain_id: int) -> tuple[Token, ...]:
        """Return a chain's listed tokens, the native asset first."""
        return self._index.lists.get(chain_id, ())

    def find(self, chain: Chain, name: str) -> Token | None:
        """Return the listed token at this address or, without case, of this symbol: of look-alikes the most trusted."""
        return self._index.find(chain, name)

    def listed_at(self, chain_id: int, address: str) -> Token | None:
        """Return the listed token at an address, whatever its symbol; None for an unlisted one."""
        return self._index.by_address.get((chain_id, address_key(address)))

    def all_listed(self, places: Iterable[tuple[int, str]]) -> tuple[Token, ...] | None:
        """Return the listed tokens at these addresses, each of a chain; None where one is on no list."""
        found = [self._index.by_address.get((chain_id, address_key(address))) for chain_id, address in places]
        return None if None in found else tuple(each for each in found if each is not None)

    def find_fixed(self, chain: Chain, name: str) -> Token | None:
        """Return what ``find`` does, of the tokens that were there at first: no list that came later can add to them.

        These are the operator's and the package's, and what must not come from foreign hands is to be asked for here.
        """
        return self._fixed.find(chain, name)

    def reads(self, chain: Chain) -> bool:
        return chain.id in self._readers

    async def resolve_within(self, chain: Chain, address: str, patience_s: float) -> Token:
        """Like ``resolve``, for a caller that waits: a node has ``patience_s`` seconds.

        Raise NotFound when there is no token at the address, AdaptersFailed when the chain's node does not tell.
        """
        try:
            async with asyncio.timeout(patience_s):
                return await self.resolve(chain, address)
        except (TimeoutError, NodeRefused, NodeUnavailable) as error:
            words = f"{chain.name}'s node does not answer about the token {address}; try again shortly"
            raise AdaptersFailed(words) from error

    async def resolve(self, chain: Chain, address: str) -> Token:
        """Return the token at a canonical address, listed or not.

        An unlisted token's symbol, name and decimals are read from the chain once and kept. Raise NotFound when there
        is no token at the address, NodeUnavailable when the chain's node does not answer.
        """
        listed = self._index.by_address.get((chain.id, address_key(address)))
        if listed is not None:
            return listed
        known = self._read.get((chain.id, address))
        if known is not None:
            return known
        reader = self._readers.get(chain.id)
        if reader is None:
            raise NotFound(f"Token {address} is not known on chain {chain.id}")
        token = await reader.read(chain, address)
        if len(self._read) >= MOST_READ:
            self._read.pop(next(iter(self._read)))
        self._read[chain.id, address] = token
        return token
