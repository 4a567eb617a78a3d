"""Several mints, token accounts or lookup tables asked of a node at once, each hundred as they are in one slot."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from rhumbline.domain.svm import LookupTable
from rhumbline.gateways.nodes.svm.answers import AccountsAt
from rhumbline.gateways.nodes.svm.rpc import MOST_ACCOUNTS, SvmRpc
from rhumbline.gateways.svm.account import Account, read_lookup_table
from rhumbline.gateways.svm.tokens import Mint, NoToken, TokenAccount, read_mint, read_token_account

_Read = TypeVar("_Read")


@dataclass(frozen=True, slots=True)
class SvmState:
    """What lies at addresses. Nothing is kept: fees, pauses and freezes change from one slot to the next."""

    rpc: SvmRpc

    async def mints(self, addresses: Sequence[str]) -> Mapping[str, Mint | None]:
        """Return the mints at these addresses, None where there is none; errors as of ``SvmRpc``."""
        return (await self.tables_and_mints((), addresses))[1]

    async def token_accounts(self, addresses: Sequence[str]) -> Mapping[str, TokenAccount | None]:
        """Return the token accounts at these addresses, None where there is none; errors as of ``SvmRpc``."""
        return _each(read_token_account, await self._pages(addresses), addresses)

    async def tables(self, addresses: Sequence[str]) -> tuple[LookupTable, ...]:
        """Return lookup tables with what a transaction may look up from the next slot on, each once.

        Raise NoLookupTable for an address where none is, or one that is being taken out of service; else as
        ``SvmRpc``.
        """
        return (await self.tables_and_mints(addresses, ()))[0]

    async def tables_and_mints(
        self, tables: Sequence[str], mints: Sequence[str]
    ) -> tuple[tuple[LookupTable, ...], Mapping[str, Mint | None]]:
        """Return what ``tables`` and ``mints`` do, asked for together."""
        pages = await self._pages([*tables, *mints])
        found = tuple(
            read_lookup_table(address, account, page.slot)
            for page in pages
            for address, account in page.found.items()
            if address in tables
        )
        return found, _each(read_mint, pages, mints)

    async def _pages(self, addresses: Sequence[str]) -> list[AccountsAt]:
        asked = list(dict.fromkeys(addresses))
        return [await self.rpc.accounts(asked[i : i + MOST_ACCOUNTS]) for i in range(0, len(asked), MOST_ACCOUNTS)]


def _each(
    read: Callable[[str, Account | None], _Read], pages: Sequence[AccountsAt], wanted: Sequence[str]
) -> Mapping[str, _Read | None]:
    found: dict[str, _Read | None] = {}
    accounts = {address: account for page in pages for address, account in page.found.items()}
    for address in wanted:
        account = accounts[address]
        try:
            found[address] = read(address, account)
        except NoToken:
            found[address] = None
    return found
