"""Instructions that take, or open a door to take later."""

import random
from collections.abc import Callable
from struct import pack

from attack.svm.facts import STRANGER, STRANGERS_PROGRAM, SvmFacts, named_key
from rhumbline.domain.svm import AccountRole, SvmInstruction
from rhumbline.gateways.svm.address import decode_address
from rhumbline.gateways.svm.compute_budget import ComputeBudget
from rhumbline.gateways.svm.instructions import (
    CloseAccount,
    CreateTokenAccount,
    SyncNative,
    SystemTransfer,
    TokenApproval,
    TokenTransfer,
    wrap_sol,
)
from rhumbline.gateways.svm.programs import SPL, SYSTEM, WRAPPED_SOL

MEMO = "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr"
_SET_AUTHORITY, _BURN, _TRANSFER_HOOK = 6, 8, 36
_OWNER, _CLOSER = 2, 3
_CREATE, _ASSIGN, _ALLOCATE = 0, 1, 8


def hostile(rng: random.Random, facts: SvmFacts, standing: list[SvmInstruction]) -> SvmInstruction:
    """Return one instruction of any kind; ``standing`` are the answer's own."""
    return rng.choice(_KINDS)(rng, facts, standing)


def _mint(rng: random.Random, facts: SvmFacts) -> str:
    likely = [mint for mint in (facts.sold, facts.bought) if mint in facts.mints]
    return rng.choice([*likely, *likely, *sorted(facts.mints)])


def _some(rng: random.Random, facts: SvmFacts) -> int:
    return rng.choice([1, 1000, facts.amount // 100, facts.amount, facts.amount * 2])


def _lamports(rng: random.Random, facts: SvmFacts, _: list[SvmInstruction]) -> SvmInstruction:
    return SystemTransfer(facts.sender, rng.choice([STRANGER, *facts.strange()]), _some(rng, facts)).encode()


def _tokens(rng: random.Random, facts: SvmFacts, _: list[SvmInstruction]) -> SvmInstruction:
    mint = _mint(rng, facts)
    program, decimals = facts.mints[mint]
    checked = (mint, decimals) if rng.random() < 0.5 or program != SPL else (None, None)
    source, destination = facts.account(facts.sender, mint), facts.account(STRANGER, mint)
    return TokenTransfer(program, source, destination, facts.sender, _some(rng, facts), *checked).encode()


def _approval(rng: random.Random, facts: SvmFacts, _: list[SvmInstruction]) -> SvmInstruction:
    mint = _mint(rng, facts)
    program, decimals = facts.mints[mint]
    amount = rng.choice([facts.amount, 2**64 - 1])
    source = facts.account(facts.sender, mint)
    return TokenApproval(program, source, STRANGER, facts.sender, amount, mint, decimals).encode()


def _authority(rng: random.Random, facts: SvmFacts, _: list[SvmInstruction]) -> SvmInstruction:
    mint = _mint(rng, facts)
    account = AccountRole(facts.account(facts.sender, mint), writable=True)
    data = bytes([_SET_AUTHORITY, rng.choice([_OWNER, _CLOSER]), 1]) + decode_address(STRANGER)
    return SvmInstruction(facts.mints[mint][0], (account, AccountRole(facts.sender, signer=True)), data)


def _close(rng: random.Random, facts: SvmFacts, _: list[SvmInstruction]) -> SvmInstruction:
    mint = rng.choice([WRAPPED_SOL, _mint(rng, facts)])
    account = facts.account(facts.sender, mint)
    return CloseAccount(facts.mints[mint][0], account, STRANGER, facts.sender).encode()


def _burn(rng: random.Random, facts: SvmFacts, _: list[SvmInstruction]) -> SvmInstruction:
    mint = _mint(rng, facts)
    roles = (
        AccountRole(facts.account(facts.sender, mint), writable=True), AccountRole(mint, writable=True),
        AccountRole(facts.sender, signer=True),
    )  # fmt: skip
    return SvmInstruction(facts.mints[mint][0], roles, pack("<BQ", _BURN, _some(rng, facts)))


def _assign(rng: random.Random, facts: SvmFacts, _: list[SvmInstruction]) -> SvmInstruction:
    wallet = (AccountRole(facts.sender, signer=True, writable=True),)
    if rng.random() < 0.5:
        return SvmInstruction(SYSTEM, wallet, pack("<I", _ASSIGN) + decode_address(STRANGERS_PROGRAM))
    return SvmInstruction(SYSTEM, wallet, pack("<IQ", _ALLOCATE, 165))


def _create(rng: random.Random, facts: SvmFacts, _: list[SvmInstruction]) -> SvmInstruction:
    new = str(named_key(f"account {rng.random()}").pubkey())
    roles = (AccountRole(facts.sender, signer=True, writable=True), AccountRole(new, signer=True, writable=True))
    return SvmInstruction(SYSTEM, roles, pack("<IQQ", _CREATE, 10**9, 165) + decode_address(SPL))


def _make(rng: random.Random, facts: SvmFacts, _: list[SvmInstruction]) -> SvmInstruction:
    owner = rng.choice([STRANGER, str(named_key(f"owner {rng.random()}").pubkey()), facts.receiver])
    mint = _mint(rng, facts)
    return CreateTokenAccount.of(facts.sender, owner, mint, facts.mints[mint][0]).encode()


def _wrap(rng: random.Random, facts: SvmFacts, _: list[SvmInstruction]) -> SvmInstruction:
    owner = rng.choice([facts.sender, STRANGER])
    paid, synced = wrap_sol(facts.sender, facts.account(owner, WRAPPED_SOL), _some(rng, facts))
    return rng.choice([paid, synced, SyncNative(SPL, facts.account(STRANGER, WRAPPED_SOL)).encode()])


def _memo(rng: random.Random, facts: SvmFacts, _: list[SvmInstruction]) -> SvmInstruction:
    roles = (AccountRole(facts.sender, signer=True),) if rng.random() < 0.5 else ()
    return SvmInstruction(MEMO, roles, b"hello")


def _foreign(rng: random.Random, facts: SvmFacts, standing: list[SvmInstruction]) -> SvmInstruction:
    own = rng.choice(standing) if standing else _lamports(rng, facts, standing)
    return SvmInstruction(STRANGERS_PROGRAM, own.accounts, own.data)


def _again(rng: random.Random, facts: SvmFacts, standing: list[SvmInstruction]) -> SvmInstruction:
    return rng.choice(standing) if standing else _lamports(rng, facts, standing)


def _budget(rng: random.Random, facts: SvmFacts, _: list[SvmInstruction]) -> SvmInstruction:
    price = rng.choice([10**6, 10**9, 2**60])
    return rng.choice(ComputeBudget(1_400_000, price).instructions())


_Made = Callable[[random.Random, SvmFacts, list[SvmInstruction]], SvmInstruction]
_KINDS: tuple[_Made, ...] = (
    _lamports, _tokens, _tokens, _approval, _authority, _authority, _close, _burn, _assign, _create, _make, _wrap,
    _memo, _foreign, _again, _again, _budget,
)  # fmt: skip
