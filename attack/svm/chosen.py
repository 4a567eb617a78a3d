"""Lies told to a caller that chose a priority, a tip and a fee payer: they charge the fee payer, or change the choices.

The fee payer signs too. Whoever has learnt its address names it in an instruction, so that the signature counts there.
"""

import random
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from attack.svm.alterations import add_instruction, exchange_account
from attack.svm.costs import make_strangers_accounts, raise_budget
from attack.svm.documents import exchange_address, other_number, promise
from attack.svm.facts import FEE_PAYER, STRANGER, SvmFacts, named_key
from attack.svm.numbers import raise_fee
from attack.svm.written import pieces, with_address
from rhumbline.domain.chain import NATIVE_SVM
from rhumbline.domain.route import RouteAnswer
from rhumbline.domain.solana_terms import SolanaTerms
from rhumbline.domain.svm import AccountRole, SvmInstruction
from rhumbline.gateways.nodes.svm.transactions import ExecutedTransaction
from rhumbline.gateways.svm.address import associated_token_address, decode_address
from rhumbline.gateways.svm.instructions import CreateTokenAccount, SystemTransfer, TokenApproval, TokenTransfer
from rhumbline.gateways.svm.jito import TIP_ACCOUNTS
from rhumbline.gateways.svm.programs import SPL, SYSTEM

PRIORITY, TIP = 20_000, 10_000
PAYER = str(FEE_PAYER.pubkey())
SPONSORED = SolanaTerms(PRIORITY, TIP, PAYER)
TIPPING = SolanaTerms(PRIORITY, TIP)


def charge_the_payer(rng: random.Random, document: Any, facts: SvmFacts) -> bool:
    """Add an instruction that takes of the fee payer, or put it in place of an account, the wallet's or another."""
    found = [piece for piece in pieces(document, facts.tables) if piece.instructions]
    if not found:
        return False
    piece = rng.choice(found)
    changed = list(piece.instructions)
    place = rng.randrange(len(changed))
    how = rng.randrange(4)
    if how == 0 and piece.grows:
        changed.insert(place, _charge(rng, facts))
    elif how == 1 and changed[place].accounts:
        changed[place] = with_address(changed[place], rng.choice(changed[place].accounts).address, PAYER)
    elif how == 2:
        changed = [with_address(each, facts.sender, PAYER) for each in changed]
    else:
        role = AccountRole(PAYER, signer=rng.random() < 0.5, writable=True)
        changed[place] = replace(changed[place], accounts=(*changed[place].accounts, role))
    piece.write(changed)
    return True


def make_accounts(rng: random.Random, document: Any, facts: SvmFacts) -> bool:
    """Have accounts of the wallet's made, which the fee payer would pay for, and closed to somebody."""
    found = [piece for piece in pieces(document, facts.tables) if piece.grows]
    if not found:
        return False
    mints = rng.choices(sorted(facts.mints), k=rng.randint(1, 6))
    owners = [rng.choice([facts.sender, facts.receiver, PAYER, STRANGER]) for _ in mints]
    payer = rng.choice([facts.sender, facts.sender, PAYER])
    made = [
        CreateTokenAccount.of(payer, owner, mint, facts.mints[mint][0]).encode()
        for owner, mint in zip(owners, mints, strict=True)
    ]
    piece = rng.choice(found)
    piece.write([*made, *piece.instructions] if rng.random() < 0.5 else [*piece.instructions, *made])
    return True


def pay_another_tip(rng: random.Random, document: Any, facts: SvmFacts) -> bool:
    """Pay a tip account, a stranger or the fee payer in the wallet's name."""
    found = [piece for piece in pieces(document, facts.tables) if piece.grows]
    if not found:
        return False
    piece = rng.choice(found)
    payee = rng.choice([*TIP_ACCOUNTS, STRANGER, PAYER])
    piece.write([*piece.instructions, SystemTransfer(facts.sender, payee, rng.choice([1, TIP, 10 * TIP])).encode()])
    return True


def _charge(rng: random.Random, facts: SvmFacts) -> SvmInstruction:
    mint = rng.choice(sorted(facts.mints))
    program, decimals = facts.mints[mint]
    own = associated_token_address(PAYER, mint, program)
    target = facts.account(rng.choice([facts.sender, STRANGER]), mint)
    new = str(named_key(f"account {rng.random()}").pubkey())
    signer = AccountRole(PAYER, signer=True, writable=True)
    return rng.choice(
        [
            SystemTransfer(PAYER, rng.choice([facts.sender, STRANGER]), rng.choice([1, 10**6, 10**9])).encode(),
            TokenTransfer(program, own, target, PAYER, 1_000, mint, decimals).encode(),
            TokenApproval(program, own, STRANGER, PAYER, 2**64 - 1, mint, decimals).encode(),
            SvmInstruction(SPL, (AccountRole(own, writable=True), signer), bytes([6, 2, 1]) + decode_address(STRANGER)),
            SvmInstruction(SYSTEM, (signer,), (1).to_bytes(4, "little") + decode_address(SPL)),
            CreateTokenAccount.of(PAYER, new, mint, program).encode(),
            SystemTransfer(facts.sender, facts.sender, 0, (signer,)).encode(),
        ]
    )


_CHARGES = (charge_the_payer, charge_the_payer, make_accounts, pay_another_tip, raise_budget, make_strangers_accounts,
            add_instruction, exchange_account)  # fmt: skip
_WORDS = (promise, other_number, exchange_address, raise_fee)


def lie_about_choices(rng: random.Random, document: Any, facts: SvmFacts) -> bool:
    """Tell one of them, or two at once; of an answer without instructions, another lie."""
    done = [each(rng, document, facts) for each in rng.sample(_CHARGES, rng.choice([1, 1, 2]))]
    return any(done) or rng.choice(_WORDS)(rng, document, facts)


def terms_of(seed: int) -> SolanaTerms:
    """Return what the caller of a lie chooses: mostly a fee payer, else a tip of its own."""
    return TIPPING if seed % 4 == 3 else SPONSORED


@dataclass(frozen=True)
class Purse:
    """What a fee payer has: lamports, and its other amounts by place."""

    lamports: int
    rest: Mapping[Any, int]
    doors: frozenset[Any]


def robbed(answer: RouteAnswer, executed: ExecutedTransaction, before: Purse, after: Purse) -> str:
    """Say what was taken beyond what the answer says of its choices; nothing if it was as said."""
    costs = answer.solana
    if costs is None or executed.error is not None:
        return ""
    if executed.fee > costs.network_fee:
        return f"the network took {executed.fee}, and {costs.network_fee} were said"
    tips = sum(executed.balances_after.get(each, 0) - executed.balances_before.get(each, 0) for each in TIP_ACCOUNTS)
    if tips != costs.tip:
        return f"tips of {tips} were paid, and {costs.tip} were said"
    spent, most = before.lamports - after.lamports, costs.fee_payer_cost or 0
    if spent > most:
        return f"the fee payer lost {spent} lamports, and {most} were said"
    lost = [place for place, had in before.rest.items() if after.rest.get(place, 0) < had]
    return "the fee payer lost tokens, or control" if lost or not after.doors <= before.doors else ""


def purse_of(amounts: Mapping[Any, int], doors: frozenset[Any]) -> Purse:
    """Return a fee payer's of all that was read of it."""
    native = [place for place in amounts if place[1] == NATIVE_SVM]
    rest = {place: amount for place, amount in amounts.items() if place not in native}
    return Purse(sum(amounts[place] for place in native), rest, doors)
