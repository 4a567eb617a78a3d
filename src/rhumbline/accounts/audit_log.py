"""Who changed what of an integrator or of the service, and when: written in the change's transaction, kept two years.

An entry never has a secret: of a key its number and visible start, of an invitation its number, of a webhook its ID
and host.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from sqlalchemy import BigInteger, Column, DateTime, Identity, MetaData, Select, Table, Text, delete, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from rhumbline.domain.operator import Operator
from rhumbline.gateways.postgres.failures import store_access

KEPT = timedelta(days=730)
MOST_A_DAY = 1_000
"""Entries of one integrator, beyond which its keys change nothing that is written down here."""
OPERATOR = "operator"
"""The actor where it is the operator, at the command line."""
SERVICE = "service"
"""The actor where nobody asked for it."""
THE_SERVICE = ""
"""In place of an integrator, where a change is of the service itself."""
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
    Column("operator", Text),
    Column("reason", Text),
)


class Action(StrEnum):
    """What can be done to an integrator, and to the service at the end, as lists show it."""

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
    PAUSED = "paused"
    RESUMED = "resumed"
    LOG_LEVEL_SET = "log level set"


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """One change: ``actor`` is a wallet (EIP-55), ``key`` and a key's number, ``OPERATOR``, or ``SERVICE``.

    ``operator`` says who that operator is, and ``reason`` why it was done: no integrator is shown either.
    """

    id: int
    at: datetime
    integrator: str
    actor: str
    action: str
    detail: str
    operator: str | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Deed:
    """A change that is about to be made: ``by`` is the actor, None for the operator, who may be named."""

    by: str | None
    action: Action
    detail: str
    operator: Operator | None = None


@dataclass(frozen=True, slots=True)
class AuditLog:
    """Reads the log. Raises StoreUnavailable when the store cannot be reached."""

    engine: AsyncEngine

    async def entries(self, integrator: str, most: int, before: int = _LARGEST_ID) -> tuple[AuditEntry, ...]:
        """Return an integrator's latest entries, newest first, of those with a smaller number than ``before``."""
        return await self._latest(select(audit_log).where(audit_log.c.integrator == integrator), most, before)

    async def all_entries(self, most: int, before: int = _LARGEST_ID) -> tuple[AuditEntry, ...]:
        """Return the latest entries of the service and of all integrators, as ``entries`` does."""
        return await self._latest(select(audit_log), most, before)

    async def _latest(self, query: Select[Any], most: int, before: int) -> tuple[AuditEntry, ...]:
        seen = audit_log.c
        query = query.where(seen.id < min(before, _LARGEST_ID)).order_by(seen.id.desc()).limit(most)
        with store_access():
            async with self.engine.connect() as connection:
                return tuple(AuditEntry(*row) for row in await connection.execute(query))


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
        "operator": None if deed.operator is None else deed.operator.name,
        "reason": None if deed.operator is None else deed.operator.reason,
    }
    await connection.execute(insert(audit_log).values(row))
    await connection.execute(delete(audit_log).where(audit_log.c.at < at - KEPT))
