"""Which wallets may do what for which integrators in the portal. One made by the command line has no member yet.

Changes of one integrator's members go one after the other, so that it keeps an owner whoever leaves at the same time.
"""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Column, DateTime, ForeignKey, MetaData, Table, Text, delete, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from rhumbline.accounts import integrator_store
from rhumbline.accounts.audit_log import Action, Deed, note
from rhumbline.accounts.integrators import is_name, name_faults
from rhumbline.accounts.invitation_store import withdraw_invitations_of
from rhumbline.domain.account import Integrator, Role
from rhumbline.domain.clock import Clock
from rhumbline.domain.errors import InvalidRequest, NotFound
from rhumbline.domain.sentence import Sentence
from rhumbline.gateways.postgres.failures import store_access

MOST_INTEGRATORS = 10
MOST_MEMBERS = 50

members = Table(
    "portal_members",
    MetaData(),
    Column("address", Text, primary_key=True),
    Column("integrator", Text, ForeignKey(integrator_store.integrators.c.name), primary_key=True),
    Column("since", DateTime(timezone=True), nullable=False),
    Column("role", Text, nullable=False),
)


@dataclass(frozen=True, slots=True)
class Member:
    """A wallet (EIP-55) that signs in for an integrator."""

    address: str
    integrator: str
    since: datetime
    role: Role


@dataclass(frozen=True, slots=True)
class Members:
    """Members by address, in EIP-55 form. All methods raise StoreUnavailable when the store cannot be reached.

    ``by`` is the wallet that makes a change, which must be an owner while it is made; None is the operator.
    """

    engine: AsyncEngine
    clock: Clock

    async def register(self, address: str, name: str) -> Integrator:
        """Register an integrator and its owner, or neither; InvalidRequest: a bad or taken name, too many."""
        if faults := name_faults(name):
            raise InvalidRequest(faults)
        integrator = Integrator(name, None, None, self.clock())
        with store_access():
            async with self.engine.begin() as connection:
                # Registrations of one wallet go one after the other, so that the count below holds.
                await connection.execute(select(func.pg_advisory_xact_lock(func.hashtext(address))))
                owned = select(func.count()).where(members.c.address == address, members.c.role == Role.OWNER)
                if (await connection.execute(owned)).scalar_one() >= MOST_INTEGRATORS:
                    raise InvalidRequest(
                        [
                            Sentence(
                                "integrator: a wallet may register %(most)s; use another, or ask the operator",
                                most=MOST_INTEGRATORS,
                            )
                        ]
                    )
                if not await integrator_store.add_integrator(connection, integrator):
                    raise InvalidRequest([Sentence("integrator: %(name)s is taken; choose another name", name=name)])
                await put_member(connection, address, name, self.clock(), Role.OWNER)
                await note(connection, name, self.clock(), Deed(address, Action.REGISTERED, ""))
        return integrator

    async def put(self, address: str, name: str, role: Role, by: str | None = None) -> None:
        """Give a wallet a role, whether it is a member yet (only the operator adds one so) or not.

        Once more changes nothing. Raise NotFound for no integrator or no member, InvalidRequest if the last owner would
        be none any more, or ``by`` is not an owner.
        """
        with store_access():
            async with self.engine.begin() as connection:
                integrator = await _in_turn(connection, name, by)
                before = await role_of(connection, address, integrator)
                if before is None and by is not None:
                    raise _no_member(address, integrator)
                if before is Role.OWNER and role is not Role.OWNER:
                    await _keep_an_owner(connection, integrator, by)
                if before == role:
                    return
                await put_member(connection, address, integrator, self.clock(), role)
                told = f"{address}: {role}" + ("" if before is None else f", before {before}")
                deed = Deed(by, Action.MEMBER_ADDED if before is None else Action.ROLE_SET, told)
                await note(connection, integrator, self.clock(), deed)
                if before is Role.OWNER:
                    await withdraw_invitations_of(connection, integrator, address, self.clock())

    async def remove(self, address: str, name: str, by: str | None = None) -> None:
        """Remove a member, from its next request on; ``by`` itself leaves, whatever its role is.

        Raise NotFound if it is none, InvalidRequest if it is the last owner (the operator may) or ``by`` is not one.
        """
        with store_access():
            async with self.engine.begin() as connection:
                integrator = await _in_turn(connection, name, None if by == address else by)
                role = await role_of(connection, address, integrator)
                if role is None:
                    raise _no_member(address, integrator)
                if role is Role.OWNER:
                    await _keep_an_owner(connection, integrator, by)
                gone = delete(members).where(members.c.address == address, members.c.integrator == integrator)
                await connection.execute(gone)
                left = Action.MEMBER_LEFT if by == address else Action.MEMBER_REMOVED
                await note(connection, integrator, self.clock(), Deed(by, left, f"{address}: {role}"))
                await withdraw_invitations_of(connection, integrator, address, self.clock())

    async def members_of(self, name: str) -> tuple[Member, ...]:
        """Return the members of the integrator of this very name: owners first, then by how long they are."""
        query = select(members).where(members.c.integrator == name).order_by(members.c.since, members.c.address)
        with store_access():
            async with self.engine.connect() as connection:
                found = [_member(row.address, name, row.since, row.role) for row in await connection.execute(query)]
        return tuple(sorted(found, key=lambda member: tuple(Role).index(member.role)))

    async def memberships_of(self, address: str) -> tuple[Member, ...]:
        """Return what a wallet is, for which integrators, oldest membership first."""
        query = select(members).where(members.c.address == address).order_by(members.c.since, members.c.integrator)
        with store_access():
            async with self.engine.connect() as connection:
                rows = await connection.execute(query)
                return tuple(_member(address, row.integrator, row.since, row.role) for row in rows)

    async def find(self, address: str, name: str) -> tuple[Integrator, Role] | None:
        """Return an integrator and a wallet's role in it; None where it has none: another's looks like none."""
        if not is_name(name):
            return None
        with store_access():
            async with self.engine.connect() as connection:
                role = await role_of(connection, address, name)
                integrator = None if role is None else await integrator_store.find_integrator(connection, name)
        return None if integrator is None or role is None else (integrator, role)


async def role_of(connection: AsyncConnection, address: str, integrator: str) -> Role | None:
    """Return a wallet's role in the integrator of this very name, None for none."""
    query = select(members.c.role).where(members.c.address == address, members.c.integrator == integrator)
    found = (await connection.execute(query)).scalar_one_or_none()
    return None if found is None else Role(found)


async def put_member(connection: AsyncConnection, address: str, integrator: str, since: datetime, role: Role) -> None:
    """Add a member, or give the one that is there the role; raise InvalidRequest where there are enough."""
    count = select(func.count()).where(members.c.integrator == integrator, members.c.address != address)
    if (await connection.execute(count)).scalar_one() >= MOST_MEMBERS:
        raise InvalidRequest(
            [
                Sentence(
                    "member: %(integrator)s has %(most)s, the most there may be; remove one first",
                    integrator=integrator,
                    most=MOST_MEMBERS,
                )
            ]
        )
    row = {"address": address, "integrator": integrator, "since": since, "role": role.value}
    added = insert(members).values(row)
    changed = added.on_conflict_do_update(
        index_elements=[members.c.address, members.c.integrator], set_={"role": role.value}
    )
    await connection.execute(changed)


async def lock_members(connection: AsyncConnection, integrator: str) -> None:
    """Wait for other transactions that change the members or invitations of the same integrator."""
    await connection.execute(select(func.pg_advisory_xact_lock(func.hashtext("members of " + integrator))))


async def require_owner(connection: AsyncConnection, integrator: str, by: str | None) -> None:
    """Raise InvalidRequest unless a wallet is an owner at this moment; the operator (None) may do everything."""
    if by is not None and await role_of(connection, by, integrator) is not Role.OWNER:
        raise InvalidRequest(
            [
                Sentence(
                    "member: only an owner of %(integrator)s may do this, and you are none any more",
                    integrator=integrator,
                )
            ]
        )


async def _in_turn(connection: AsyncConnection, name: str, by: str | None) -> str:
    found = await integrator_store.find_integrator(connection, name) if is_name(name) else None
    if found is None:
        raise NotFound(f"integrator: there is no integrator named {name!r}; register it first")
    await lock_members(connection, found.name)
    await require_owner(connection, found.name, by)
    return found.name


async def _keep_an_owner(connection: AsyncConnection, integrator: str, by: str | None) -> None:
    """Raise InvalidRequest if there is one owner left, unless the operator asks, who can name another at any time."""
    query = select(func.count()).where(members.c.integrator == integrator, members.c.role == Role.OWNER)
    if by is not None and (await connection.execute(query)).scalar_one() <= 1:
        raise InvalidRequest(
            [
                Sentence(
                    "member: this is the last owner of %(integrator)s; make another member an owner first",
                    integrator=integrator,
                )
            ]
        )


def _member(address: str, integrator: str, since: datetime, role: str) -> Member:
    return Member(address, integrator, since, Role(role))


def _no_member(address: str, integrator: str) -> NotFound:
    return NotFound(
        Sentence(
            "member: %(address)s does not sign in for %(integrator)r; see its list of members",
            address=address,
            integrator=integrator,
        )
    )
