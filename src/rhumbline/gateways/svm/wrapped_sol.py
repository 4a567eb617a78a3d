"""The instructions around a swap of wrapped SOL if the wallet sells or buys native SOL.

The wallet's own account of wrapped SOL is used. An existing account stays, with its balance: closing it would unwrap
tokens that nobody asked to unwrap.
"""

from dataclasses import dataclass

from rhumbline.domain.svm import SvmInstruction
from rhumbline.gateways.svm.address import associated_token_address
from rhumbline.gateways.svm.instructions import CloseAccount, CreateTokenAccount, wrap_sol
from rhumbline.gateways.svm.programs import SPL, WRAPPED_SOL
from rhumbline.gateways.svm.tokens import TokenAccount

Instructions = tuple[SvmInstruction, ...]


@dataclass(frozen=True, slots=True)
class Wrapping:
    """Instructions before and after a swap."""

    before: Instructions = ()
    after: Instructions = ()


def wrapped_account(owner: str) -> str:
    return associated_token_address(owner, WRAPPED_SOL, SPL)


def wrapping_in(owner: str, lamports: int, held: TokenAccount | None) -> Wrapping:
    """Return what wraps a native input; ``held`` is the wallet's account of wrapped SOL, None where there is none.

    An account made for the swap is closed after it, with what the swap did not take.
    """
    account, made = wrapped_account(owner), _made(owner)
    before = (made, *wrap_sol(owner, account, lamports))
    return Wrapping(before, () if held is not None else (_closed(owner, account),))


def wrapping_out(owner: str, held: TokenAccount | None) -> Wrapping:
    """Return the instructions that unwrap a native output for its owner; ``held`` as for ``wrapping_in``.

    Tokens of this mint are unwrapped by closing their account, so an existing one is created again, with its balance.
    """
    account, made = wrapped_account(owner), _made(owner)
    closed = _closed(owner, account)
    if held is None:
        return Wrapping((made,), (closed,))
    again = wrap_sol(owner, account, held.amount) if held.amount else ()
    return Wrapping((made,), (closed, made, *again))


def _made(owner: str) -> SvmInstruction:
    return CreateTokenAccount.of(owner, owner, WRAPPED_SOL, SPL).encode()


def _closed(owner: str, account: str) -> SvmInstruction:
    return CloseAccount(SPL, account, owner, owner).encode()
