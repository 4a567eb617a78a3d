"""Alterations of instructions, for any upstream: additions, exchanges, and changes of their data."""

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from attack.svm.facts import STRANGER, STRANGERS_PROGRAM, SvmFacts
from attack.svm.hostile import hostile
from attack.svm.written import Piece, pieces, with_address
from rhumbline.domain.svm import AccountRole, SvmInstruction
from rhumbline.gateways.svm.programs import COMPUTE_BUDGET

FACTORS = ((0, 1), (1, 1000), (1, 2), (99, 100), (101, 100), (2, 1), (10, 1), (10**6, 1))
_WORD = 8
Alteration = Callable[[random.Random, Any, SvmFacts], bool]


def _one(rng: random.Random, document: Any, facts: SvmFacts) -> tuple[Piece, int] | None:
    """Choose one instruction, rather one of many accounts."""
    found = [
        (piece, place)
        for piece in pieces(document, facts.tables)
        for place, each in enumerate(piece.instructions)
        if each.program != COMPUTE_BUDGET
    ]
    if not found:
        return None
    weights = [1 + len(piece.instructions[place].accounts) for piece, place in found]
    return rng.choices(found, weights)[0]


def _put(piece: Piece, place: int, instruction: SvmInstruction) -> bool:
    changed = list(piece.instructions)
    changed[place] = instruction
    piece.write(changed)
    return True


def add_instruction(rng: random.Random, document: Any, facts: SvmFacts) -> bool:
    """Put a hostile instruction somewhere."""
    found = pieces(document, facts.tables)
    growing = [piece for piece in found if piece.grows]
    if not found:
        return False
    standing = [each for piece in found for each in piece.instructions]
    new = hostile(rng, facts, standing)
    if not growing or rng.random() < 0.1:
        piece = rng.choice(found)
        return bool(piece.instructions) and _put(piece, rng.randrange(len(piece.instructions)), new)
    piece = rng.choice(growing)
    changed = list(piece.instructions)
    changed.insert(rng.randint(0, len(changed)), new)
    piece.write(changed)
    return True


def rearrange(rng: random.Random, document: Any, facts: SvmFacts) -> bool:
    """Leave an instruction out, put it twice, or exchange two."""
    found = [piece for piece in pieces(document, facts.tables) if piece.grows and piece.instructions]
    if not found:
        return False
    piece = rng.choice(found)
    changed = list(piece.instructions)
    place, other = (rng.randrange(len(changed)) for _ in range(2))
    how = rng.randrange(3)
    if how == 0:
        del changed[place]
    elif how == 1:
        changed.append(changed[place])
    else:
        changed[place], changed[other] = changed[other], changed[place]
    piece.write(changed)
    return True


def exchange_account(rng: random.Random, document: Any, facts: SvmFacts) -> bool:
    """Put another account in place of one: a stranger's, another of the wallet's, another of the answer's."""
    chosen = _one(rng, document, facts)
    if chosen is None:
        return False
    piece, place = chosen
    instruction = piece.instructions[place]
    if not instruction.accounts:
        return False
    number = rng.randrange(len(instruction.accounts))
    old = instruction.accounts[number].address
    new = _another(rng, facts, [role.address for each in piece.instructions for role in each.accounts])
    if rng.random() < 0.5:
        roles = list(instruction.accounts)
        roles[number] = replace(roles[number], address=new)
        return _put(piece, place, replace(instruction, accounts=tuple(roles)))
    # Everywhere in the answer, as one who means it would.
    for each in pieces(document, facts.tables):
        each.write([with_address(instruction, old, new) for instruction in each.instructions])
    return True


def _another(rng: random.Random, facts: SvmFacts, standing: list[str]) -> str:
    return rng.choice(
        [rng.choice(facts.likely()), rng.choice(facts.likely()), rng.choice(facts.strange()), rng.choice(facts.own()),
         facts.receiver, rng.choice(standing)]
    )  # fmt: skip


def exchange_friend(rng: random.Random, document: Any, facts: SvmFacts) -> bool:
    """Put the stranger in place of the wallet or the receiver, with the accounts of each."""
    friend = rng.choice([facts.sender, facts.receiver])
    mints = [mint for mint in (facts.sold, facts.bought) if mint in facts.mints]
    pairs = [(friend, STRANGER)] if rng.random() < 0.5 else []
    pairs += [(facts.account(friend, mint), facts.account(STRANGER, mint)) for mint in mints if rng.random() < 0.7]
    changed = False
    for piece in pieces(document, facts.tables):
        new = list(piece.instructions)
        for old, other in pairs:
            new = [with_address(each, old, other) for each in new]
        if new != piece.instructions:
            piece.write(new)
            changed = True
    return changed


def change_roles(rng: random.Random, document: Any, facts: SvmFacts) -> bool:
    """Add a signer, add or remove accounts, or change which are writable."""
    chosen = _one(rng, document, facts)
    if chosen is None:
        return False
    piece, place = chosen
    instruction = piece.instructions[place]
    roles = list(instruction.accounts)
    number = rng.randrange(len(roles)) if roles else 0
    how = rng.randrange(5)
    if how == 0 or not roles:
        roles.append(AccountRole(rng.choice(facts.strange()), signer=rng.random() < 0.5, writable=True))
    elif how == 1:
        roles.insert(number, AccountRole(facts.sender, signer=True, writable=True))
    elif how == 2:
        roles[number] = replace(roles[number], signer=not roles[number].signer)
    elif how == 3:
        roles[number] = replace(roles[number], writable=not roles[number].writable)
    else:
        del roles[number]
    return _put(piece, place, replace(instruction, accounts=tuple(roles)))


def exchange_program(rng: random.Random, document: Any, facts: SvmFacts) -> bool:
    """Call another program with the same."""
    chosen = _one(rng, document, facts)
    if chosen is None:
        return False
    piece, place = chosen
    others = [each.program for each in piece.instructions] + [STRANGERS_PROGRAM] * 2
    return _put(piece, place, replace(piece.instructions[place], program=rng.choice(others)))


def change_number(rng: random.Random, document: Any, facts: SvmFacts) -> bool:
    """Multiply a number in an instruction's data: an amount, a minimum, or any other."""
    chosen = _one(rng, document, facts)
    if chosen is None:
        return False
    piece, place = chosen
    data = bytearray(piece.instructions[place].data)
    amounts = [at for at in range(len(data) - _WORD + 1) if _is_amount(data, at, facts)]
    if amounts and rng.random() < 0.8:
        at, size = rng.choice(amounts), _WORD
    elif len(data) >= 2:
        size = rng.choice([size for size in (1, 2, 4, _WORD) if size <= len(data)])
        at = rng.randrange(len(data) - size + 1)
    else:
        return False
    old = int.from_bytes(data[at : at + size], "little")
    up, down = rng.choice(FACTORS)
    new = min(old * up // down, 256**size - 1) if old else rng.choice([1, 256**size - 1])
    data[at : at + size] = new.to_bytes(size, "little")
    return _put(piece, place, replace(piece.instructions[place], data=bytes(data)))


def _is_amount(data: bytearray, at: int, facts: SvmFacts) -> bool:
    value = int.from_bytes(data[at : at + _WORD], "little")
    return any(known * 9 // 10 <= value <= known * 11 // 10 for known in (facts.amount, facts.output) if known > 1000)


def change_bytes(rng: random.Random, document: Any, facts: SvmFacts) -> bool:
    """Corrupt an instruction's data: another byte, more, fewer, or another's."""
    chosen = _one(rng, document, facts)
    if chosen is None:
        return False
    piece, place = chosen
    data = bytearray(piece.instructions[place].data)
    how = rng.randrange(4)
    if how == 0 and data:
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    elif how == 1:
        data += rng.randbytes(rng.choice([1, 8, 32]))
    elif how == 2 and data:
        del data[rng.randrange(len(data)) :]
    else:
        data = bytearray(rng.choice(piece.instructions).data)
    return _put(piece, place, replace(piece.instructions[place], data=bytes(data)))
