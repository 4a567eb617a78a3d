"""What an adapter's instructions may do with a wallet; the simulation shows the amounts. Pure.

Whatever is not known to be harmless is refused. Programs beside the adapter's own are the runtime's, and of those only
the instructions that a route needs: paying what the quote pays, wrapping SOL, making token accounts, closing the
wallet's own account of wrapped SOL, and one approval where the adapter names its delegate.
"""

from collections.abc import Collection
from dataclasses import dataclass

from rhumbline.domain.chain import NATIVE_SVM
from rhumbline.domain.errors import UpstreamFailed
from rhumbline.domain.quote import QuoteRequest
from rhumbline.domain.svm import SvmInstruction
from rhumbline.gateways.svm.address import associated_token_address
from rhumbline.gateways.svm.instructions import (
    CloseAccount,
    CreateTokenAccount,
    Known,
    SyncNative,
    SystemTransfer,
    TokenApproval,
    TokenTransfer,
    decode,
)
from rhumbline.gateways.svm.programs import ASSOCIATED, SPL, SPL_2022, SPL_PROGRAMS, SYSTEM, WRAPPED_SOL

_RUNTIME = frozenset({SYSTEM, ASSOCIATED}) | SPL_PROGRAMS


@dataclass(frozen=True, slots=True)
class Permission:
    """What instructions may do for one request: they may pay ``payees`` and the wallet's own accounts.

    ``taken`` is the most that may be paid or approved of the input, ``native_fee`` of lamports beside it.
    """

    quote_request: QuoteRequest
    programs: frozenset[str]
    payees: frozenset[str]
    delegate: str | None
    taken: int
    native_fee: int
    co_signers: frozenset[str] = frozenset()

    @property
    def sender(self) -> str:
        return self.quote_request.sender

    @property
    def wrapped_account(self) -> str:
        """The wallet's own account of wrapped SOL."""
        return associated_token_address(self.sender, WRAPPED_SOL, SPL)

    def own_accounts(self, mint: str) -> tuple[str, ...]:
        return tuple(associated_token_address(self.sender, mint, program) for program in (SPL, SPL_2022))


def check(instructions: Collection[SvmInstruction], permission: Permission) -> None:
    """Raise UpstreamFailed for an instruction that such a route does not need."""
    known = [decode(each) for each in instructions]
    own = any(each.program in permission.programs for each in instructions)
    if not own and not any(isinstance(each, SystemTransfer | TokenTransfer) for each in known):
        raise UpstreamFailed("answered with a transaction that does nothing")
    for each, decoded in zip(instructions, known, strict=True):
        strangers = {role.address for role in each.accounts if role.signer} - {permission.sender}
        if strangers - permission.co_signers:
            raise UpstreamFailed("answered with a transaction that needs another signature")
        if each.program in permission.programs:
            continue
        if each.program not in _RUNTIME:
            raise UpstreamFailed(f"answered with a call of a program that is not its own: {each.program}")
        fault = _fault(decoded, permission)
        if fault is not None:
            raise UpstreamFailed(f"answered with an instruction that {fault}")


def _fault(instruction: Known | None, permission: Permission) -> str | None:
    match instruction:
        case SystemTransfer() as transfer:
            return _transfer_fault(transfer, permission)
        case TokenTransfer() as transfer:
            return _token_fault(transfer, permission)
        case TokenApproval() as approval:
            return _approval_fault(approval, permission)
        case CloseAccount() as closed:
            own = closed.account == permission.wrapped_account
            if own and (closed.owner, closed.destination) == (permission.sender, permission.sender):
                return None
            return "closes an account that it must not"
        case SyncNative() as synced:
            return None if synced.account == permission.wrapped_account else "counts wrapped SOL of somebody else"
        case CreateTokenAccount() as made:
            return _making_fault(made, permission)
    return "a route does not need"


def _transfer_fault(transfer: SystemTransfer, permission: Permission) -> str | None:
    if transfer.source != permission.sender:
        return "pays lamports of somebody else"
    if transfer.destination == permission.wrapped_account:
        # The wallet's own account: SOL wrapped and unwrapped before may be wrapped again; the simulation bounds it.
        return None
    if transfer.destination not in permission.payees:
        return "pays lamports to a stranger"
    native = permission.quote_request.origin_token.address in (NATIVE_SVM, WRAPPED_SOL)
    most = permission.native_fee + (permission.taken if native else 0)
    return None if transfer.lamports <= most else "pays more lamports than was agreed"


def _token_fault(transfer: TokenTransfer, permission: Permission) -> str | None:
    mint = permission.quote_request.origin_token.address
    if transfer.authority != permission.sender or transfer.source not in permission.own_accounts(mint):
        return "moves other tokens than the input"
    if transfer.destination not in permission.payees:
        return "pays tokens to a stranger"
    return None if transfer.amount <= permission.taken else "pays more tokens than was agreed"


def _approval_fault(approval: TokenApproval, permission: Permission) -> str | None:
    sold = permission.quote_request.origin_token.address
    if permission.delegate is None or approval.delegate != permission.delegate:
        return "lets a stranger take tokens"
    accounts = permission.own_accounts(WRAPPED_SOL if sold == NATIVE_SVM else sold)
    if approval.owner != permission.sender or approval.source not in accounts:
        return "lets other tokens be taken than the input"
    return None if approval.amount <= permission.taken else "lets more tokens be taken than was agreed"


def _making_fault(made: CreateTokenAccount, permission: Permission) -> str | None:
    if made.payer != permission.sender:
        return "lets somebody else pay for an account"
    if made.account != associated_token_address(made.owner, made.mint, made.program):
        return "makes an account where none belongs"
    owners = {permission.sender, permission.quote_request.receiver, permission.quote_request.payout_address}
    return None if made.owner in owners or made.account in permission.payees else "makes an account for a stranger"
