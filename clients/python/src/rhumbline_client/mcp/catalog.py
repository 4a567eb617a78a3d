"""Chains and tokens by the names that people use for them. What could mean two is never guessed."""

import re
import time
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Generic, TypeVar

import anyio

from rhumbline_client import AsyncRhumbline, models
from rhumbline_client.errors import NotFound, RhumblineError
from rhumbline_client.mcp.failures import ToolFailure
from rhumbline_client.mcp.results import TokenFound
from rhumbline_client.mcp.texts import plain

T = TypeVar("T")
FRESH_S = 60.0
FAILED_S = 1.0
"""Calls that waited for a request that failed do not repeat it one after the other."""
MOST_NAMED = 12
ADDRESS = re.compile(r"0x[0-9a-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{32,44}")
"""Of an EVM chain or of Solana; no symbol looks like one."""


class Kept(Generic[T]):
    """An answer that is kept for a minute; whoever asks meanwhile shares the request, and its failure."""

    def __init__(self, ask: Callable[[], Awaitable[T]], now: Callable[[], float]) -> None:
        self._ask = ask
        self._now = now
        self._lock = anyio.Lock()
        self._answer: tuple[float, T] | None = None
        self._failure: tuple[float, RhumblineError] | None = None

    async def get(self) -> T:
        """Return the answer, asked for where there is none or it is old."""
        async with self._lock:
            if self._answer is not None and self._now() < self._answer[0]:
                return self._answer[1]
            if self._failure is not None and self._now() < self._failure[0]:
                raise self._failure[1].with_traceback(None)
            try:
                self._answer = (self._now() + FRESH_S, await self._ask())
            except RhumblineError as error:
                self._failure = (self._now() + FAILED_S, error)
                raise
            return self._answer[1]


class Catalog:
    """The service's chains and tokens, asked again once a minute.

    Args:
        client: the service.
        now: a clock in seconds that only goes forward.

    """

    def __init__(self, client: AsyncRhumbline, now: Callable[[], float] = time.monotonic) -> None:
        self._client = client
        self._now = now
        self._chains = Kept(client.chains, now)
        self._all = Kept(client.tokens, now)
        self._tokens: dict[int, Kept[dict[int, list[models.Token]]]] = {}

    async def chains(self) -> list[models.Chain]:
        """Return all chains that the service knows."""
        return await self._chains.get()

    async def listed(self, chain_id: int) -> list[models.Token]:
        """Return the listed tokens of a chain."""
        if chain_id not in self._tokens:
            self._tokens[chain_id] = Kept(partial(self._client.tokens, [chain_id]), self._now)
        return (await self._tokens[chain_id].get()).get(chain_id, [])

    async def all_listed(self) -> dict[int, list[models.Token]]:
        """Return the listed tokens of all chains, by the chain's ID."""
        return await self._all.get()

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
