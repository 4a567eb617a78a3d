"""Token accounts that a liar creates for the receiver before the trade, and takes back before the wallet signs.

The creator of a token account may keep the right to close it, or approve somebody for it, and then make the victim its
owner: it belongs to the victim formally, and to the liar in fact.
"""

import random
from dataclasses import replace
from enum import Enum
from struct import pack
from typing import Any

from attack.lies import Lie
from attack.svm.documents import replaced
from attack.svm.facts import STRANGER, SvmFacts, named_key
from attack.svm.written import pieces
from rhumbline.devnet.upstreams.svm_node import SvmNode
from rhumbline.domain.chain import NATIVE_SVM
from rhumbline.domain.svm import AccountRole, SvmInstruction
from rhumbline.gateways.svm.account import Account
from rhumbline.gateways.svm.address import decode_address
from rhumbline.gateways.svm.programs import ASSOCIATED, WRAPPED_SOL

_OWNER_AT, _AMOUNT_AT, _DELEGATE_AT, _STATE_AT, _DELEGATED_AT, _CLOSER_AT = 32, 64, 72, 108, 121, 129
_FROZEN, _MOST = 2, 2**64 - 1


class Trap(Enum):
    """How an account is the victim's and is not."""

    CLOSABLE = "closable"
    """Its close authority is the liar, who closes it while it is empty and creates it again."""
    DELEGATED = "delegated"
    """The liar may take all that ever lies in it."""
    BOTH = "both"
    FROZEN = "frozen"
    PLAIN = "plain"
    """The victim's alone, at an address where a wallet does not look."""


def trap_of(lie: Lie) -> Trap:
    """Return which trap a lie sets."""
    return random.Random(f"trap {lie.seed}").choice(list(Trap))


def trap_address(facts: SvmFacts) -> str:
    """Return where the liar's account for this receiver lies."""
    return str(named_key(f"trap {facts.receiver} {facts.bought}").pubkey())


def trapped_mint(facts: SvmFacts) -> str | None:
    """Return the mint of what arrives on this chain; None where it arrives on another."""
    mint = WRAPPED_SOL if facts.bought == NATIVE_SVM else facts.bought
    return mint if mint in facts.mints else None


def pay_the_trap(rng: random.Random, document: Any, facts: SvmFacts) -> bool:
    """Put the trap in place of the receiver's own account, which may go on standing elsewhere."""
    mint = trapped_mint(facts)
    if mint is None:
        return False
    # Wrapped SOL passes through the sender's account on its way to being lamports.
    owner = facts.sender if facts.bought == NATIVE_SVM else facts.receiver
    own, trap, changed = facts.account(owner, mint), trap_address(facts), False
    for piece in pieces(document, facts.tables):
        new = [_trapped(rng, each, own, trap) for each in piece.instructions]
        if new != piece.instructions:
            piece.write(new)
            changed = True
    # Answers of another form name accounts by themselves.
    return changed or replaced(document, own, trap)


def _trapped(rng: random.Random, instruction: SvmInstruction, own: str, trap: str) -> SvmInstruction:
    """Pay the trap in some of the places of the receiver's account, rather the last one, and name it besides."""
    places = [place for place, role in enumerate(instruction.accounts) if role.address == own]
    if not places or instruction.program == ASSOCIATED:
        # Lies that create the wallet's account continue to do so.
        return instruction
    roles = list(instruction.accounts)
    for place in places if rng.random() < 0.3 else [rng.choice([places[-1], *places])]:
        roles[place] = replace(roles[place], address=trap)
    if rng.random() < 0.5:
        roles.append(AccountRole(own, writable=True))
    return replace(instruction, accounts=tuple(roles))


async def set_trap(node: SvmNode, facts: SvmFacts, model: Account, trap: Trap) -> None:
    """Make the account, as the liar may have done with the token program long before."""
    await node.store(trap_address(facts), model.owner, trap_data(model.data, facts.receiver, trap))


async def spring_trap(node: SvmNode, facts: SvmFacts, model: Account, trap: Trap) -> None:
    """Do what the liar can do to it before the wallet signs: close it, and create it again for another owner."""
    if trap in (Trap.CLOSABLE, Trap.BOTH):
        await node.store(trap_address(facts), model.owner, trap_data(model.data, STRANGER, Trap.PLAIN))


def trap_data(model: bytes, owner: str, trap: Trap) -> bytes:
    """Return an empty token account's data like the model's; layout: spl-token, state.rs: Account."""
    data = bytearray(model)
    data[_OWNER_AT : _OWNER_AT + 32] = decode_address(owner)
    data[_AMOUNT_AT : _AMOUNT_AT + 8] = bytes(8)
    if trap in (Trap.DELEGATED, Trap.BOTH):
        data[_DELEGATE_AT : _DELEGATE_AT + 36] = pack("<I", 1) + decode_address(STRANGER)
        data[_DELEGATED_AT : _DELEGATED_AT + 8] = pack("<Q", _MOST)
    if trap in (Trap.CLOSABLE, Trap.BOTH):
        data[_CLOSER_AT : _CLOSER_AT + 36] = pack("<I", 1) + decode_address(STRANGER)
    if trap is Trap.FROZEN:
        data[_STATE_AT] = _FROZEN
    return bytes(data)
