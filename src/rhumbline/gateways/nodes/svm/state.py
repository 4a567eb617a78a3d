"""Reads several mints, token accounts or lookup tables at once; each hundred is from one slot."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from rhumbline.domain.svm import LookupTable
from rhumbline.gateways.nodes.svm.answers import AccountsAt
from rhumbline.gateways.nodes.svm.rpc import MOST_ACCOUNTS, SvmRpc
from rhumbline.gateways.svm.account import Account, read_lookup_table
from rhumbline.gateways.svm.tokens import Mint, NoToken, TokenAccount, read_mint, read_token_account

_Read = TypeVar("_Read")


@dataclass(frozen=True)
class Seen:
    """Accounts, each page of them from one slot."""

    pages: tuple[AccountsAt, ...]

    @cached_property
    def accounts(self) -> Mapping[str, Account | None]:
        return {address: account for page in self.pages for address, account in page.found.items()}

    def mints(self, addresses: Sequence[str]) -> Mapping[str, Mint | None]:
        """Return the mints at these addresses, None where there is none."""
        return self._each(read_mint, addresses)

    def token_accounts(self, addresses: Sequence[str]) -> Mapping[str, TokenAccount | None]:
        """Return the token accounts at these addresses, None where there is none."""
        return self._each(read_token_account, addresses)

    def tables(self, addresses: Sequence[str]) -> tuple[LookupTable, ...]:
        """Return lookup tables with the entries that a transaction may use from the next slot on, each table once.

        Raise NoLookupTable for an address without one, or with one that is being deactivated.
        """
        return tuple(
            read_lookup_table(address, page.found[address], page.slot)
            for page in self.pages
            for address in dict.fromkeys(addresses)
            if address in page.found
        )

    def _each(
        self, read: Callable[[str, Account | None], _Read], addresses: Sequence[str]
    ) -> Mapping[str, _Read | None]:
        found: dict[str, _Read | None] = {}
        for address in addresses:
            try:
                found[address] = read(address, self.accounts[address])
            except NoToken:
                found[address] = None
        return found


@dataclass(frozen=True, slots=True)
class SvmState:
    """The present accounts at addresses; errors as of ``SvmRpc``, and of ``Seen``."""

    rpc: SvmRpc

    async def page(self, addresses: Sequence[str]) -> AccountsAt:
        """Return up to 100 accounts of one slot."""
        return await self.rpc.accounts(addresses)

    async def seen(self, addresses: Sequence[str]) -> Seen:
        distinct = list(dict.fromkeys(addresses))
        parts = [distinct[i : i + MOST_ACCOUNTS] for i in range(0, len(distinct), MOST_ACCOUNTS)]
        return Seen(tuple([await self.page(part) for part in parts]))

    async def mints(self, addresses: Sequence[str]) -> Mapping[str, Mint | None]:
        return (await self.seen(addresses)).mints(addresses)

    async def token_accounts(self, addresses: Sequence[str]) -> Mapping[str, TokenAccount | None]:
        return (await self.seen(addresses)).token_accounts(addresses)

    async def tables(self, addresses: Sequence[str]) -> tuple[LookupTable, ...]:
        return (await self.seen(addresses)).tables(addresses)
