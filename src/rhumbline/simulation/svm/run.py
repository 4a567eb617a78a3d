"""The data of a simulation: accounts before and after it, the network fee, and rent."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from rhumbline.domain.chain import NATIVE_SVM
from rhumbline.domain.simulation import AccountRent
from rhumbline.gateways.svm.account import Account, Rent
from rhumbline.gateways.svm.address import associated_token_address
from rhumbline.gateways.svm.compute_budget import NetworkFee
from rhumbline.gateways.svm.programs import SPL, SPL_2022, WRAPPED_SOL
from rhumbline.gateways.svm.tokens import (
    ACCOUNT_SIZE,
    IMMUTABLE_ACCOUNT_SIZE,
    Mint,
    NoToken,
    TokenAccount,
    read_mint,
    read_token_account,
)
from rhumbline.simulation.svm.task import SvmSimulationTask

NATIVE = frozenset({NATIVE_SVM, WRAPPED_SOL})
_MOST_MADE = 4
"""Of so many accounts that a transaction makes may the wallet pay the rent."""
_LARGEST_NOTE = 512


@dataclass(frozen=True)
class State:
    """Accounts by address at one moment; None for one that does not exist."""

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
        """The smallest part of the network fee that the sender pays; 0 if somebody else pays it."""
        return self.fee.least if self.fee.payer == self.task.sender else 0

    @property
    def fee_most(self) -> int:
        """The largest part of it."""
        return self.fee.most if self.fee.payer == self.task.sender else 0

    @cached_property
    def people(self) -> frozenset[str]:
        """The owners whose token accounts are compared: the sender and the receiver."""
        return frozenset({self.task.sender, self.task.receiver})

    @cached_property
    def rent_paid(self) -> tuple[AccountRent, ...]:
        """The rent of new accounts that the sender may have to pay for, at most four.

        Those are associated accounts of the sender's and the receiver's, the account in which the deposit is held, and
        small ones: of keys made up for the transaction, and those in which a pinned program notes an order. Nobody
        else's count. Lamports that lay at an address before, which anybody may have sent there, are no part of it.
        """
        made = [
            AccountRent(address, account.owner if token is None else token.owner, self._rent_of(address, account))
            for address, account in self.after.accounts.items()
            if account is not None and self._is_made(address, account, token := self.after.tokens.get(address))
        ]
        return tuple(sorted((each for each in made if each.amount), key=lambda each: -each.amount)[:_MOST_MADE])

    @property
    def made_rent(self) -> int:
        """The sum of that, without the sender's accounts of wrapped SOL, whose content counts as the sender's.

        A fee payer's accounts are no part of it.
        """
        payer, wrapped = self.task.fee_payer, self.after.held(self.task.sender, WRAPPED_SOL)
        others = frozenset() if payer is None else payer.rents.keys()
        return sum(each.amount for each in self.rent_paid if each.account not in wrapped and each.account not in others)

    @property
    def payer_spent(self) -> int:
        """The lamports that the fee payer has less than before, with its income: fee, tip and rent; 0 without one."""
        payer = self.task.fee_payer
        if payer is None:
            return 0
        return self.before.lamports(payer.address) - self.after.lamports(payer.address) + payer.income

    @property
    def lent(self) -> int:
        """What of the fee payer's rent is now the sender's, in an account of wrapped SOL or by one that was closed.

        It is no output of the trade, and makes up for nothing that was taken.
        """
        payer = self.task.fee_payer
        if payer is None:
            return 0
        wrapped = self.after.held(self.task.sender, WRAPPED_SOL)
        kept = sum(
            each.amount for each in self.rent_paid if each.account in payer.rents and each.account not in wrapped
        )
        return max(0, self.payer_spent - self.fee.most - payer.tip - kept)

    def _rent_of(self, address: str, account: Account) -> int:
        return max(0, min(account.lamports, self.rent.minimum(len(account.data))) - self.before.lamports(address))

    def _is_made(self, address: str, after: Account, token: TokenAccount | None) -> bool:
        before, task = self.before.accounts.get(address), self.task
        if before is not None and before.data:
            return False
        if token is not None:
            holders = () if task.deposit is None else task.deposit.holders
            return address in holders or (token.owner in self.people and is_associated(address, token))
        notes_an_order = after.owner in task.programs or address in task.co_signers
        return notes_an_order and len(after.data) <= _LARGEST_NOTE


def expected_rent(task: SvmSimulationTask, rent: Rent, before: State) -> tuple[AccountRent, ...]:
    """Return the rent of the receiver's account of the output, if the transaction names one that does not exist yet.

    A failed simulation shows no more; accounts of Token-2022 are assumed to have the extension that each associated one
    has.
    """
    missing = [at for at in output_accounts(task) if at in before.accounts and before.accounts[at] is None]
    return tuple(AccountRent(at, task.receiver, rent.minimum(output_accounts(task)[at])) for at in missing)


def output_accounts(task: SvmSimulationTask) -> Mapping[str, int]:
    """Return where the output may arrive, the receiver's associated account under either token program, and its bytes.

    Nothing for native output, and for what arrives on another chain.
    """
    if task.output_token is None or task.output_token == NATIVE_SVM:
        return {}
    return {
        associated_token_address(task.receiver, task.output_token, program): size
        for program, size in ((SPL, ACCOUNT_SIZE), (SPL_2022, IMMUTABLE_ACCOUNT_SIZE))
    }


def is_associated(address: str, account: TokenAccount) -> bool:
    """Return whether it is its owner's associated account of its mint."""
    return address == associated_token_address(account.owner, account.mint, account.program)
