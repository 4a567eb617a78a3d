"""Invitations: a code that makes one wallet a member, once, in a role, for a while.

A code is 256 random bits. It travels behind the ``#`` of a link, which browsers send to nobody: it is in no log.
"""

import re
import secrets
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256

from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from rhumbline.accounts import integrator_store, invitation_store
from rhumbline.accounts.audit_log import OPERATOR, Action, Deed, note
from rhumbline.accounts.integrators import is_name
from rhumbline.accounts.invitation_store import Invitation
from rhumbline.accounts.members import lock_members, put_member, require_owner, role_of
from rhumbline.domain.account import Role
from rhumbline.domain.clock import Clock
from rhumbline.domain.errors import InvalidRequest, NotFound
from rhumbline.domain.sentence import Sentence
from rhumbline.gateways.postgres.failures import store_access

JOIN = "/portal/join"
"""The page on which an invitation is used."""
MOST_OPEN = 20
LONGEST_DAYS = 30
_CODE = re.compile(r"(?:.*#)?(?P<code>[A-Za-z0-9_-]{43})\Z", re.ASCII | re.DOTALL)
_LONGEST_LINK = 500
_UNKNOWN = "invitation: this is none, or it expired long ago: copy the whole link, or ask for a new one"


@dataclass(frozen=True, slots=True)
class Invitations:
    """Makes and uses invitations. Methods raise StoreUnavailable, and InvalidRequest that says what is wrong.

    ``by`` is the wallet that makes a change, which must be an owner while it is made; None is the operator.
    """

    engine: AsyncEngine
    clock: Clock

    async def invite(
        self, name: str, role: Role, days: int, address: str | None = None, by: str | None = None
    ) -> tuple[Invitation, str]:
        """Make an invitation that lives ``days``; its code is returned here and never again.

        With ``address`` (EIP-55) only that wallet can use it. Raise NotFound for no integrator, InvalidRequest: too
        long, too many, a wallet that is a member already.
        """
        if not 1 <= days <= LONGEST_DAYS:
            raise InvalidRequest([Sentence("days: an invitation lives for 1 to %(most)s days", most=LONGEST_DAYS)])
        code, now = secrets.token_urlsafe(32), self.clock()
        with store_access():
            async with self.engine.begin() as connection:
                found = await integrator_store.find_integrator(connection, name) if is_name(name) else None
                if found is None:
                    raise NotFound(f"integrator: there is no integrator named {name!r}; register it first")
                await lock_members(connection, found.name)
                await require_owner(connection, found.name, by)
                if await invitation_store.count_invitations(connection, found.name, now) >= MOST_OPEN:
                    raise InvalidRequest(
                        [Sentence("invitation: %(count)s are open; withdraw one first", count=MOST_OPEN)]
                    )
                if address is not None and await role_of(connection, address, found.name) is not None:
                    raise InvalidRequest(
                        [Sentence("wallet: %(address)s is a member already; set its role instead", address=address)]
                    )
                end = now + timedelta(days=days)
                new = Invitation(0, found.name, role, address, by or OPERATOR, now, end)
                made = await invitation_store.add_invitation(connection, _digest(code), new)
                await note(connection, found.name, now, Deed(by, Action.INVITED, _summary(made)))
        return made, code

    async def open_of(self, name: str) -> tuple[Invitation, ...]:
        """Return the invitations to the integrator of this very name that can be used, oldest first."""
        with store_access():
            async with self.engine.connect() as connection:
                return await invitation_store.open_invitations(connection, name, self.clock())

    async def withdraw(self, name: str, number: int, by: str | None = None) -> None:
        """End an open invitation unused; raise NotFound for one that has ended, and for another integrator's."""
        with store_access():
            async with self.engine.begin() as connection:
                await lock_members(connection, name)
                await require_owner(connection, name, by)
                open_ones = await invitation_store.open_invitations(connection, name, self.clock())
                if number not in {each.id for each in open_ones}:
                    raise NotFound(Sentence("invitation: there is no such open one; see the list"))
                await invitation_store.end_invitation(connection, number, self.clock())
                deed = Deed(by, Action.INVITATION_WITHDRAWN, f"invitation {number}")
                await note(connection, name, self.clock(), deed)

    async def look(self, code: str, address: str) -> Invitation:
        """Return the invitation that a wallet could use now by its code, or the link that has it; uses nothing up."""
        with store_access():
            async with self.engine.begin() as connection:
                return await self._usable(connection, code, address)

    async def accept(self, code: str, address: str) -> Invitation:
        """Make a wallet a member, and use the invitation up: both or neither."""
        with store_access():
            async with self.engine.begin() as connection:
                await lock_members(connection, (await self._usable(connection, code, address)).integrator)
                invitation, now = await self._usable(connection, code, address), self.clock()
                await put_member(connection, address, invitation.integrator, now, invitation.role)
                await invitation_store.end_invitation(connection, invitation.id, now, address)
                deed = Deed(address, Action.INVITATION_USED, _summary(invitation))
                await note(connection, invitation.integrator, now, deed)
                return invitation

    async def _usable(self, connection: AsyncConnection, code: str, address: str) -> Invitation:
        """Return an invitation that this wallet may use at this moment. Raise InvalidRequest that says why not."""
        written = _CODE.match(code) if len(code) <= _LONGEST_LINK else None
        digest = None if written is None else _digest(written["code"])
        found = None if digest is None else await invitation_store.find_invitation(connection, digest)
        if found is None:
            raise InvalidRequest([_UNKNOWN])
        if found.used_by is not None:
            raise InvalidRequest([Sentence("invitation: it was used already, and counts once: ask for a new one")])
        if found.ended_at is not None:
            raise InvalidRequest([Sentence("invitation: it was withdrawn: ask for a new one")])
        if found.expires_at <= self.clock():
            raise InvalidRequest([Sentence("invitation: it has expired: ask for a new one")])
        if found.address is not None and found.address != address:
            raise InvalidRequest(
                [
                    Sentence(
                        "invitation: it is for another wallet than %(address)s: sign in with the one that was invited",
                        address=address,
                    )
                ]
            )
        if await role_of(connection, address, found.integrator) is not None:
            raise InvalidRequest(
                [
                    Sentence(
                        "invitation: %(address)s is a member of %(integrator)s already",
                        address=address,
                        integrator=found.integrator,
                    )
                ]
            )
        return found


def link_of(base_url: str, code: str) -> str:
    """Return the link to hand on, for a service at this address."""
    return f"{base_url.rstrip('/')}{JOIN}#{code}"


def _summary(invitation: Invitation) -> str:
    whom = "" if invitation.address is None else f", for {invitation.address}"
    return f"invitation {invitation.id}: {invitation.role}{whom}, until {invitation.expires_at:%Y-%m-%d %H:%M UTC}"


def _digest(code: str) -> bytes:
    """Full entropy needs no salt and no slow hash."""
    return sha256(code.encode()).digest()
