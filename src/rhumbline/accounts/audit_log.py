"""Who changed what of an integrator, and when: written in the transaction of the change, kept for two years.

An entry never has a secret: of a key its number and visible start, of an invitation its number, of a webhook its ID
and host.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from sqlalchemy import BigInteger, Column, DateTime, Identity, MetaData, Table, Text, delete, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from rhumbline.gateways.postgres.failures import store_access

KEPT = timedelta(days=730)
MOST_A_DAY = 1_000
"""Entries of one integrator, beyond which its keys change nothing that is written down here."""
OPERATOR = "operator"
"""The actor where it is the operator, at the command line."""
SERVICE = "service"
"""The actor where nobody asked for it."""
_LARGEST_ID = 2**63 - 1

audit_log = Table(
    "audit_log",
    MetaData(),
    Column("id", BigInteger, Identity(always=True), primary_key=True),
    Column("at", DateTime(timezone=True), nullable=False),
    Column("integrator", Text, nullable=False),
    Column("actor", Text, nullable=False),
    Column("action", Text, nullable=False),
    Column("detail", Text, nullable=False),
)


class Action(StrEnum):
    """What can be done to an integrator, as lists show it."""

    REGISTERED = "integrator registered"
    WALLET_SET = "fee wallet set"
    RULE_SET = "fee rule set"
    KEY_CREATED = "key created"
    KEY_NAMED = "key named"
    KEY_TERMS_SET = "key restricted"
    KEY_ROTATED = "key rotated"
    KEY_REVOKED = "key revoked"
    KEY_LIMITS_SET = "key limits set"
    KEY_RULE_SET = "key fee rule set"
    MEMBER_ADDED = "member added"
    ROLE_SET = "role set"
    MEMBER_REMOVED = "member removed"
    MEMBER_LEFT = "member left"
    INVITED = "invitation made"
    INVITATION_WITHDRAWN = "invitation withdrawn"
    INVITATION_USED = "invitation used"
    WEBHOOK_ADDED = "webhook added"
    WEBHOOK_ROTATED = "webhook secret replaced"
    WEBHOOK_REMOVED = "webhook removed"
    WEBHOOK_ON = "webhook switched on"
    WEBHOOK_OFF = "webhook switched off"
    WEBHOOK_TESTED = "webhook tested"
    WEBHOOK_RESENT = "webhook delivery repeated"


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """One change: ``actor`` is a wallet (EIP-55), ``key`` and a key's number, ``OPERATOR``, or ``SERVICE``."""

    id: int
    at: datetime
    integrator: str
    actor: str
    action: str
    detail: str


@dataclass(frozen=True, slots=True)
class Deed:
    """A change that is about to be made: ``by`` is the actor, None for the operator."""

    by: str | None
    action: Action
    detail: str


@dataclass(frozen=True, slots=True)
class AuditLog:
    """Reads the log. Raises StoreUnavailable when the store cannot be reached."""

    engine: AsyncEngine

    async def entries(self, integrator: str, most: int, before: int = _LARGEST_ID) -> tuple[AuditEntry, ...]:
        """Return an integrator's latest entries, newest first, of those with a smaller number than ``before``."""
        seen = audit_log.c
        query = select(audit_log).where(seen.integrator == integrator, seen.id < min(before, _LARGEST_ID))
        with store_access():
            async with self.engine.connect() as connection:
                rows = await connection.execute(query.order_by(seen.id.desc()).limit(most))
                return tuple(AuditEntry(*row) for row in rows)


async def is_crowded(connection: AsyncConnection, integrator: str, at: datetime) -> bool:
    """Return whether an integrator has ``MOST_A_DAY`` entries of the last day."""
    entries = select(audit_log.c.at).where(audit_log.c.integrator == integrator).order_by(audit_log.c.id.desc())
    oldest = (await connection.execute(entries.offset(MOST_A_DAY - 1).limit(1))).scalar_one_or_none()
    return oldest is not None and oldest > at - timedelta(days=1)


async def note(connection: AsyncConnection, integrator: str, at: datetime, deed: Deed) -> None:
    """Write a change down, in its own transaction; what is older than two years goes."""
    row: Mapping[str, object] = {
        "at": at,
        "integrator": integrator,
        "actor": deed.by or OPERATOR,
        "action": deed.action.value,
        "detail": deed.detail,
    }
    await connection.execute(insert(audit_log).values(row))
    await connection.execute(delete(audit_log).where(audit_log.c.at < at - KEPT))
