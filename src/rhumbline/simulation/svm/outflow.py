"""What a run takes from its sender, compared with what the answer states; and who is in charge of what is left. Pure.

This is the one place for both. The answer states the input, the quote's native fee, the network's fee and the rent of
accounts that are made: no other lamport may leave the wallet, and of tokens none but the input. Every account that a
transaction may change is among those that are compared, so nothing is overlooked but what programs keep for the sender
in accounts of their own, of which only those of the runtime are known (`charges.py`).

A token account of the sender's or the receiver's that somebody else may close or take from is refused, whether that was
so before or not: whoever may do it decides afterwards what has arrived. Only the task's delegate may be allowed the
input.
"""

from collections.abc import Iterator

from rhumbline.gateways.svm.programs import SYSTEM, WRAPPED_SOL
from rhumbline.gateways.svm.tokens import TokenAccount
from rhumbline.simulation.svm.charges import charge_faults
from rhumbline.simulation.svm.run import NATIVE, Run

_USES = (
    "uses a token account of the {whose}'s from which {who} may take tokens: that must be revoked first",
    "uses a token account of the {whose}'s that {who} may close: that must be revoked first",
)
_LETS = ("lets a stranger take tokens of the {whose}'s", "lets a stranger close a token account of the {whose}'s")


def objection(run: Run) -> str | None:
    """Say what the run takes beside what the answer states, or whom it leaves in charge; None for nothing, nobody."""
    return next(_objections(run), None)


def _objections(run: Run) -> Iterator[str]:
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
        yield f"the call takes {lost} of the input token from the sender, where {run.task.input_amount} were agreed"
    yield from charge_faults(run)


def _of_the_wallet(run: Run) -> Iterator[str]:
    task = run.task
    account = run.after.accounts.get(task.sender)
    if account is not None and (account.owner != SYSTEM or account.data):
        yield "the call gives the sender's own account away"
    agreed = task.native_fee + (task.input_amount if task.input_token in NATIVE else 0)
    allowed = agreed + run.fee_most + run.made_rent
    lost = run.before.wealth(task.sender) - run.after.wealth(task.sender)
    if lost > allowed:
        yield f"the call takes {lost} lamports from the sender, where {allowed} were agreed or are fees and rent"


def _of_an_account(run: Run, address: str, before: TokenAccount | None, after: TokenAccount | None) -> str | None:
    """Say what is wrong with a token account that is, or was, the sender's or the receiver's."""
    whose, rights = _whose(run, before), _rights_fault(run, before, after)
    if rights is not None:
        return rights
    if before is None or before.owner not in run.people:
        return None
    if after is None:
        # What was in it must have come back: the sender's lamports are counted with the wrapped ones.
        gone = run.after.accounts.get(address) is None and before.owner == run.task.sender
        return None if gone and before.mint == WRAPPED_SOL else f"closes a token account of the {whose}'s"
    if after.mint != before.mint or after.owner != before.owner:
        return f"gives a token account of the {whose}'s away"
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
    """Say who else may take from the account or close it, whether the call lets them or somebody let them before."""
    for account, says in ((before, _USES), (after, _LETS)):
        if account is None or account.owner not in run.people:
            continue
        if account.taker is not None and not _is_agreed(run, account):
            return says[0].format(whose=_whose(run, account), who=account.taker)
        if account.closer is not None:
            return says[1].format(whose=_whose(run, account), who=account.closer)
    return None


def _is_agreed(run: Run, account: TokenAccount) -> bool:
    """Tell whether it is the task's delegate that may take, from the sender's account of the input, no more than it."""
    task = run.task
    is_input = account.mint == task.input_token or (task.input_token in NATIVE and account.mint == WRAPPED_SOL)
    is_delegate = account.owner == task.sender and account.delegate == task.delegate
    return is_input and is_delegate and account.delegated_amount <= task.input_amount


def _manners(account: TokenAccount) -> tuple[object, ...]:
    """Return what decides how an account can be used later: its switches, and which extensions it has."""
    kinds = frozenset(account.extensions)
    return account.memo_required, account.cpi_guarded, account.confidential_only, kinds


def _may_fall(run: Run, account: TokenAccount) -> bool:
    """Tell whether less may be in an account than before; wrapped SOL is counted with the wallet's lamports."""
    return account.owner == run.task.sender and account.mint in (run.task.input_token, WRAPPED_SOL)


def _whose(run: Run, account: TokenAccount | None) -> str:
    return "sender" if account is not None and account.owner == run.task.sender else "receiver"
