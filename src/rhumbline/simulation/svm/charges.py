"""Accounts of the runtime's programs that the sender controls, beside its own token accounts. Pure.

With the sender's signature a program may move a stake, pay out of a nonce or a vote account, mint one of the sender's
tokens, take what others have approved for the sender, or upgrade one of the sender's programs. No route needs any of
that. What other programs hold for the sender only they can protect.
"""

from collections.abc import Iterator

from rhumbline.gateways.svm.account import Account
from rhumbline.gateways.svm.address import decode_address
from rhumbline.gateways.svm.programs import LOADERS, LOOKUP_TABLES, SPL_PROGRAMS, STAKES, SYSTEM, VOTES
from rhumbline.simulation.svm.run import Run

_COMPARED = SPL_PROGRAMS | {SYSTEM, STAKES}
_NEVER_WRITTEN = LOADERS | {LOOKUP_TABLES, VOTES}
"""Whose accounts are large, or no part of any route: that a transaction may write one is enough."""


def is_in_charge(wallet: str, account: Account) -> bool:
    """Return whether a wallet controls an account of the runtime's programs, or is named in one otherwise."""
    return account.owner in _COMPARED | _NEVER_WRITTEN and decode_address(wallet) in account.data


def charge_faults(run: Run) -> Iterator[str]:
    """Say which of them the call changes, or may change."""
    for address, account in run.before.accounts.items():
        if account is None or not is_in_charge(run.task.sender, account) or _is_counted(run, address):
            continue
        if account.owner in _COMPARED and is_changed(run, address, account):
            yield f"the call changes an account that the sender controls ({address})"
        if account.owner in _NEVER_WRITTEN:
            yield f"the call may change an account that the sender controls ({address})"


def _is_counted(run: Run, address: str) -> bool:
    """Return whether it is looked at for itself: the wallet, or a token account of the sender's or the receiver's."""
    token = run.before.tokens.get(address)
    return address == run.task.sender or (token is not None and token.owner in run.people)


def is_changed(run: Run, address: str, before: Account) -> bool:
    """Return whether a call changes an account that somebody controls; the supply of a mint may fall."""
    after = run.after.accounts.get(address)
    mint, left = run.before.mint(address), run.after.mint(address)
    if mint is None or left is None:
        return after != before
    # The supply of the sender's own token may fall: a bridge burns its input.
    return left.supply > mint.supply or (left.mint_authority, left.freeze_authority, left.extensions) != (
        mint.mint_authority, mint.freeze_authority, mint.extensions,
    )  # fmt: skip
