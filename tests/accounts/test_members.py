"""Which wallets have which role, and that there is always an owner."""

import asyncio

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.accounts import members as members_module
from rhumbline.accounts.audit_log import OPERATOR, AuditLog
from rhumbline.accounts.invitations import Invitations
from rhumbline.accounts.members import MOST_INTEGRATORS, Members
from rhumbline.domain.account import Integrator, Role
from rhumbline.domain.errors import InvalidRequest, NotFound
from tests.clocks import Clock
from tests.portal_fixture import BEGIN

ALICE = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
BOB = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359"
CAROL = "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB"


@pytest.fixture
def members(store_engine: AsyncEngine, clock: Clock) -> Members:
    return Members(store_engine, clock)


async def roles_of(members: Members, name: str = "Acme") -> list[tuple[str, Role]]:
    return [(each.address, each.role) for each in await members.members_of(name)]


async def logged(members: Members, name: str = "Acme") -> list[tuple[str, str, str]]:
    entries = await AuditLog(members.engine).entries(name, 100)
    return [(entry.actor, entry.action, entry.detail) for entry in reversed(entries)]


async def test_a_member_finds_its_own_alone(members: Members) -> None:
    acme = Integrator("Acme", None, None, BEGIN)
    assert await members.register(ALICE, "Acme") == acme
    assert [each.integrator for each in await members.memberships_of(ALICE)] == ["Acme"]
    assert await members.memberships_of(BOB) == ()
    assert await members.find(BOB, "Acme") is None
    assert await members.find(ALICE, "Acme") == (acme, Role.OWNER)
    assert await members.find(ALICE, "no name") is None
    await members.put(BOB, "aCME", Role.VIEWER)
    await members.put(BOB, "Acme", Role.VIEWER)
    assert await members.find(BOB, "Acme") == (acme, Role.VIEWER)
    with pytest.raises(NotFound):
        await members.put(BOB, "nobody", Role.OWNER)
    assert await logged(members) == [
        (ALICE, "integrator registered", ""),
        (OPERATOR, "member added", f"{BOB}: viewer"),
    ]


@pytest.mark.parametrize("name", ["acme", "ACME", "rhumbline", "Admin", "", " ", "a b", "x" * 32, "<b>", "ä", "."])
async def test_a_name_must_be_free_and_well_formed(members: Members, name: str) -> None:
    await members.register(ALICE, "Acme")
    with pytest.raises(InvalidRequest) as caught:
        await members.register(BOB, name)
    assert caught.value.faults[0].startswith("integrator: ")
    assert await members.memberships_of(BOB) == ()


async def test_a_wallet_has_enough_some_day(members: Members) -> None:
    """At once, too: of many registrations no more go through than there is room for."""
    made = await asyncio.gather(*(members.register(ALICE, f"n{i}") for i in range(14)), return_exceptions=True)
    assert sum(isinstance(one, Integrator) for one in made) == MOST_INTEGRATORS
    assert len(await members.memberships_of(ALICE)) == MOST_INTEGRATORS
    assert await members.register(BOB, "n-bob") is not None


async def test_what_others_have_invited_one_to_leaves_room(members: Members) -> None:
    for number in range(MOST_INTEGRATORS):
        await members.register(BOB, f"n{number}")
        await members.put(ALICE, f"n{number}", Role.DEVELOPER)
    assert await members.register(ALICE, "Acme") is not None


async def test_the_last_owner_stays(members: Members) -> None:
    await members.register(ALICE, "Acme")
    await members.put(BOB, "Acme", Role.DEVELOPER)
    for attempt in (members.remove(ALICE, "Acme", ALICE), members.put(ALICE, "Acme", Role.VIEWER, ALICE)):
        with pytest.raises(InvalidRequest, match="this is the last owner of Acme; make another member an owner first"):
            await attempt
    await members.put(BOB, "Acme", Role.OWNER, ALICE)
    await members.remove(ALICE, "Acme", ALICE)
    assert await roles_of(members) == [(BOB, Role.OWNER)]
    with pytest.raises(InvalidRequest, match="last owner"):
        await members.remove(BOB, "Acme", BOB)
    assert (await logged(members))[-2:] == [
        (ALICE, "role set", f"{BOB}: owner, before developer"),
        (ALICE, "member left", f"{ALICE}: owner"),
    ]
    await members.remove(BOB, "Acme")
    assert await roles_of(members) == [], "the operator may, and can name another"


async def test_two_owners_who_leave_at_once_leave_one(members: Members) -> None:
    for turn in range(10):
        name = f"n{turn}"
        await members.register(ALICE if turn % 2 else BOB, name)
        await members.put(BOB if turn % 2 else ALICE, name, Role.OWNER)
        outcome = await asyncio.gather(
            members.remove(ALICE, name, ALICE), members.put(BOB, name, Role.VIEWER, BOB), return_exceptions=True
        )
        assert sum(isinstance(each, InvalidRequest) for each in outcome) == 1
        assert [role for _, role in await roles_of(members, name)].count(Role.OWNER) == 1


async def test_owners_who_remove_each_other_do_not_both_go(members: Members) -> None:
    """Who is none any more at the moment of the change changes nothing, whatever a page has shown it before."""
    for turn in range(10):
        name = f"n{turn}"
        await members.register(ALICE if turn % 2 else BOB, name)
        for address in (ALICE, BOB, CAROL):
            await members.put(address, name, Role.OWNER)
        outcome = await asyncio.gather(
            members.remove(BOB, name, ALICE), members.remove(ALICE, name, BOB), return_exceptions=True
        )
        assert [str(each) for each in outcome if each is not None] == [
            f"Invalid request parameters: member: only an owner of {name} may do this, and you are none any more"
        ]
        assert len(await roles_of(members, name)) == 2


@pytest.mark.parametrize("role", [Role.DEVELOPER, Role.VIEWER])
async def test_only_owners_manage(members: Members, role: Role) -> None:
    await members.register(ALICE, "Acme")
    await members.put(BOB, "Acme", role)
    await members.put(CAROL, "Acme", Role.VIEWER)
    for attempt in (
        members.put(BOB, "Acme", Role.OWNER, BOB),
        members.put(CAROL, "Acme", Role.DEVELOPER, BOB),
        members.remove(CAROL, "Acme", BOB),
        members.remove(ALICE, "Acme", BOB),
    ):
        with pytest.raises(InvalidRequest, match="only an owner of Acme may do this"):
            await attempt
    await members.remove(BOB, "Acme", BOB)
    assert await roles_of(members) == [(ALICE, Role.OWNER), (CAROL, Role.VIEWER)]


async def test_an_owner_adds_nobody_unasked(members: Members) -> None:
    await members.register(ALICE, "Acme")
    for attempt in (members.put(BOB, "Acme", Role.VIEWER, ALICE), members.remove(BOB, "Acme", ALICE)):
        with pytest.raises(NotFound, match="does not sign in for 'Acme'"):
            await attempt


async def test_whoever_is_no_owner_any_more_leaves_no_open_invitation(members: Members, clock: Clock) -> None:
    invitations = Invitations(members.engine, clock)
    await members.register(ALICE, "Acme")
    for address in (BOB, CAROL):
        await members.put(address, "Acme", Role.OWNER)
    codes = [(await invitations.invite("Acme", Role.OWNER, 7, None, each))[1] for each in (ALICE, BOB, CAROL)]
    await members.remove(BOB, "Acme", ALICE)
    await members.put(CAROL, "Acme", Role.VIEWER, ALICE)
    for code in codes[1:]:
        with pytest.raises(InvalidRequest, match="it was withdrawn"):
            await invitations.accept(code, BOB)
    assert (await invitations.accept(codes[0], BOB)).role is Role.OWNER


async def test_members_are_bounded(members: Members, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(members_module, "MOST_MEMBERS", 2)
    await members.register(ALICE, "Acme")
    await members.put(BOB, "Acme", Role.VIEWER)
    with pytest.raises(InvalidRequest, match="has 2, the most there may be"):
        await members.put(CAROL, "Acme", Role.VIEWER)
    await members.put(BOB, "Acme", Role.DEVELOPER)


async def test_a_process_of_the_version_before_sees_owners_alone(members: Members, store_engine: AsyncEngine) -> None:
    """Its statements, as they were: it neither takes a viewer for an owner nor fails."""
    await members.register(ALICE, "Acme")
    await members.put(BOB, "Acme", Role.VIEWER)
    async with store_engine.begin() as connection:
        query = text("SELECT address FROM portal_owners WHERE integrator = 'Acme' ORDER BY since, address")
        assert (await connection.execute(query)).scalars().all() == [ALICE]
        added = text("INSERT INTO portal_owners VALUES (:address, 'Acme', now()) ON CONFLICT DO NOTHING")
        await connection.execute(added, {"address": CAROL})
        await connection.execute(added, {"address": BOB})
        gone = text("DELETE FROM portal_owners WHERE address = :address")
        assert (await connection.execute(gone, {"address": ALICE})).rowcount == 1
        assert (await connection.execute(gone, {"address": BOB})).rowcount == 0
    assert await roles_of(members) == [(CAROL, Role.OWNER), (BOB, Role.VIEWER)]
