"""What a simulation brings to the receiver and to the bridge. Pure.

Of token accounts only the receiver's associated one counts, if nobody else may take from it or close it: any other
account with the receiver as owner may have been made by a stranger who keeps a right to it. The sender's cost of the
transaction, and of accounts that it creates, is no part of the swap's gain or loss.
"""

from rhumbline.domain.chain import NATIVE_SVM
from rhumbline.domain.deposit import BURNT, BridgeDeposit
from rhumbline.domain.simulation import Bridged
from rhumbline.gateways.svm.programs import WRAPPED_SOL
from rhumbline.gateways.svm.tokens import TokenAccount
from rhumbline.simulation.svm.run import NATIVE, Run, State, is_associated, output_accounts


def output_of(run: Run) -> int | None:
    """Return what the receiver gains of the output token; None where it arrives on another chain."""
    task = run.task
    if task.output_token is None:
        return None
    if task.output_token == NATIVE_SVM:
        return _native_output(run)
    return sum(_gain(run, at, each) for at in output_accounts(task)
               if (each := run.after.tokens.get(at)) is not None and _has_arrived(run, at, each))  # fmt: skip


def bridged(run: Run) -> Bridged | None:
    """Return what the bridge and the sender gain of the deposit's token; None without a deposit."""
    deposit, task = run.task.deposit, run.task
    if deposit is None:
        return None
    amount = sum(_holders_gain(run, deposit, holder) for holder in dict.fromkeys(deposit.holders))
    if deposit.token == NATIVE_SVM:
        spent = task.native_fee + (task.input_amount if task.input_token in NATIVE else 0)
        return Bridged(amount, _own_change(run) + spent)
    taken = task.input_amount if deposit.token == task.input_token else 0
    own = run.after.amount(task.sender, deposit.token) - run.before.amount(task.sender, deposit.token)
    return Bridged(amount, own + taken)


def _native_output(run: Run) -> int:
    task = run.task
    if task.receiver != task.sender:
        change = run.after.lamports(task.receiver) - run.before.lamports(task.receiver)
        return change + (run.fee.least if run.fee.payer == task.receiver else 0)
    wrapped = run.after.amount(task.sender, WRAPPED_SOL) - run.before.amount(task.sender, WRAPPED_SOL)
    # Wrapped SOL has not arrived, and what was wrapped before does not count, unless it is the token sold.
    sold = min(task.input_amount, max(0, -wrapped)) if task.input_token == WRAPPED_SOL else 0
    return _own_change(run) - max(0, wrapped) + sold


def _own_change(run: Run) -> int:
    """Return by how much more the sender has in lamports, without the network's fee, a tip and rent of new accounts."""
    sender = run.task.sender
    change = run.after.wealth(sender) - run.before.wealth(sender) - run.lent
    return change + run.fee_least + run.made_rent + run.task.tip


def _gain(run: Run, address: str, after: TokenAccount) -> int:
    before = run.before.tokens.get(address)
    return after.amount - (0 if before is None else before.amount)


def _has_arrived(run: Run, address: str, account: TokenAccount) -> bool:
    task = run.task
    own = (account.owner, account.mint) == (task.receiver, task.output_token) and is_associated(address, account)
    return own and not account.frozen and account.taker is None and account.closer is None


def _holders_gain(run: Run, deposit: BridgeDeposit, holder: str) -> int:
    if holder == BURNT:
        mint, left = run.before.mint(deposit.token), run.after.mint(deposit.token)
        return 0 if mint is None or left is None else mint.supply - left.supply
    if deposit.token == NATIVE_SVM:
        return run.after.lamports(holder) - run.before.lamports(holder)
    return _held(run.after, holder, deposit.token) - _held(run.before, holder, deposit.token)


def _held(state: State, account: str, mint: str) -> int:
    found = state.tokens.get(account)
    return found.amount if found is not None and found.mint == mint else 0
