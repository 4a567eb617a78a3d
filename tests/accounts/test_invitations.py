"""An invitation makes one wallet a member, once, in its role, in its time."""

import asyncio

import pytest
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.accounts import invitations as invitations_module
from rhumbline.accounts.audit_log import OPERATOR, AuditLog
from rhumbline.accounts.invitation_store import Invitation
from rhumbline.accounts.invitation_store import invitations as table
from rhumbline.accounts.invitations import JOIN, LONGEST_DAYS, Invitations, link_of
from rhumbline.accounts.members import Members
from rhumbline.domain.account import Role
from rhumbline.domain.errors import InvalidRequest, NotFound
from tests.accounts.test_members import ALICE, BOB, CAROL
from tests.clocks import Clock


@pytest.fixture
async def invitations(store_engine: AsyncEngine, clock: Clock) -> Invitations:
    await Members(store_engine, clock).register(ALICE, "Acme")
    return Invitations(store_engine, clock)


@pytest.fixture
def members(store_engine: AsyncEngine, clock: Clock) -> Members:
    return Members(store_engine, clock)


async def refused(invitations: Invitations, code: str, address: str) -> str:
    """Return why a wallet cannot use a code; looked at or used, the reason is the same."""
    told = set()
    for attempt in (invitations.look(code, address), invitations.accept(code, address)):
        with pytest.raises(InvalidRequest) as caught:
            await attempt
        told |= set(caught.value.faults)
    (reason,) = told
    return reason


@pytest.mark.parametrize("role", list(Role))
async def test_an_invitation_counts_once(invitations: Invitations, members: Members, role: Role) -> None:
    made, code = await invitations.invite("acme", role, 7, None, ALICE)
    assert await invitations.open_of("Acme") == (made,)
    assert await invitations.look(code, BOB) == made
    assert await invitations.look(link_of("https://rhumbline.example/", code), BOB) == made
    assert await members.find(BOB, "Acme") is None, "to look is not to join"
    await invitations.accept(link_of("https://rhumbline.example", code), BOB)
    found = await members.find(BOB, "Acme")
    assert found is not None
    assert found[1] is role
    assert (
        await refused(invitations, code, CAROL) == "invitation: it was used already, and counts once: ask for a new one"
    )
    assert (
        await refused(invitations, code, BOB) == "invitation: it was used already, and counts once: ask for a new one"
    )
    assert await invitations.open_of("Acme") == ()


async def test_of_many_at_once_one_wins(invitations: Invitations, members: Members) -> None:
    _, code = await invitations.invite("Acme", Role.DEVELOPER, 7, None, ALICE)
    wallets = [f"0x{number:040x}" for number in range(1, 9)]
    outcome = await asyncio.gather(*(invitations.accept(code, each) for each in wallets), return_exceptions=True)
    assert sum(isinstance(each, Invitation) for each in outcome) == 1
    assert sum(isinstance(each, InvalidRequest) for each in outcome) == 7
    assert len(await members.members_of("Acme")) == 2


async def test_another_wallet_is_refused_and_uses_nothing_up(invitations: Invitations) -> None:
    _, code = await invitations.invite("Acme", Role.VIEWER, 7, BOB, ALICE)
    assert (await refused(invitations, code, CAROL)).startswith(f"invitation: it is for another wallet than {CAROL}")
    assert (await invitations.accept(code, BOB)).address == BOB


async def test_an_invitation_expires(invitations: Invitations, clock: Clock) -> None:
    _, code = await invitations.invite("Acme", Role.VIEWER, 1, None, ALICE)
    clock.move(days=1, seconds=-1)
    await invitations.look(code, BOB)
    clock.move(seconds=1)
    assert await refused(invitations, code, BOB) == "invitation: it has expired: ask for a new one"
    assert await invitations.open_of("Acme") == ()


@pytest.mark.parametrize("code", ["", "x", "#", "x" * 44, "A" * 43, "https://a.example/portal/join", "\x00", "#" * 600])
async def test_what_is_none_is_refused(invitations: Invitations, code: str) -> None:
    assert (await refused(invitations, code, BOB)).startswith("invitation: this is none, or it expired long ago")


async def test_a_withdrawn_one_is_refused(invitations: Invitations) -> None:
    made, code = await invitations.invite("Acme", Role.VIEWER, 7, None, ALICE)
    await Members(invitations.engine, invitations.clock).register(BOB, "Other")
    with pytest.raises(NotFound):
        await invitations.withdraw("Other", made.id, BOB)
    with pytest.raises(InvalidRequest, match="only an owner of Acme"):
        await invitations.withdraw("Acme", made.id, BOB)
    await invitations.withdraw("Acme", made.id, ALICE)
    assert await refused(invitations, code, CAROL) == "invitation: it was withdrawn: ask for a new one"
    for number in (made.id, 0, 2**63 - 1):
        with pytest.raises(NotFound):
            await invitations.withdraw("Acme", number, ALICE)


async def test_members_need_none(invitations: Invitations, members: Members) -> None:
    _, code = await invitations.invite("Acme", Role.OWNER, 7, None, ALICE)
    await members.put(BOB, "Acme", Role.VIEWER)
    told = f"invitation: {BOB} is a member of Acme already"
    assert await refused(invitations, code, BOB) == told, "no viewer makes itself an owner by another's link"
    with pytest.raises(InvalidRequest, match="is a member already; set its role instead"):
        await invitations.invite("Acme", Role.OWNER, 7, BOB, ALICE)
    assert (await invitations.accept(code, CAROL)).role is Role.OWNER


@pytest.mark.parametrize("role", [Role.DEVELOPER, Role.VIEWER, None])
async def test_only_owners_and_the_operator_invite(
    invitations: Invitations, members: Members, role: Role | None
) -> None:
    if role is not None:
        await members.put(BOB, "Acme", role)
    with pytest.raises(InvalidRequest, match="only an owner of Acme may do this"):
        await invitations.invite("Acme", Role.VIEWER, 7, None, BOB)
    made, _ = await invitations.invite("Acme", Role.VIEWER, 7)
    assert made.invited_by == OPERATOR
    with pytest.raises(NotFound):
        await invitations.invite("nobody", Role.VIEWER, 7)


async def test_invitations_are_bounded(invitations: Invitations, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    for days in (0, -1, LONGEST_DAYS + 1):
        with pytest.raises(InvalidRequest, match="days: an invitation lives for 1 to 30 days"):
            await invitations.invite("Acme", Role.VIEWER, days, None, ALICE)
    monkeypatch.setattr(invitations_module, "MOST_OPEN", 2)
    for _ in range(2):
        await invitations.invite("Acme", Role.VIEWER, 1, None, ALICE)
    with pytest.raises(InvalidRequest, match="2 are open; withdraw one first"):
        await invitations.invite("Acme", Role.VIEWER, 7, None, ALICE)
    clock.move(days=1)
    await invitations.invite("Acme", Role.VIEWER, 7, None, ALICE)
    clock.move(days=60)
    await invitations.invite("Acme", Role.VIEWER, 7, None, ALICE)
    async with invitations.engine.connect() as connection:
        assert len((await connection.execute(select(table.c.id))).all()) == 1, "what expired long ago is gone"


async def test_the_code_is_kept_nowhere(invitations: Invitations) -> None:
    made, code = await invitations.invite("Acme", Role.VIEWER, 7, BOB, ALICE)
    await invitations.accept(code, BOB)
    async with invitations.engine.connect() as connection:
        rows = (await connection.execute(select(table))).all()
    entries = await AuditLog(invitations.engine).entries("Acme", 100)
    assert [entry.action for entry in entries] == ["invitation used", "invitation made", "integrator registered"]
    for kept in (*rows, *entries, made):
        assert code not in repr(kept)
    assert f"{JOIN}#{code}" in link_of("https://a.example", code)
