"""What a simulation takes from the sender, compared with the answer, and who controls the rest. Pure.

The answer states the input, the quote's native fee, the network fee and the rent of new accounts: no other lamport may
leave the wallet, and no other token than the input. All accounts that a transaction may change are compared, so the
only thing not covered is what programs hold for the sender in accounts of their own, of which only the runtime's are
known (`charges.py`). A token account of the sender's or the receiver's that somebody else may close or take from is
refused, whether that was so before or not, because that party would decide afterwards what arrives. Only the task's
delegate may be approved for the input.
"""

from collections.abc import Iterator

from rhumbline.gateways.svm.programs import SYSTEM, WRAPPED_SOL
from rhumbline.gateways.svm.tokens import TokenAccount
from rhumbline.simulation.svm.charges import charge_faults
from rhumbline.simulation.svm.fee_payer import fee_payer_faults
from rhumbline.simulation.svm.run import NATIVE, Run

_USES = (
    "uses a token account of the {whose}'s from which {who} may take tokens: that must be revoked first",
    "uses a token account of the {whose}'s that {who} may close: that must be revoked first",
)
_LETS = ("lets a stranger take tokens of the {whose}'s", "lets a stranger close a token account of the {whose}'s")


def objection(run: Run) -> str | None:
    """Return what the simulation takes beyond the answer, or who gains control; None if nothing."""
    return next(_objections(run), None)


def _objections(run: Run) -> Iterator[str]:
    yield from fee_payer_faults(run)
    yield from _of_the_wallet(run)
    for address in dict.fromkeys((*run.before.tokens, *run.after.tokens)):
        before, after = run.before.tokens.get(address), run.after.tokens.get(address)
        if (before is not None and before.owner in run.people) or (after is not None and after.owner in run.people):
            fault = _of_an_account(run, address, before, after)
            if fault is not None:
                yield f"the call {fault} ({address})"
    lost = run.before.amount(run.task.sender, run.task.input_token)
    lost -= run.after.amount(run.task.sender, run.task.input_token)
    if run.task.input_token not in NATIVE and lost > run.task.input_amount:
        yield f"the call takes {lost} of the input token from the sender, instead of {run.task.input_amount}"
    yield from charge_faults(run)


def _of_the_wallet(run: Run) -> Iterator[str]:
    task = run.task
    account = run.after.accounts.get(task.sender)
    if account is not None and (account.owner != SYSTEM or account.data):
        yield "the call changes the owner of the sender's own account"
    agreed = task.native_fee + (task.input_amount if task.input_token in NATIVE else 0)
    allowed = agreed + run.fee_most + run.made_rent + task.tip
    lost = run.before.wealth(task.sender) - run.after.wealth(task.sender) + run.lent
    if lost > allowed:
        yield f"the call takes {lost} lamports from the sender, at most {allowed} are agreed, fees or rent"


def _of_an_account(run: Run, address: str, before: TokenAccount | None, after: TokenAccount | None) -> str | None:
    """Return the fault of a token account that is, or was, the sender's or the receiver's."""
    whose, rights = _whose(run, before), _rights_fault(run, before, after)
    if rights is not None:
        return rights
    if before is None or before.owner not in run.people:
        return None
    if after is None:
        # Its previous balance must have been unwrapped: the sender's lamports are counted with the wrapped ones.
        gone = run.after.accounts.get(address) is None and before.owner == run.task.sender
        return None if gone and before.mint == WRAPPED_SOL else f"closes a token account of the {whose}'s"
    if after.mint != before.mint or after.owner != before.owner:
        return f"changes the owner of a token account of the {whose}"
    if after.frozen and not before.frozen:
        return f"freezes a token account of the {whose}'s"
    if _manners(after) != _manners(before):
        return f"changes what a token account of the {whose}'s accepts"
    if before.mint != WRAPPED_SOL and run.after.lamports(address) < run.before.lamports(address):
        return f"takes lamports from a token account of the {whose}'s"
    if after.amount < before.amount and not _may_fall(run, before):
        return f"takes other tokens of the {whose}'s than the input"
    return None


def _rights_fault(run: Run, before: TokenAccount | None, after: TokenAccount | None) -> str | None:
    """Return who else may take from the account or close it, whether by this call or from before."""
    for account, says in ((before, _USES), (after, _LETS)):
        if account is None or account.owner not in run.people:
            continue
        if account.taker is not None and not _is_agreed(run, account):
            return says[0].format(whose=_whose(run, account), who=account.taker)
        if account.closer is not None:
            return says[1].format(whose=_whose(run, account), who=account.closer)
    return None


def _is_agreed(run: Run, account: TokenAccount) -> bool:
    """Return whether only the task's delegate may take, from the sender's input account, at most the input."""
    task = run.task
    is_input = account.mint == task.input_token or (task.input_token in NATIVE and account.mint == WRAPPED_SOL)
    is_delegate = account.owner == task.sender and account.delegate == task.delegate
    return is_input and is_delegate and account.delegated_amount <= task.input_amount


def _manners(account: TokenAccount) -> tuple[object, ...]:
    """Return what decides how an account can be used later: its switches, and which extensions it has."""
    kinds = frozenset(account.extensions)
    return account.memo_required, account.cpi_guarded, account.confidential_only, kinds


def _may_fall(run: Run, account: TokenAccount) -> bool:
    """Return whether an account's balance may fall; wrapped SOL is counted with the wallet's lamports."""
    return account.owner == run.task.sender and account.mint in (run.task.input_token, WRAPPED_SOL)


def _whose(run: Run, account: TokenAccount | None) -> str:
    return "sender" if account is not None and account.owner == run.task.sender else "receiver"
