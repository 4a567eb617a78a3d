"""What a transaction brought to somebody, by the balances that the runtime noted before and after it."""

from collections.abc import Collection

from rhumbline.domain.chain import NATIVE_SVM
from rhumbline.gateways.svm.programs import WRAPPED_SOL
from rhumbline.gateways.svm.transaction_answers import ExecutedTransaction, TokenBalance


def gained(executed: ExecutedTransaction, owner: str, token: str, other: str | None = None) -> int:
    """Return what an owner gained of a mint, or of the native asset, in raw units; what was lost is below zero.

    Native are the lamports of the owner's wallet and of its token accounts together: so neither an account's rent that
    goes from one to the other counts, nor SOL that was only wrapped; the transaction's own fee does not either. Where
    ``other``, what is traded for the token, is wrapped SOL, that counts apart.
    """
    if token != NATIVE_SVM:
        after, before = _of(executed.tokens_after, owner, token), _of(executed.tokens_before, owner, token)
        return after - before
    own = {each.account for each in (*executed.tokens_before, *executed.tokens_after) if each.owner == owner} | {owner}
    change = sum(executed.balances_after.get(each, 0) - executed.balances_before.get(each, 0) for each in own)
    wrapped = gained(executed, owner, WRAPPED_SOL) if other == WRAPPED_SOL else 0
    return change - wrapped + (executed.fee if executed.message.payer == owner else 0)


def held_more(executed: ExecutedTransaction, accounts: Collection[str], token: str) -> int:
    """Return what these very accounts gained together: token accounts of a mint, or whatever holds lamports."""
    if token == NATIVE_SVM:
        return sum(executed.balances_after.get(each, 0) - executed.balances_before.get(each, 0) for each in accounts)
    before, after = (
        sum(each.amount for each in balances if each.account in accounts and each.mint == token)
        for balances in (executed.tokens_before, executed.tokens_after)
    )
    return after - before


def burnt(executed: ExecutedTransaction, mint: str) -> int:
    """Return what a mint's supply lost: every account that a transaction changes is in it."""
    before, after = (
        sum(each.amount for each in balances if each.mint == mint)
        for balances in (executed.tokens_before, executed.tokens_after)
    )
    return before - after


def _of(balances: Collection[TokenBalance], owner: str, mint: str) -> int:
    return sum(each.amount for each in balances if each.owner == owner and each.mint == mint)
