"""The last good copy of each token list, with its signature, in the store."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlsplit

from sqlalchemy import ARRAY, Text, bindparam, text
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.catalog.token_list import ListVersion
from rhumbline.gateways.postgres.failures import store_access


@dataclass(frozen=True, slots=True)
class StoredList:
    """A stored copy's metadata; ``digest`` is the SHA-256 of its body."""

    url: str
    etag: str | None
    version: ListVersion
    digest: bytes
    stored_at: datetime
    checked_at: datetime


def _name(url: str) -> str:
    """Return the name under which a list is kept: its address; of a query, which may be a key, the SHA-256 alone."""
    parts = urlsplit(url)
    if not parts.query and not parts.fragment:
        return url
    secret = hashlib.sha256(f"{parts.query}#{parts.fragment}".encode()).hexdigest()
    return f"{parts.scheme}://{parts.netloc}{parts.path}?sha256={secret}"


async def stored_lists(engine: AsyncEngine, urls: Sequence[str]) -> dict[str, StoredList]:
    """Return the kept copies of these lists by URL. Raises StoreUnavailable, like everything here."""
    names = {_name(url): url for url in urls}
    statement = text(
        "SELECT url, etag, major, minor, patch, listed_at, digest, stored_at, checked_at FROM token_lists"
        " WHERE url = ANY(:urls)"
    ).bindparams(bindparam("urls", list(names), ARRAY(Text)))
    with store_access():
        async with engine.connect() as connection:
            rows = (await connection.execute(statement)).all()
    return {
        names[row.url]: StoredList(
            names[row.url],
            row.etag,
            ListVersion(row.major, row.minor, row.patch, row.listed_at),
            bytes(row.digest),
            row.stored_at,
            row.checked_at,
        )
        for row in rows
    }


async def stored_body(engine: AsyncEngine, kept: StoredList) -> bytes | None:
    """Return a stored copy's body; None if it has been replaced meanwhile, or does not match its signature."""
    statement = text("SELECT body FROM token_lists WHERE url = :url AND digest = :digest")
    with store_access():
        async with engine.connect() as connection:
            row = (await connection.execute(statement, {"url": _name(kept.url), "digest": kept.digest})).one_or_none()
    body = None if row is None else bytes(row.body)
    return body if body is not None and hashlib.sha256(body).digest() == kept.digest else None


async def keep_list(
    engine: AsyncEngine,
    url: str,
    body: bytes,
    *,
    etag: str | None,
    version: ListVersion,
    now: datetime,
    accept_older: bool = False,
) -> bool:
    """Keep a copy unless the one before is newer, across processes too; tell whether it was kept."""
    statement = text(
        """
        INSERT INTO token_lists AS kept
            (url, etag, major, minor, patch, listed_at, digest, body, stored_at, checked_at)
        VALUES (:url, :etag, :major, :minor, :patch, :listed_at, :digest, :body, :now, :now)
        ON CONFLICT (url) DO UPDATE SET
            etag = excluded.etag, major = excluded.major, minor = excluded.minor, patch = excluded.patch,
            listed_at = excluded.listed_at, body = excluded.body, checked_at = excluded.checked_at,
            stored_at = CASE WHEN kept.digest = excluded.digest THEN kept.stored_at ELSE excluded.stored_at END,
            digest = excluded.digest
        WHERE :accept_older OR (kept.major, kept.minor, kept.patch, kept.listed_at)
            <= (excluded.major, excluded.minor, excluded.patch, excluded.listed_at)
        """
    )
    values = {
        "url": _name(url),
        "etag": etag,
        "major": version.major,
        "minor": version.minor,
        "patch": version.patch,
        "listed_at": version.at,
        "digest": hashlib.sha256(body).digest(),
        "body": body,
        "now": now,
        "accept_older": accept_older,
    }
    with store_access():
        async with engine.begin() as connection:
            return (await connection.execute(statement, values)).rowcount == 1


async def checked_list(engine: AsyncEngine, url: str, now: datetime) -> None:
    """Note that the kept copy is still the one at its URL."""
    with store_access():
        async with engine.begin() as connection:
            await connection.execute(
                text("UPDATE token_lists SET checked_at = :now WHERE url = :url"), {"url": _name(url), "now": now}
            )
