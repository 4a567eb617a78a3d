"""Who changed what: each change writes one entry, in its own transaction, without a secret."""

from datetime import timedelta
from fractions import Fraction

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.accounts.audit_log import KEPT, OPERATOR, Action, AuditLog, Deed, note
from rhumbline.accounts.key_terms import read_terms
from rhumbline.accounts.members import Members
from rhumbline.accounts.service import Accounts
from rhumbline.domain.account import Role
from rhumbline.domain.chain import ChainType
from rhumbline.domain.errors import InvalidRequest
from rhumbline.domain.fee import FeeRule
from tests.accounts.test_members import ALICE, BOB
from tests.clocks import Clock
from tests.portal_fixture import BEGIN


@pytest.fixture
def log(store_engine: AsyncEngine) -> AuditLog:
    return AuditLog(store_engine)


@pytest.fixture
def accounts(store_engine: AsyncEngine, clock: Clock) -> Accounts:
    return Accounts(store_engine, clock)


def called(number: int, text: str, name: str | None = None) -> str:
    return f"key {number} ({text[:11]}…)" + ("" if name is None else f" “{name}”")


async def test_every_change_is_written_down_and_no_secret_is(accounts: Accounts, log: AuditLog, clock: Clock) -> None:
    members = Members(log.engine, clock)
    await members.register(ALICE, "Acme")
    terms, _ = read_terms([], ["https://app.example"], [], in_browsers=True)
    key, first = await accounts.create_key("acme", name="Checkout", owner=ALICE, terms=terms)
    new, second = await accounts.rotate_key(key.id, 60, by=ALICE)
    await accounts.name_key(new.id, None, ALICE)
    wider, _ = read_terms([], ["https://app.example", "https://b.example"], ["10.0.0.0/8"], in_browsers=True)
    await accounts.set_key_terms(new.id, wider, BEGIN + timedelta(days=9), ALICE)
    await accounts.revoke_key(new.id, ALICE)
    await accounts.set_wallet("ACME", ChainType.EVM, BOB, ALICE)
    await accounts.set_limits(key.id, 9, None)
    rule = FeeRule(Fraction(1, 1000), Fraction(1, 100))
    await accounts.set_rule("acme", rule)
    await accounts.set_key_rule(key.id, rule)
    await members.put(BOB, "Acme", Role.DEVELOPER)
    entries = await log.entries("Acme", 100)
    assert {entry.at for entry in entries} == {BEGIN}
    shown, old = called(new.id, second), called(key.id, first, "Checkout")
    assert [(entry.actor, entry.action, entry.detail) for entry in reversed(entries)] == [
        (ALICE, "integrator registered", ""),
        (ALICE, "key created", f"{old}: for quotes; from https://app.example"),
        (ALICE, "key rotated", f"{old}: replaced by {shown} “Checkout”, ends in 60 s"),
        (ALICE, "key named", shown),
        (
            ALICE,
            "key restricted",
            f"{shown}: for quotes; from https://app.example, https://b.example; within 10.0.0.0/8,"
            " until 2026-11-30 12:00 UTC",
        ),
        (ALICE, "key revoked", shown),
        (ALICE, "fee wallet set", f"EVM: {BOB}, before none"),
        (OPERATOR, "key limits set", f"{old}: quotes 9, others as the tier"),
        (OPERATOR, "fee rule set", "service 0.001, integrator at most 0.01"),
        (
            OPERATOR,
            "key fee rule set",
            f"{old}: service 0.001, integrator at most 0.01",
        ),
        (OPERATOR, "member added", f"{BOB}: developer"),
    ]
    for secret in (first, second):
        assert secret not in repr(entries)
        assert secret[12:] not in repr(entries)


async def test_what_changes_nothing_writes_nothing(accounts: Accounts, log: AuditLog) -> None:
    await accounts.create_integrator("Acme", None, None)
    key, _ = await accounts.create_key("Acme", name="Checkout")
    await accounts.revoke_key(key.id)
    before = await log.entries("Acme", 100)
    await accounts.revoke_key(key.id)
    await accounts.name_key(key.id, "Checkout")
    await accounts.set_key_terms(key.id, key.terms, None)
    await accounts.set_wallet("Acme", ChainType.EVM, None)
    await accounts.ensure_integrator("acme", None, None)
    for refused in (accounts.create_key("Acme", most=0), accounts.rotate_key(key.id, 1)):
        with pytest.raises(InvalidRequest):
            await refused
    assert await log.entries("Acme", 100) == before


async def test_a_change_that_fails_is_not_in_it(log: AuditLog) -> None:
    async def fail() -> None:
        async with log.engine.begin() as connection:
            await note(connection, "Acme", BEGIN, Deed(ALICE, Action.KEY_REVOKED, "key 1"))
            raise RuntimeError

    with pytest.raises(RuntimeError):
        await fail()
    assert await log.entries("Acme", 1) == ()


async def test_entries_come_by_pages_and_each_integrator_has_its_own(log: AuditLog) -> None:
    async with log.engine.begin() as connection:
        for number in range(7):
            await note(connection, "Acme", BEGIN, Deed(ALICE, Action.KEY_NAMED, str(number)))
            await note(connection, "Other", BEGIN, Deed(BOB, Action.KEY_NAMED, str(number)))
    first = await log.entries("Acme", 4)
    second = await log.entries("Acme", 4, first[-1].id)
    assert [entry.detail for entry in (*first, *second)] == ["6", "5", "4", "3", "2", "1", "0"]
    assert {entry.actor for entry in (*first, *second)} == {ALICE}
    assert await log.entries("Acme", 4, 0) == ()
    assert await log.entries("Acme", 9, 10**30) == (*first, *second)
    assert await log.entries("acme", 9) == ()


async def test_two_years_are_kept(log: AuditLog) -> None:
    async with log.engine.begin() as connection:
        for at in (BEGIN, BEGIN + timedelta(days=1), BEGIN + KEPT + timedelta(hours=1)):
            await note(connection, "Acme", at, Deed(None, Action.KEY_NAMED, ""))
    assert [entry.at for entry in await log.entries("Acme", 9)] == [
        BEGIN + KEPT + timedelta(hours=1),
        BEGIN + timedelta(days=1),
    ]
