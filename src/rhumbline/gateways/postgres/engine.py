"""Connections to PostgreSQL 15 or newer, by SQLAlchemy Core over asyncpg.

A DSN is a URL as libpq knows it (https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING-URIS,
read 2026-11): `postgresql://user:password@host:port/database?sslmode=verify-full`, `postgres://…`, and with a Unix
socket `postgresql://user@/database?host=/run/postgresql`. SQLAlchemy never sees the password, so no repr can show it.
"""

import os
import socket
from dataclasses import dataclass
from urllib.parse import parse_qsl, unquote, urlsplit

import asyncpg
from sqlalchemy import URL, event, text
from sqlalchemy.exc import DisconnectionError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from rhumbline.gateways.postgres.failures import DATABASE_ERRORS, StoreError, explain

OLDEST_VERSION = 15
APPLICATION = "rhumbline"
"""The service's sessions have this application name."""
_STATEMENT_TIMEOUT_S = 15.0
IDLE_TRANSACTION_S = 8.0
"""A process that sleeps in a transaction locks rows for so long; then the server ends its session."""
_KEEPALIVE_S = 5
_KEEPALIVES = 3
"""After this many unanswered keepalives, either end treats its peer as gone."""
_POOL_TIMEOUT_S = 5.0
_SCHEMES = ("postgresql", "postgres", "postgresql+asyncpg")


@dataclass(frozen=True, slots=True)
class _Address:
    """A parsed DSN: the part that may be shown, and the secret text for asyncpg."""

    dsn: str
    user: str | None
    host: str | None
    port: int | None
    database: str | None


def create_engine(
    dsn: str, pool_size: int = 10, connect_timeout_s: float = 5.0, statement_timeout_s: float = _STATEMENT_TIMEOUT_S
) -> AsyncEngine:
    """Make an engine with a pool of at most ``pool_size`` connections; nothing is connected yet.

    What was opened stays open: a new connection has to ask for the types of arrays and to prepare its statements again,
    which takes many times what a statement takes. The one used last is used first, so few have all statements prepared.
    A connection that the server has closed meanwhile is replaced when it is taken from the pool, without asking the
    server first. A statement may take ``statement_timeout_s``, by the server's word as well, and a transaction may rest
    for eight seconds; both ends notice within 20 seconds that the other is gone. Raises StoreError for a DSN that
    cannot be one.
    """
    address = _parse(dsn)

    bounds = {
        "statement_timeout": round(1000 * statement_timeout_s),
        "idle_in_transaction_session_timeout": round(1000 * IDLE_TRANSACTION_S),
        # Without meaning for a Unix socket, where they are taken and ignored.
        "tcp_keepalives_idle": _KEEPALIVE_S,
        "tcp_keepalives_interval": _KEEPALIVE_S,
        "tcp_keepalives_count": _KEEPALIVES,
        "tcp_user_timeout": 1000 * _KEEPALIVE_S * (_KEEPALIVES + 1),
    }
    # Not among the parameters of the start, which poolers refuse.
    bounding = "SELECT " + ", ".join(f"set_config('{name}', '{value}', false)" for name, value in bounds.items())

    async def connect() -> "asyncpg.Connection[asyncpg.Record]":
        connection = await asyncpg.connect(
            address.dsn,
            timeout=connect_timeout_s,
            command_timeout=statement_timeout_s,
            server_settings={"application_name": APPLICATION, "timezone": "UTC"},
        )
        try:
            _keep_alive(connection)
            await connection.execute(bounding)
        except BaseException:
            connection.terminate()
            raise
        return connection

    shown = URL.create(
        "postgresql+asyncpg", username=address.user, host=address.host, port=address.port, database=address.database
    )
    engine = create_async_engine(
        shown,
        async_creator=connect,
        pool_size=pool_size,
        max_overflow=0,
        pool_timeout=_POOL_TIMEOUT_S,
        pool_use_lifo=True,
    )
    event.listen(engine.sync_engine, "checkout", _refuse_closed)
    return engine


async def check(engine: AsyncEngine) -> None:
    """Check that the server answers and is suitable; StoreError says in one line what is wrong and what to do."""
    try:
        async with engine.connect() as connection:
            version = int((await connection.execute(text("SHOW server_version_num"))).scalar_one())
            encoding = str((await connection.execute(text("SHOW server_encoding"))).scalar_one())
            replica = bool((await connection.execute(text("SELECT pg_is_in_recovery()"))).scalar_one())
    except DATABASE_ERRORS as error:
        raise explained(error, engine) from None
    shortcoming = judge(version, encoding, replica)
    if shortcoming is not None:
        raise StoreError(f"store.dsn: the PostgreSQL server at {place_of(engine)} {shortcoming}")


def judge(version: int, encoding: str, replica: bool) -> str | None:
    """Say what makes a server unfit, by its `server_version_num`, encoding and role; None when it will do."""
    if version < OLDEST_VERSION * 10_000:
        return f"has version {version // 10_000}; {OLDEST_VERSION} or newer is needed"
    if encoding != "UTF8":
        return f"keeps this database in {encoding}; create one with ENCODING 'UTF8'"
    if replica:
        return "is a read-only replica; name the primary"
    return None


def explained(error: BaseException, engine: AsyncEngine) -> StoreError:
    return explain(error, place_of(engine), engine.url.username)


def place_of(engine: AsyncEngine) -> str:
    """Name the server and database of an engine, without secrets: `host:port/database`."""
    url = engine.url
    port = "" if url.port is None or (url.host or "").startswith("/") else f":{url.port}"
    return f"{url.host or 'the default host'}{port}/{url.database or ''}"


def _keep_alive(connection: "asyncpg.Connection[asyncpg.Record]") -> None:
    """Have this end's kernel notice a server that is gone without a word; what is sent as well as what is awaited."""
    transport = getattr(connection, "_transport", None)
    end = None if transport is None else transport.get_extra_info("socket")
    if end is None or end.family == socket.AF_UNIX:
        return
    # Options are the connection's, whichever descriptor they are set by; the transport gives no socket to set them by.
    with socket.socket(fileno=os.dup(end.fileno())) as own:
        own.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        own.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, _KEEPALIVE_S)
        own.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPINTVL, _KEEPALIVE_S)
        own.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPCNT, _KEEPALIVES)
        own.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 1000 * _KEEPALIVE_S * (_KEEPALIVES + 1))


def _refuse_closed(connection: object, record: object, proxy: object) -> None:
    """Have the pool replace a connection whose socket is known to be closed."""
    driver = getattr(connection, "driver_connection", None)
    if isinstance(driver, asyncpg.Connection) and driver.is_closed():
        raise DisconnectionError


def _parse(dsn: str) -> _Address:
    """Take a DSN apart. Its text is never shown: a special character in the password can end up in any part."""
    scheme, separator, rest = dsn.strip().partition("://")
    if not separator or scheme.lower() not in _SCHEMES:
        raise StoreError("store.dsn: must begin with postgresql:// or postgres://")
    plain = f"postgresql://{rest}"
    try:
        parts = urlsplit(plain)
        # Of several @, asyncpg ends the password at the first one, and looks the rest up as a host.
        if parts.fragment or rest.count("@") > ("@" in parts.netloc):
            raise ValueError("an unescaped character")
        query = dict(parse_qsl(parts.query, strict_parsing=bool(parts.query)))
        host = parts.hostname or query.get("host")
        port = parts.port or (int(query["port"]) if "port" in query else None)
    except ValueError:
        raise StoreError(
            "store.dsn: is not a valid URL; write postgresql://user:password@host:port/database, "
            "special characters in the password as %XX"
        ) from None
    user = unquote(parts.username) if parts.username else query.get("user")
    database = unquote(parts.path.lstrip("/")) or query.get("database") or query.get("dbname")
    return _Address(plain, user, host, port, database)
