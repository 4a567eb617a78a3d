"""What a run takes from its sender: only the input may leave, only the task's delegate may be allowed anything. Pure.

Every account that a transaction may change is among those that are compared, so nothing is overlooked but what programs
keep for the sender in accounts of their own, of which only those of the runtime are known: stakes and nonces.
"""

from collections.abc import Iterator

from rhumbline.gateways.svm.address import decode_address
from rhumbline.gateways.svm.programs import SYSTEM, WRAPPED_SOL
from rhumbline.gateways.svm.tokens import TokenAccount
from rhumbline.simulation.svm.gains import gives_more
from rhumbline.simulation.svm.run import NATIVE, Run

_STAKES = "Stake11111111111111111111111111111111111111"


def objection(run: Run) -> str | None:
    """Say what the run takes from its sender beside the input; None when it is the input alone."""
    return next(_objections(run), None)


def _objections(run: Run) -> Iterator[str]:
    yield from _of_the_wallet(run)
    for address, before in run.own_before():
        fault = _of_an_account(run, address, before)
        if fault is not None:
            yield f"the call {fault} ({address})"
    for address, after in run.after.tokens.items():
        if after.owner == run.task.sender and not _was_own(run, address) and _has_other_master(run, after):
            yield f"the call leaves somebody else in charge of a token account of the sender's ({address})"
    lost = run.before.amount(run.task.sender, run.task.input_token)
    lost -= run.after.amount(run.task.sender, run.task.input_token)
    if run.task.input_token not in NATIVE and lost > run.task.input_amount:
        yield f"the call takes {lost} of the input token from the sender, where {run.task.input_amount} were agreed"
    yield from _of_stakes(run)


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


def _of_an_account(run: Run, address: str, before: TokenAccount) -> str | None:
    task, after = run.task, run.after.tokens.get(address)
    if after is None:
        # What was in it must have come back: the sender's lamports are counted with the wrapped ones.
        gone = run.after.accounts.get(address) is None
        return None if gone and before.mint == WRAPPED_SOL else "closes a token account of the sender's"
    if after.mint != before.mint or after.owner != task.sender:
        return "gives a token account of the sender's away"
    if after.frozen and not before.frozen:
        return "freezes a token account of the sender's"
    if _is_foreign(run, after, before):
        return "lets a stranger take tokens of the sender's"
    if after.close_authority not in (before.close_authority, None, task.sender):
        return "lets a stranger close a token account of the sender's"
    if after.amount < before.amount and before.mint not in (task.input_token, WRAPPED_SOL):
        return "takes other tokens of the sender's than the input"
    return None


def _was_own(run: Run, address: str) -> bool:
    before = run.before.tokens.get(address)
    return before is not None and before.owner == run.task.sender


def _has_other_master(run: Run, account: TokenAccount) -> bool:
    return _is_foreign(run, account, None) or account.close_authority not in (None, run.task.sender)


def _is_foreign(run: Run, after: TokenAccount, before: TokenAccount | None) -> bool:
    """Tell whether somebody is allowed what they were not before: none but the task's delegate, and the input alone."""
    if not gives_more(after, before):
        return False
    task = run.task
    is_input = after.mint == task.input_token or (task.input_token in NATIVE and after.mint == WRAPPED_SOL)
    return after.delegate != task.delegate or not is_input or after.delegated_amount > task.input_amount


def _of_stakes(run: Run) -> Iterator[str]:
    """Find changed accounts of the runtime's own that hold the sender's key: stakes, and nonces."""
    key = decode_address(run.task.sender)
    for address, account in run.before.accounts.items():
        if account is None or account.owner not in (_STAKES, SYSTEM) or key not in account.data:
            continue
        if run.after.accounts.get(address) != account:
            yield f"the call changes an account that the sender is in charge of ({address})"
