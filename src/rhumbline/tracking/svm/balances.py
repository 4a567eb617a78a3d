"""What a transaction brought to an account, by the runtime's balances before and after it."""

from collections.abc import Callable, Collection

from rhumbline.domain.chain import NATIVE_SVM
from rhumbline.gateways.nodes.svm.transactions import ExecutedTransaction, TokenBalance
from rhumbline.gateways.svm.address import associated_token_address
from rhumbline.gateways.svm.programs import SPL_PROGRAMS, WRAPPED_SOL


def gained(executed: ExecutedTransaction, owner: str, token: str, other: str | None = None) -> int:
    """Return what an owner gained of a mint, or of the native asset, in raw units; what was lost is below zero.

    Native are the lamports of the owner's wallet and of its token accounts together: so neither an account's rent that
    goes from one to the other counts, nor SOL that was only wrapped; the transaction's own fee does not either. Where
    ``other``, what is traded for the token, is wrapped SOL, that counts apart.
    """
    if token != NATIVE_SVM:
        return _growth(executed, lambda each: each.owner == owner and each.mint == token)
    change = joint_gain(executed, accounts_of(executed, owner, token), token)
    wrapped = gained(executed, owner, WRAPPED_SOL) if other == WRAPPED_SOL else 0
    return change - wrapped + (executed.fee if executed.message.payer == owner else 0)


def accounts_of(executed: ExecutedTransaction, owner: str, token: str) -> frozenset[str]:
    """Return an owner's accounts of a mint among those of a transaction; of the native asset wallet and all of them."""
    told = (*executed.tokens_before, *executed.tokens_after)
    own = {each.account for each in told if each.owner == owner and token in (NATIVE_SVM, each.mint)}
    return frozenset(own | {owner} if token == NATIVE_SVM else own)


def receiving_accounts(executed: ExecutedTransaction, owner: str, token: str) -> frozenset[str]:
    """Return the accounts of an owner's in which something may arrive: its own wallet, and associated accounts alone.

    Another account may say that it is this owner's, and be closed or taken back by whoever has made it.
    """
    return frozenset(
        each for each in accounts_of(executed, owner, token) if each == owner or _is_associated(executed, each, owner)
    )


def arrived(executed: ExecutedTransaction, owner: str, token: str, other: str | None = None) -> int:
    """Return what arrived at an owner's of a mint, or of the native asset, in raw units; see ``gained``."""
    own = receiving_accounts(executed, owner, token)
    if token != NATIVE_SVM:
        return _growth(executed, lambda each: each.account in own and each.owner == owner)
    wrapped = arrived(executed, owner, WRAPPED_SOL) if other == WRAPPED_SOL else 0
    return joint_gain(executed, own, token) - wrapped + (executed.fee if executed.message.payer == owner else 0)


def joint_gain(executed: ExecutedTransaction, accounts: Collection[str], token: str) -> int:
    """Return what these very accounts gained together: token accounts of a mint, or whatever holds lamports."""
    if token == NATIVE_SVM:
        return sum(executed.balances_after.get(each, 0) - executed.balances_before.get(each, 0) for each in accounts)
    return _growth(executed, lambda each: each.account in accounts and each.mint == token)


def burnt(executed: ExecutedTransaction, mint: str) -> int:
    """Return what a mint's supply lost: every account that a transaction changes is in it."""
    return -_growth(executed, lambda each: each.mint == mint)


def _is_associated(executed: ExecutedTransaction, account: str, owner: str) -> bool:
    told = (*executed.tokens_before, *executed.tokens_after)
    mint = next(each.mint for each in told if each.account == account)
    return any(account == associated_token_address(owner, mint, program) for program in SPL_PROGRAMS)


def _growth(executed: ExecutedTransaction, counts: Callable[[TokenBalance], bool]) -> int:
    """Return by how much those token balances that count grew together."""
    before, after = (
        sum(each.amount for each in balances if counts(each))
        for balances in (executed.tokens_before, executed.tokens_after)
    )
    return after - before
