"""What a run is judged by: accounts before and after it, what the network takes, and what keeping an account costs."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from rhumbline.domain.chain import NATIVE_SVM
from rhumbline.gateways.svm.accounts import Account, Rent
from rhumbline.gateways.svm.network_fee import NetworkFee
from rhumbline.gateways.svm.programs import WRAPPED_SOL
from rhumbline.gateways.svm.tokens import Mint, NoToken, TokenAccount, read_mint, read_token_account
from rhumbline.simulation.svm.task import SvmSimulationTask

NATIVE = frozenset({NATIVE_SVM, WRAPPED_SOL})
_MOST_MADE = 4
"""Of so many accounts that a transaction makes may the wallet pay the rent."""
_LARGEST_NOTE = 512


@dataclass(frozen=True)
class State:
    """Accounts by address at one moment; None for one that is not there."""

    accounts: Mapping[str, Account | None] = field(repr=False)

    def lamports(self, address: str) -> int:
        account = self.accounts.get(address)
        return 0 if account is None else account.lamports

    def mint(self, address: str) -> Mint | None:
        try:
            return read_mint(address, self.accounts.get(address))
        except NoToken:
            return None

    @cached_property
    def tokens(self) -> Mapping[str, TokenAccount]:
        """All token accounts among them."""
        found: dict[str, TokenAccount] = {}
        for address, account in self.accounts.items():
            try:
                found[address] = read_token_account(address, account)
            except NoToken:
                continue
        return found

    def held(self, owner: str, mint: str) -> Mapping[str, TokenAccount]:
        """Return an owner's accounts of a mint."""
        return {at: each for at, each in self.tokens.items() if (each.owner, each.mint) == (owner, mint)}

    def amount(self, owner: str, mint: str) -> int:
        return sum(each.amount for each in self.held(owner, mint).values())

    def wealth(self, owner: str) -> int:
        """Return an owner's lamports, wrapped ones and the rent of those too: wrapping changes nothing in it."""
        return self.lamports(owner) + sum(map(self.lamports, self.held(owner, WRAPPED_SOL)))


@dataclass(frozen=True)
class Run:
    """A transaction that succeeds, and the state that it finds and leaves."""

    task: SvmSimulationTask
    fee: NetworkFee
    rent: Rent
    before: State
    after: State

    @property
    def fee_least(self) -> int:
        """What of the network's fee the sender pays at the least; nothing where somebody else pays it."""
        return self.fee.least if self.fee.payer == self.task.sender else 0

    @property
    def fee_most(self) -> int:
        """The same at the most."""
        return self.fee.most if self.fee.payer == self.task.sender else 0

    @cached_property
    def made_rent(self) -> int:
        """The rent of token accounts that the transaction makes, and of its own keys' accounts, four at the most.

        So is that of accounts in which a pinned program notes an order: they have a few hundred bytes.
        The sender's accounts of wrapped SOL are left out: what lies in them is still the sender's. Lamports that lay at
        an address before, which anybody may have sent there, are no part of the rent.
        """
        own = self.after.held(self.task.sender, WRAPPED_SOL)
        made = [
            max(0, min(account.lamports, self.rent.minimum(len(account.data))) - self.before.lamports(address))
            for address, account in self.after.accounts.items()
            if account is not None and address not in own and self._is_made(address, account)
        ]
        return sum(sorted(made, reverse=True)[:_MOST_MADE])

    def _is_made(self, address: str, after: Account) -> bool:
        before = self.before.accounts.get(address)
        is_new = before is None or not before.data
        notes_an_order = after.owner in self.task.programs and len(after.data) <= _LARGEST_NOTE
        return is_new and (address in self.after.tokens or address in self.task.co_signers or notes_an_order)

    def own_before(self) -> Iterable[tuple[str, TokenAccount]]:
        """Yield the sender's token accounts that there were."""
        return ((at, each) for at, each in self.before.tokens.items() if each.owner == self.task.sender)
