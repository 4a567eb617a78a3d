"""The table of invitations, and the statements on it. Their codes are here as digests only."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import (
    BigInteger,
    Column,
    DateTime,
    ForeignKey,
    Identity,
    LargeBinary,
    MetaData,
    Row,
    Table,
    Text,
    delete,
    func,
    insert,
    select,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from rhumbline.accounts.integrator_store import integrators
from rhumbline.domain.account import Role

KEPT = timedelta(days=30)
"""How long an invitation is known after it has expired, so that whoever comes late is told why."""

invitations = Table(
    "portal_invitations",
    MetaData(),
    Column("id", BigInteger, Identity(always=True), primary_key=True),
    Column("digest", LargeBinary, nullable=False, unique=True),
    Column("integrator", Text, ForeignKey(integrators.c.name), nullable=False),
    Column("role", Text, nullable=False),
    Column("address", Text),
    Column("invited_by", Text, nullable=False),
    Column("created_at", DateTime(timezone=True), nullable=False),
    Column("expires_at", DateTime(timezone=True), nullable=False),
    Column("ended_at", DateTime(timezone=True)),
    Column("used_by", Text),
)
_OPEN = invitations.c.ended_at.is_(None)


@dataclass(frozen=True, slots=True)
class Invitation:
    """An invitation as the store knows it: never its code.

    ``address`` is the only wallet that may use it, None for any; ``invited_by`` the wallet that made it, or the
    operator. It has ended when it was used, by ``used_by``, or withdrawn.
    """

    id: int
    integrator: str
    role: Role
    address: str | None
    invited_by: str
    created_at: datetime
    expires_at: datetime
    ended_at: datetime | None = None
    used_by: str | None = None


async def add_invitation(connection: AsyncConnection, digest: bytes, new: Invitation) -> Invitation:
    """Add an invitation, with all of ``new`` but its number; the integrator's that expired long ago go."""
    over = invitations.c.expires_at < new.created_at - KEPT
    await connection.execute(delete(invitations).where(invitations.c.integrator == new.integrator, over))
    values = {
        "digest": digest,
        "integrator": new.integrator,
        "role": new.role.value,
        "address": new.address,
        "invited_by": new.invited_by,
        "created_at": new.created_at,
        "expires_at": new.expires_at,
    }
    return _invitation((await connection.execute(insert(invitations).values(values).returning(invitations))).one())


async def find_invitation(connection: AsyncConnection, digest: bytes) -> Invitation | None:
    row = (await connection.execute(select(invitations).where(invitations.c.digest == digest))).one_or_none()
    return None if row is None else _invitation(row)


async def open_invitations(connection: AsyncConnection, integrator: str, now: datetime) -> tuple[Invitation, ...]:
    """Return an integrator's invitations that can be used, oldest first."""
    usable = select(invitations).where(invitations.c.integrator == integrator, _OPEN, invitations.c.expires_at > now)
    return tuple(_invitation(row) for row in await connection.execute(usable.order_by(invitations.c.id)))


async def count_invitations(connection: AsyncConnection, integrator: str, now: datetime) -> int:
    """Count an integrator's invitations that can be used."""
    query = select(func.count()).where(invitations.c.integrator == integrator, _OPEN, invitations.c.expires_at > now)
    return (await connection.execute(query)).scalar_one()


async def end_invitation(
    connection: AsyncConnection, number: int, now: datetime, used_by: str | None = None
) -> Invitation | None:
    """End an invitation; None if it has ended already, or there is none."""
    ended = update(invitations).where(invitations.c.id == number, _OPEN).values(ended_at=now, used_by=used_by)
    row = (await connection.execute(ended.returning(invitations))).one_or_none()
    return None if row is None else _invitation(row)


async def withdraw_invitations_of(connection: AsyncConnection, integrator: str, by: str, now: datetime) -> None:
    """End the open invitations of a wallet that may not invite any more: they would let it in again."""
    made = update(invitations).where(invitations.c.integrator == integrator, invitations.c.invited_by == by, _OPEN)
    await connection.execute(made.values(ended_at=now))


def _invitation(row: Row[Any]) -> Invitation:
    return Invitation(
        row.id,
        row.integrator,
        Role(row.role),
        row.address,
        row.invited_by,
        row.created_at,
        row.expires_at,
        row.ended_at,
        row.used_by,
    )
