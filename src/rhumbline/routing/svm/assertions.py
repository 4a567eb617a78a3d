"""The assertions at the end of a transaction, which fail it on chain if the result is not as answered. Pure.

The most important comes first: what does not fit into a packet is left out from the end.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rhumbline.domain.chain import NATIVE_SVM
from rhumbline.domain.fee import Charge
from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.domain.solana_terms import SolanaTerms
from rhumbline.domain.svm import SvmDraft, SvmInstruction
from rhumbline.gateways.svm.account import Account, Rent
from rhumbline.gateways.svm.address import associated_token_address
from rhumbline.gateways.svm.compute_budget import LAMPORTS_PER_SIGNATURE, MOST_UNITS, ComputeBudget
from rhumbline.gateways.svm.instructions import CloseAccount, CreateTokenAccount, SystemTransfer, decode
from rhumbline.gateways.svm.lighthouse import (
    LIGHTHOUSE,
    has_lamports_at_most,
    has_tokens_at_most,
    holds_lamports,
    holds_tokens,
    keeps_tokens,
    stays_wallet,
)
from rhumbline.gateways.svm.messages import MOST_ACCOUNTS, merged
from rhumbline.gateways.svm.programs import SPL, SPL_2022, WRAPPED_SOL
from rhumbline.gateways.svm.tokens import ACCOUNT_SIZE, NoToken, TokenAccount, read_token_account
from rhumbline.simulation.svm.charges import is_in_charge

WALLETS_OWN = 5_000_000
"""Lamports that a wallet may spend in the same transaction in addition: a higher fee, a tip."""
MOST_MADE, LARGEST_MADE = 4, 512
"""As in the simulation: how many accounts may be created at the wallet's cost, and of how many bytes."""
_MOST = 2**64 - 1


@dataclass(frozen=True, slots=True)
class Before:
    """The state before a transaction: accounts by address, and the token programs of the mints by their address."""

    accounts: Mapping[str, Account | None]
    rent: Rent
    programs: Mapping[str, str]

    @property
    def can_assert(self) -> bool:
        """Return whether the program of assertions is on this chain."""
        found = self.accounts.get(LIGHTHOUSE)
        return found is not None and found.executable

    def lamports(self, address: str) -> int:
        found = self.accounts.get(address)
        return 0 if found is None else found.lamports

    def tokens(self, owner: str, mint: str) -> tuple[str, TokenAccount | None] | None:
        """Return an owner's associated account and its content, None if the mint is invalid."""
        if mint not in self.programs:
            return None
        address = associated_token_address(owner, mint, self.programs[mint])
        return address, self.tokens_at(address)

    def tokens_at(self, address: str) -> TokenAccount | None:
        """Return the token account at an address, None where there is none."""
        try:
            return read_token_account(address, self.accounts.get(address))
        except NoToken:
            return None


def touched(quote_request: QuoteRequest, written: Sequence[str], charges: Sequence[Charge] = ()) -> tuple[str, ...]:
    """Return the addresses for ``Before``: asserted accounts, accounts that may be created, and fee accounts.

    All that the transaction may write is among them, so that its run can begin with the same look.
    """
    here = quote_request.destination == quote_request.origin
    owned = [
        (quote_request.sender, quote_request.origin_token),
        *([(quote_request.receiver, quote_request.destination_token)] if here else []),
    ]
    owned += [(charge.recipient, quote_request.origin_token) for charge in charges]
    usual = [
        associated_token_address(owner, token.address, program)
        for owner, token in owned
        if token.address != NATIVE_SVM
        for program in (SPL, SPL_2022)
    ]
    wrapped = associated_token_address(quote_request.sender, WRAPPED_SOL, SPL)
    fee_wallets = [charge.recipient for charge in charges]
    named = [
        quote_request.sender,
        LIGHTHOUSE,
        wrapped,
        *([quote_request.receiver] if here else []),
        *fee_wallets,
        *usual,
    ]
    return tuple(dict.fromkeys([*named, *written[:MOST_ACCOUNTS]]))


def assertions(
    quote: Quote[Any], draft: SvmDraft, amount: int, left: int, before: Before
) -> tuple[SvmInstruction, ...]:
    """Return the assertions of a draft's transaction, the most important first; none without the program.

    On one chain they bound the receiver's balance afterwards, across chains the remaining input. ``amount`` is all that
    leaves the wallet of the input, including our fees; ``left`` is as from ``lamports_left``.
    """
    if not before.can_assert:
        return ()
    quote_request, here = quote.request, quote.request.destination == quote.request.origin
    if here and _arrives_in_the_wallet(quote_request):
        left += quote.min_output_amount or 0
    wallet = stays_wallet(quote_request.sender, min(max(0, left), _MOST))
    sold = _input(quote_request, draft, amount, before)
    order = (_output(quote, before), wallet, sold) if here else (sold, wallet)
    return tuple(each for each in order if each is not None)


def holds_output(quote: Quote[Any], asserted: Sequence[SvmInstruction]) -> bool:
    """Return whether the assertions enforce the minimum: on one chain the first does, if there is one."""
    return quote.request.destination == quote.request.origin and bool(asserted)


def limits(quote: Quote[Any], draft: SvmDraft, amount: int, left: int, before: Before) -> tuple[SvmInstruction, ...]:
    """Return the assertions that come first for a wallet that has less than a draft needs.

    The final balance is asserted, so tokens that the wallet receives before it signs would be unprotected: the wallet
    may have no more then than was stated. None if a pinned program bounds what is taken.
    """
    if draft.bounds_input or not before.can_assert:
        return ()
    sender, found = quote.request.sender, []
    usual = before.tokens(sender, quote.request.origin_token.address)
    if usual is not None and (usual[1] is None or usual[1].amount < amount):
        found.append(has_tokens_at_most(usual[0], min(amount, _MOST)))
    if left < 0:
        found.append(has_lamports_at_most(sender, min(before.lamports(sender) - left, _MOST)))
        if quote.request.origin_token.address == NATIVE_SVM:
            wrapped = associated_token_address(sender, WRAPPED_SOL, SPL)
            found.append(has_lamports_at_most(wrapped, before.lamports(wrapped)))
    return tuple(found)


def exposes(quote_request: QuoteRequest, draft: SvmDraft, written: Sequence[str], before: Before) -> bool:
    """Return whether a draft may write accounts that the wallet controls, except input, output and wrapped SOL.

    No assertion covers them, so only a simulation shows the effect: they are those that its comparison contains.
    """
    pairs = (
        (quote_request.sender, quote_request.origin_token.address),
        (quote_request.receiver, quote_request.destination_token.address),
    )
    usual = {found[0] for pair in pairs if (found := before.tokens(*pair)) is not None}
    wrapped = before.tokens_at(associated_token_address(quote_request.sender, WRAPPED_SOL, SPL))
    # A deposit's instruction takes exactly what it names.
    if draft.bounds_input or draft.deposit is not None or wrapped is None or not wrapped.amount:
        # Its balance beside a native input has no assertion.
        usual.add(associated_token_address(quote_request.sender, WRAPPED_SOL, SPL))
    others = (before.accounts.get(address) for address in written if address not in usual)
    return any(account is not None and is_in_charge(quote_request.sender, account) for account in others)


def _output(quote: Quote[Any], before: Before) -> SvmInstruction | None:
    quote_request, least = quote.request, quote.min_output_amount or 0
    if quote_request.destination_token.address == NATIVE_SVM:
        if _arrives_in_the_wallet(quote_request):
            return None
        return holds_lamports(quote_request.receiver, min(before.lamports(quote_request.receiver) + least, _MOST))
    usual = before.tokens(quote_request.receiver, quote_request.destination_token.address)
    if usual is None:
        return None
    address, holding = usual
    if holding is None:
        return holds_tokens(address, min(least, _MOST), delegate=None, closer=None)
    least = min(holding.amount + least, _MOST)
    return holds_tokens(address, least, delegate=holding.delegate, closer=holding.close_authority)


def _input(quote_request: QuoteRequest, draft: SvmDraft, amount: int, before: Before) -> SvmInstruction | None:
    usual = before.tokens(quote_request.sender, quote_request.origin_token.address)
    if usual is None or any(_closes(each, usual[0]) for each in draft.instructions):
        return None
    address, holding = usual
    remaining = 0 if holding is None else max(0, holding.amount - amount)
    closer = None if holding is None else holding.close_authority
    if draft.delegate is not None:
        # It takes the place of who could take before, and goes when it has taken all.
        return keeps_tokens(address, remaining, closer=closer)
    return holds_tokens(address, remaining, delegate=None if holding is None else holding.delegate, closer=closer)


def network_costs(draft: SvmDraft, unit_price: int, terms: SolanaTerms) -> int:
    """Return the most that the sender pays for its transaction, at a price in µlamports: nothing if another pays."""
    if terms.fee_payer is not None:
        return 0
    signatures = LAMPORTS_PER_SIGNATURE * (1 + len(draft.co_signers))
    return signatures + ComputeBudget(MOST_UNITS, unit_price).priority_fee() + terms.tip


def lamports_left(quote: Quote[Any], draft: SvmDraft, amount: int, costs: int, rent: int, before: Before) -> int:
    """Return the wallet's lamports less all that may leave it; below zero where it has less than that.

    That is the input, the quoted fee, the network's ``costs``, ``rent``, and what wallets add.
    """
    sender = quote.request.sender
    had = before.lamports(sender) + _unwrapped(sender, draft, before)
    native = amount if quote.request.origin_token.address == NATIVE_SVM else 0
    return had - (native + quote.native_fee + costs + rent + WALLETS_OWN)


def _unwrapped(sender: str, draft: SvmDraft, before: Before) -> int:
    """Return the lamports of the wallet's wrapped SOL that come back to it, where a draft closes that account."""
    wrapped, closed = associated_token_address(sender, WRAPPED_SOL, SPL), False
    for each in map(decode, draft.instructions):
        if isinstance(each, CloseAccount) and each.account == wrapped:
            closed = each.destination == sender
        elif isinstance(each, SystemTransfer) and each.destination == wrapped:
            closed = False
    return before.lamports(wrapped) if closed else 0


def _closes(instruction: SvmInstruction, account: str) -> bool:
    closed = decode(instruction)
    return isinstance(closed, CloseAccount) and closed.account == account


def _arrives_in_the_wallet(quote_request: QuoteRequest) -> bool:
    return quote_request.destination_token.address == NATIVE_SVM and quote_request.receiver == quote_request.sender


def most_rent(
    quote_request: QuoteRequest,
    draft: SvmDraft,
    written: Sequence[str],
    before: Before,
    sponsored: Collection[str] = (),
) -> int:
    """Return the largest rent of the missing accounts for the wallet, without those that somebody else pays for.

    A missing account of the input does not count: the input must be there before.
    """
    source = before.tokens(quote_request.sender, quote_request.origin_token.address)
    plain = {
        made.account
        for made in map(decode, draft.instructions)
        if isinstance(made, CreateTokenAccount) and made.program == SPL
    }
    sizes = [
        ACCOUNT_SIZE if address in plain else LARGEST_MADE
        for address in written
        if before.accounts.get(address) is None
        and (source is None or address != source[0])
        and address not in sponsored
    ]
    return sum(map(before.rent.minimum, sorted(sizes, reverse=True)[:MOST_MADE]))


def written_by(sender: str, draft: SvmDraft) -> list[str]:
    """Return the accounts that a draft may write, beside the sender's own."""
    roles = merged(sender, draft.instructions).values()
    return [role.address for role in roles if role.writable and role.address != sender]
