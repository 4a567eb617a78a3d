"""What a simulation takes from a fee payer, who signs too and is no part of the trade. Pure.

Its balance falls by the fee, the tip and the stated rents at most; its token accounts, and all that it controls of the
runtime's programs, stay as they were, but that tokens may arrive.
"""

from collections.abc import Iterator
from dataclasses import replace

from rhumbline.gateways.svm.programs import SYSTEM
from rhumbline.simulation.svm.charges import is_changed, is_in_charge
from rhumbline.simulation.svm.run import Run


def fee_payer_faults(run: Run) -> Iterator[str]:
    """Say what the call takes from the fee payer beyond what it was asked for; nothing without one."""
    payer = run.task.fee_payer
    if payer is None:
        return
    account = run.after.accounts.get(payer.address)
    if account is None or account.owner != SYSTEM or account.data:
        yield "the call changes the owner of the fee payer's account, or empties it"
    allowed = run.fee.most + payer.tip + sum(payer.rents.values())
    if run.payer_spent > allowed:
        yield f"the call takes {run.payer_spent} lamports from the fee payer, at most {allowed} are agreed"
    for address, before in run.before.accounts.items():
        if before is None or address == payer.address or not is_in_charge(payer.address, before):
            continue
        if _is_own(run, address, payer.address):
            if not _is_kept(run, address):
                yield f"the call changes a token account of the fee payer's ({address})"
        elif is_changed(run, address, before):
            yield f"the call changes an account that the fee payer controls ({address})"


def _is_own(run: Run, address: str, payer: str) -> bool:
    token = run.before.tokens.get(address)
    return token is not None and token.owner == payer


def _is_kept(run: Run, address: str) -> bool:
    """Return whether a token account is as before but for more tokens and lamports."""
    before, after = run.before.tokens[address], run.after.tokens.get(address)
    if after is None or after.amount < before.amount or run.after.lamports(address) < run.before.lamports(address):
        return False
    return replace(after, amount=before.amount, extensions=before.extensions) == before and (
        frozenset(after.extensions) == frozenset(before.extensions)
    )
