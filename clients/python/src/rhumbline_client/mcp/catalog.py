"""Chains and tokens by the names that people use for them. What could mean two is never guessed."""

import re
import time
from collections.abc import Callable, Sequence

import anyio

from rhumbline_client import AsyncRhumbline, models
from rhumbline_client.errors import NotFound
from rhumbline_client.mcp.failures import ToolFailure
from rhumbline_client.mcp.results import TokenFound
from rhumbline_client.mcp.texts import plain

FRESH_S = 60.0
MOST_NAMED = 12
ADDRESS = re.compile(r"0x[0-9a-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{32,44}")
"""Of an EVM chain or of Solana; no symbol looks like one."""


class Catalog:
    """The service's chains and tokens, asked again once a minute.

    Args:
        client: the service.
        now: a clock in seconds that only goes forward.

    """

    def __init__(self, client: AsyncRhumbline, now: Callable[[], float] = time.monotonic) -> None:
        self._client = client
        self._now = now
        self._lock = anyio.Lock()
        self._chains: tuple[float, list[models.Chain]] | None = None
        self._all: tuple[float, dict[int, list[models.Token]]] | None = None
        self._tokens: dict[int, tuple[float, list[models.Token]]] = {}

    async def chains(self) -> list[models.Chain]:
        """Return all chains that the service knows."""
        async with self._lock:
            if self._chains is None or self._chains[0] <= self._now():
                self._chains = (self._now() + FRESH_S, await self._client.chains())
            return self._chains[1]

    async def listed(self, chain_id: int) -> list[models.Token]:
        """Return the listed tokens of a chain."""
        async with self._lock:
            kept = self._tokens.get(chain_id)
            if kept is None or kept[0] <= self._now():
                found = await self._client.tokens([chain_id])
                kept = self._tokens[chain_id] = (self._now() + FRESH_S, found.get(chain_id, []))
            return kept[1]

    async def all_listed(self) -> dict[int, list[models.Token]]:
        """Return the listed tokens of all chains, by the chain's ID."""
        async with self._lock:
            if self._all is None or self._all[0] <= self._now():
                self._all = (self._now() + FRESH_S, await self._client.tokens())
            return self._all[1]

    async def chain(self, field: str, name: str) -> models.Chain:
        """Return the chain of a key, a name or an ID, whatever the case.

        Raises:
            ToolFailure: there is none, or more than one.

        """
        chains = await self.chains()
        wanted = name.strip().casefold()
        found = [each for each in chains if wanted in (str(each.id), each.key.casefold())]
        found = found or [each for each in chains if each.name.casefold() == wanted]
        if len(found) == 1:
            return found[0]
        if found:
            raise ToolFailure(
                f"{field}: several chains are called {plain(name, 40)!r}: {_named(found)}; give one's key"
            )
        raise ToolFailure(f"{field}: no chain is called {plain(name, 40)!r}; there are: {_named(chains)}")

    async def token(self, field: str, chain: models.Chain, name: str) -> models.Token:
        """Return the token of a chain by its address, or by a symbol that only one listed token has.

        Raises:
            ToolFailure: there is none, or more than one: then the text has each with its address.

        """
        wanted = name.strip()
        if ADDRESS.fullmatch(wanted):
            try:
                return await self._client.token(chain.id, wanted)
            except NotFound as error:
                raise ToolFailure(f"{field}: {chain.key} has no token at {wanted}: {plain(error.message)}") from None
        found = [each for each in await self.listed(chain.id) if each.symbol.casefold() == wanted.casefold()]
        if len(found) == 1:
            return found[0]
        shown = plain(name, 40)
        if not found:
            raise ToolFailure(
                f"{field}: no listed token of {chain.key} has the symbol {shown!r}; look with `tokens`, or give "
                "its address"
            )
        candidates = "; ".join(f"{plain(each.symbol, 20)} {each.address} ({plain(each.name, 40)})" for each in found)
        raise ToolFailure(
            f"{field}: {len(found)} tokens of {chain.key} have the symbol {shown!r}, and some may be fakes. Ask the "
            f"person which one is meant and give its address: {candidates[:2000]}"
        )

    async def is_listed(self, token: models.Token) -> bool:
        """Tell whether the service's lists have a token."""
        address = token.address.casefold()
        return any(each.address.casefold() == address for each in await self.listed(token.chain_id))

    async def shown(self, token: models.Token, chain: models.Chain) -> TokenFound:
        """Return a token as tools answer it."""
        return token_found(token, chain, listed=await self.is_listed(token))


def token_found(token: models.Token, chain: models.Chain, *, listed: bool) -> TokenFound:
    """Return a token as tools answer it."""
    return TokenFound(
        chain_id=chain.id,
        chain=chain.key,
        address=token.address,
        symbol=token.symbol,
        name=token.name,
        decimals=token.decimals,
        listed=listed,
        price_usd=None if token.price_usd is None else format(token.price_usd, "f"),
    )


def _named(chains: Sequence[models.Chain]) -> str:
    first = sorted(chains, key=lambda each: not each.served)
    more = f" and {len(chains) - MOST_NAMED} more: call `chains`" if len(chains) > MOST_NAMED else ""
    return ", ".join(f"{each.key} ({each.id}, {plain(each.name, 40)})" for each in first[:MOST_NAMED]) + more
