"""A fee payer that is not the sender: what it pays of a draft's instructions, and how it gets back what it lent. Pure.

It signs the message, and a signer may be charged by every instruction that names it. So no upstream's instruction may
name it at all. Of ours it is named by the creation of token accounts that do not exist yet, by the tip, and where
something is paid to it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from rhumbline.domain.errors import UpstreamFailed
from rhumbline.domain.svm import SvmInstruction
from rhumbline.gateways.svm.account import Account
from rhumbline.gateways.svm.instructions import CloseAccount, CreateTokenAccount, SystemTransfer, decode
from rhumbline.gateways.svm.programs import SPL
from rhumbline.gateways.svm.tokens import ACCOUNT_SIZE
from rhumbline.routing.svm.assertions import LARGEST_MADE, MOST_MADE, Before


@dataclass(frozen=True, slots=True)
class Sponsored:
    """Instructions whose accounts a fee payer makes. ``rents`` are of those that stay: the most lamports of each.

    ``made`` are all of them; the rent of those that are closed again goes back to the fee payer at the end.
    """

    instructions: tuple[SvmInstruction, ...]
    rents: Mapping[str, int]
    made: frozenset[str]


def sponsored(instructions: Sequence[SvmInstruction], sender: str, fee_payer: str | None, before: Before) -> Sponsored:
    """Return a draft's instructions with the fee payer in the sender's place, where token accounts are made.

    Only accounts that do not exist yet: for another the sender stays named, and pays if it is gone by then. Raise
    UpstreamFailed if an instruction names the fee payer, or more accounts are made than a transaction needs.
    """
    if fee_payer is None:
        return Sponsored(tuple(instructions), {}, frozenset())
    if any(role.address == fee_payer for each in instructions for role in each.accounts):
        raise UpstreamFailed("answered with an instruction that names the fee payer, whom it could charge")
    changed: list[SvmInstruction] = []
    rents: dict[str, int] = {}
    closed: dict[str, int] = {}
    for each in instructions:
        known = decode(each)
        if isinstance(known, CreateTokenAccount) and known.payer == sender and known.account not in {*rents, *closed}:
            rent = _rent(known, before)
            if rent is not None:
                rents[known.account] = rent
                each = replace(known, payer=fee_payer, extra=()).encode()
        elif isinstance(known, CloseAccount) and known.account in rents:
            closed[known.account] = rents.pop(known.account)
        changed.append(each)
    if len(rents) + len(closed) > MOST_MADE:
        raise UpstreamFailed("answered with more accounts to be made than a fee payer is asked to pay for")
    back = sum(closed.values())
    if back:
        changed.append(SystemTransfer(sender, fee_payer, back).encode())
    return Sponsored(tuple(changed), rents, frozenset({*rents, *closed}))


def _rent(made: CreateTokenAccount, before: Before) -> int | None:
    """Return the most that an account costs its maker; None for one that exists."""
    found = before.accounts.get(made.account)
    if found is not None and not _is_empty(found):
        return None
    size = ACCOUNT_SIZE if made.program == SPL else LARGEST_MADE
    return max(0, before.rent.minimum(size) - before.lamports(made.account))


def _is_empty(account: Account) -> bool:
    """Return whether there are only lamports at an address, which anybody may have sent there."""
    return not account.data
