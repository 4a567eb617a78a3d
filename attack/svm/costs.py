"""Alterations of the wallet's cost beside the input: the compute budget, strangers' rent, and sealed messages.

The service cannot change a message that others have signed, so all that is in it comes through.
"""

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from attack.svm.facts import STRANGER, SvmFacts, named_key
from attack.svm.written import pieces, recompiled, tables_of, wholes
from rhumbline.domain.svm import AccountRole, SvmInstruction
from rhumbline.gateways.svm.compute_budget import MOST_UNITS, ComputeBudget
from rhumbline.gateways.svm.instructions import CreateTokenAccount
from rhumbline.gateways.svm.programs import COMPUTE_BUDGET

PRICES = (10**7, 10**9, 3 * 10**12, 2**63, 2**64 - 1)
"""Of a unit, in millionths of a lamport: with the most units 0.014 SOL, 1.4, 4,200, and more than there is."""
ACCOMPLICE = named_key("accomplice")


def raise_budget(rng: random.Random, document: Any, facts: SvmFacts) -> bool:
    """Set another unit price, or another limit, in place of an existing one or additionally."""
    found = [piece for piece in pieces(document, facts.tables) if piece.grows]
    setting = [piece for piece in found if any(each.program == COMPUTE_BUDGET for each in piece.instructions)]
    if not found:
        return False
    piece = rng.choice(setting or found)
    piece.write([*_budget(rng), *_without_budget(piece.instructions)])
    return True


def _budget(rng: random.Random) -> tuple[SvmInstruction, ...]:
    return ComputeBudget(rng.choice([MOST_UNITS, MOST_UNITS, 1_000]), rng.choice(PRICES)).instructions()


def _without_budget(instructions: Sequence[SvmInstruction]) -> list[SvmInstruction]:
    return [each for each in instructions if each.program != COMPUTE_BUDGET]


def make_strangers_accounts(rng: random.Random, document: Any, facts: SvmFacts) -> bool:
    """Make the wallet pay the rent of one to four strangers' token accounts."""
    found = [piece for piece in pieces(document, facts.tables) if piece.grows]
    if not found:
        return False
    piece = rng.choice(found)
    piece.write([*piece.instructions, *_strangers_accounts(rng, facts)])
    return True


def _strangers_accounts(rng: random.Random, facts: SvmFacts) -> list[SvmInstruction]:
    owners = [str(named_key(f"tenant {rng.random()}").pubkey()) for _ in range(rng.randint(1, 4))]
    mints = rng.choices(sorted(facts.mints), k=len(owners))
    return [
        CreateTokenAccount.of(facts.sender, owner, mint, facts.mints[mint][0]).encode()
        for owner, mint in zip(owners, mints, strict=True)
    ]


def sign_beside(rng: random.Random, document: Any, facts: SvmFacts) -> bool:
    """Let an accomplice sign a whole transaction, so that it has to be passed on as it is, and put something into it.

    Once in a while the accomplice does not sign, or names a blockhash that the chain does not know.
    """
    found = wholes(document, facts.tables)
    if not found:
        return False
    whole, how = rng.choice(found), rng.randrange(5)
    work = _without_budget(whole.read.instructions)
    budget = [each for each in whole.read.instructions if each.program == COMPUTE_BUDGET]
    if how < 3:
        budget = list(_budget(rng))
    if how in (2, 3):
        work += _strangers_accounts(rng, facts)
    blockhash = STRANGER if rng.random() < 0.15 else whole.read.blockhash
    keys = () if rng.random() < 0.1 else (ACCOMPLICE,)
    named = [facts.tables[each] for each in tables_of(whole.data) if each in facts.tables]
    whole.put(recompiled(whole.read.payer, [*budget, *_beside(work)], named, blockhash, keys))
    return True


def _beside(instructions: Sequence[SvmInstruction]) -> list[SvmInstruction]:
    """Name the accomplice as one more signer of the instruction with the most accounts."""
    changed = list(instructions)
    place = max(range(len(changed)), key=lambda each: len(changed[each].accounts))
    role = AccountRole(str(ACCOMPLICE.pubkey()), signer=True)
    changed[place] = replace(changed[place], accounts=(*changed[place].accounts, role))
    return changed
