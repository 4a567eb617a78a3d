"""Sign-ins to the portal: nonces that are valid once, and sessions. Both are stored as digests only.

A nonce is good for one purpose of one browser, for a few minutes. A session ends when it is not used for an hour, and
twelve hours after its begin in any case.
"""

import re
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256

from sqlalchemy import Column, DateTime, Delete, LargeBinary, MetaData, Table, Text, delete, or_, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from rhumbline.domain.clock import Clock
from rhumbline.gateways.postgres.failures import store_access

NONCE_LIFE = timedelta(minutes=5)
MOST_NONCES = 20_000
"""Anybody may request one: beyond this number, the oldest are deleted."""
IDLE = timedelta(hours=1)
LIFE = timedelta(hours=12)
_NOTED = timedelta(minutes=1)
"""A use is written only if it is this much later than the last written one: not every page is worth a write."""
_BYTES = 32
_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}\Z", re.ASCII)
_NONCE = re.compile(r"[0-9a-f]{32}\Z", re.ASCII)

_metadata = MetaData()
_TIME = DateTime(timezone=True)

nonces = Table(
    "portal_nonces",
    _metadata,
    Column("digest", LargeBinary, primary_key=True),
    Column("expires_at", _TIME, nullable=False),
)
sessions = Table(
    "portal_sessions",
    _metadata,
    Column("digest", LargeBinary, primary_key=True),
    Column("address", Text, nullable=False),
    Column("begun_at", _TIME, nullable=False),
    Column("used_at", _TIME, nullable=False),
)


@dataclass(frozen=True, slots=True)
class Session:
    """A signed-in wallet: ``address`` in EIP-55 form."""

    address: str
    begun_at: datetime


@dataclass(frozen=True, slots=True)
class Sessions:
    """Begins, finds and ends sessions. All methods raise StoreUnavailable when the store cannot be reached."""

    engine: AsyncEngine
    clock: Clock

    async def new_nonce(self, purpose: str, holder: str) -> str:
        """Return a nonce, 32 hexadecimal digits, that counts once, for this purpose and this holder."""
        nonce, now = secrets.token_hex(16), self.clock()
        with store_access():
            async with self.engine.begin() as connection:
                await _make_room(connection, now)
                row = {"digest": _bound(nonce, purpose, holder), "expires_at": now + NONCE_LIFE}
                await connection.execute(insert(nonces).values(row))
        return nonce

    async def is_first(self, text: str, holder: str) -> bool:
        """Return whether this holder sends a text for the first time within five minutes, across all processes."""
        now = self.clock()
        row = {"digest": _bound(text, "first", holder), "expires_at": now + NONCE_LIFE}
        seen = insert(nonces).values(row).on_conflict_do_nothing().returning(nonces.c.digest)
        with store_access():
            async with self.engine.begin() as connection:
                await _make_room(connection, now)
                return (await connection.execute(seen)).one_or_none() is not None

    async def prove_writing(self) -> None:
        """Write a useless nonce and remove it: raises what a refused write raises."""
        row = {"digest": secrets.token_bytes(_BYTES), "expires_at": self.clock()}
        with store_access():
            async with self.engine.begin() as connection:
                await connection.execute(insert(nonces).values(row))
                await connection.execute(delete(nonces).where(nonces.c.digest == row["digest"]))

    async def has_nonce(self, nonce: str, purpose: str, holder: str) -> bool:
        """Return whether ``use_nonce`` would accept a nonce now; it is not used up."""
        if not _NONCE.match(nonce):
            return False
        kept = select(nonces.c.expires_at).where(nonces.c.digest == _bound(nonce, purpose, holder))
        with store_access():
            async with self.engine.connect() as connection:
                expires_at = (await connection.execute(kept)).scalar_one_or_none()
        return expires_at is not None and expires_at > self.clock()

    async def use_nonce(self, nonce: str, purpose: str, holder: str) -> bool:
        """Take a nonce out, once in all processes; False when it was never given, is used, too old, or another's."""
        if not _NONCE.match(nonce):
            return False
        taken = delete(nonces).where(nonces.c.digest == _bound(nonce, purpose, holder)).returning(nonces.c.expires_at)
        with store_access():
            async with self.engine.begin() as connection:
                expires_at = (await connection.execute(taken)).scalar_one_or_none()
        return expires_at is not None and expires_at > self.clock()

    async def begin(self, address: str) -> str:
        """Begin a session and return its token, which is kept nowhere: the browser's cookie has the only copy."""
        token, now = new_token(), self.clock()
        row = {"digest": _digest(token), "address": address, "begun_at": now, "used_at": now}
        over = or_(sessions.c.used_at <= now - IDLE, sessions.c.begun_at <= now - LIFE)
        with store_access():
            async with self.engine.begin() as connection:
                await connection.execute(delete(sessions).where(over))
                await connection.execute(insert(sessions).values(row))
        return token

    async def find(self, token: str) -> Session | None:
        """Return the session of a token and note that it was used; None when it has ended or never was."""
        if not is_token(token):
            return None
        now = self.clock()
        seen = sessions.c
        query = select(seen.address, seen.begun_at, seen.used_at).where(
            seen.digest == _digest(token), seen.used_at > now - IDLE, seen.begun_at > now - LIFE
        )
        with store_access():
            async with self.engine.begin() as connection:
                row = (await connection.execute(query)).one_or_none()
                if row is not None and row.used_at <= now - _NOTED:
                    await connection.execute(update(sessions).where(seen.digest == _digest(token)).values(used_at=now))
        return None if row is None else Session(row.address, row.begun_at)

    async def end(self, token: str) -> None:
        """End a session; one that has ended already stays ended."""
        await self._remove(delete(sessions).where(sessions.c.digest == _digest(token)))

    async def end_all(self, address: str) -> None:
        await self._remove(delete(sessions).where(sessions.c.address == address))

    async def _remove(self, statement: Delete) -> None:
        with store_access():
            async with self.engine.begin() as connection:
                await connection.execute(statement)


def new_token() -> str:
    """Return 256 random bits as text that a cookie can hold."""
    return secrets.token_urlsafe(_BYTES)


async def _make_room(connection: AsyncConnection, now: datetime) -> None:
    crowded = select(nonces.c.expires_at).order_by(nonces.c.expires_at.desc()).offset(MOST_NONCES - 1)
    over = or_(nonces.c.expires_at <= now, nonces.c.expires_at <= crowded.limit(1).scalar_subquery())
    await connection.execute(delete(nonces).where(over))


def is_token(text: str) -> bool:
    return bool(_TOKEN.match(text))


def _digest(token: str) -> bytes:
    """Full entropy needs no salt and no slow hash."""
    return sha256(token.encode()).digest()


def _bound(nonce: str, purpose: str, holder: str) -> bytes:
    """Return a digest of a nonce with its purpose, so that it is found for nothing else."""
    return sha256("\0".join((nonce, purpose, holder)).encode()).digest()
