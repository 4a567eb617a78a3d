"""The engine takes every form of a DSN, tells failures apart, and never shows a password."""

import asyncio
import os
import shutil
import socket
from collections.abc import AsyncIterator
from operator import attrgetter
from pathlib import Path

import asyncpg
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from rhumbline.domain.errors import StoreUnavailable
from rhumbline.gateways.postgres.embedded import embedded_postgres
from rhumbline.gateways.postgres.engine import check, create_engine, judge, place_of
from rhumbline.gateways.postgres.failures import StoreError, store_access
from tests.loopback import talking
from tests.postgres_fixture import Databases

SECRET = "Tr0ub4dor"


def parts(dsn: str) -> tuple[str, str]:
    """The socket folder and the rest of an embedded server's DSN."""
    rest, _, query = dsn.partition("?host=")
    return query.partition("&")[0], rest


@pytest.mark.parametrize(
    "form",
    [
        "postgresql://rhumbline@/rhumbline?host={host}&port=5432",
        "postgres://rhumbline@/rhumbline?host={host}",
        "postgresql+asyncpg://rhumbline:unused@/rhumbline?host={host}&port=5432",
        "postgresql:///?host={host}&user=rhumbline&dbname=rhumbline",
        "POSTGRESQL://rhumbline@/rhumbline?host={host}&port=5432",
    ],
)
async def test_every_form_of_a_dsn_connects(postgres_dsn: str, form: str) -> None:
    engine = create_engine(form.format(host=parts(postgres_dsn)[0]))
    await check(engine)
    async with engine.connect() as connection:
        assert (await connection.execute(text("SELECT current_database()"))).scalar_one() == "rhumbline"
        assert (await connection.execute(text("SHOW timezone"))).scalar_one() == "UTC"
    await engine.dispose()


@pytest.mark.parametrize(
    "dsn",
    ["", "nonsense", f"mysql://u:{SECRET}@h/d", f"sqlite:///{SECRET}", f"host=localhost password={SECRET}"],
)
def test_another_scheme_is_refused(dsn: str) -> None:
    with pytest.raises(StoreError, match=r"store\.dsn: must begin with postgresql://") as caught:
        create_engine(dsn)
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize(
    "dsn",
    [
        f"postgresql://u:{SECRET}#x@host/db",
        f"postgresql://u:12#{SECRET}@host/db",
        f"postgresql://u:{SECRET}/x@host/db",
        f"postgresql://u:12/{SECRET}@host/db",
        f"postgresql://u:12?{SECRET}@host/db",
        f"postgresql://u:{SECRET}@host:port/db",
        f"postgresql://u:{SECRET}@host:70000/db",
        f"postgresql://u:{SECRET}@[::1/db",
        f"postgresql://u:{SECRET}@host/db?port=x",
        f"postgresql://u:12@34:{SECRET}@host/db",
        f"postgresql://u:12:34@{SECRET}@host/db",
        f"postgresql://u:12@{SECRET}@host/db",
        f"postgresql://u:12?a={SECRET}@host/db",
    ],
)
def test_a_malformed_dsn_is_not_repeated(dsn: str) -> None:
    with pytest.raises(StoreError, match="is not a valid URL; write") as caught:
        create_engine(dsn)
    assert SECRET not in str(caught.value)
    assert caught.value.__cause__ is None


@given(st.text(st.characters(codec="ascii", exclude_categories=["Cc"]), min_size=1))
def test_no_password_of_any_characters_shows(password: str) -> None:
    marked = f"{SECRET}{password}{SECRET}"
    try:
        engine = create_engine(f"postgresql://user:{marked}@host:5432/database")
        shown = f"{engine!r} {engine.url!r} {engine.url} {place_of(engine)}"
    except StoreError as error:
        shown = f"{error!r} {error}"
    assert SECRET not in shown


async def failure(dsn: str) -> str:
    """What `check` says, which must be one line without the password."""
    engine = create_engine(dsn, connect_timeout_s=0.3)
    with pytest.raises(StoreError) as caught:
        await check(engine)
    await engine.dispose()
    message = str(caught.value)
    assert SECRET not in message
    assert "\n" not in message
    assert caught.value.__cause__ is None
    return message


def unused_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


async def test_nothing_listening_is_told(tmp_path: Path) -> None:
    port = unused_port()
    message = await failure(f"postgresql://u:{SECRET}@127.0.0.1:{port}/db")
    assert f"at 127.0.0.1:{port}/db is not running" in message
    assert "is not running" in await failure(f"postgresql://u:{SECRET}@/db?host={tmp_path}")


async def test_a_server_that_is_silent_is_told() -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        message = await failure(f"postgresql://u:{SECRET}@127.0.0.1:{silent.getsockname()[1]}/db?sslmode=disable")
    assert "does not answer in time" in message


async def test_something_else_listening_is_told() -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        writer.close()

    async with talking(answer) as port:
        assert f"127.0.0.1:{port}/db" in await failure(f"postgresql://u:{SECRET}@127.0.0.1:{port}/db?sslmode=disable")


async def test_a_missing_database_is_told(postgres_dsn: str) -> None:
    host, _ = parts(postgres_dsn)
    assert "has no such database" in await failure(f"postgresql://rhumbline:{SECRET}@/nowhere?host={host}&port=5432")


@pytest.fixture
async def guarded(tmp_path: Path) -> AsyncIterator[str]:
    """The socket folder of a server whose user `guarded` needs a password."""
    async with embedded_postgres(tmp_path) as dsn:
        connection = await asyncpg.connect(dsn)
        hba = tmp_path / "pgdata" / "pg_hba.conf"
        hba.write_text(f"local all guarded scram-sha-256\n{hba.read_text()}")
        await connection.execute(f"CREATE ROLE guarded LOGIN PASSWORD '{SECRET}'")
        await connection.execute("SELECT pg_reload_conf()")
        await connection.close()
        yield parts(dsn)[0]
    shutil.rmtree(tmp_path)


async def test_passwords_are_used_and_wrong_ones_told(guarded: str) -> None:
    engine = create_engine(f"postgresql://guarded:{SECRET}@/rhumbline?host={guarded}&port=5432")
    for _ in range(100):
        await check(engine)
    await engine.dispose()
    wrong = await failure(f"postgresql://guarded:{SECRET}x@/rhumbline?host={guarded}&port=5432")
    assert "refuses user 'guarded'" in wrong
    unknown = await failure(f"postgresql://stranger:{SECRET}@/rhumbline?host={guarded}&port=5432")
    assert "refuses user 'stranger'" in unknown


async def test_a_database_in_another_encoding_is_told(postgres_databases: Databases) -> None:
    dsn = postgres_databases.named("latin")
    connection = await asyncpg.connect(postgres_databases.dsn)
    await connection.execute("CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0 LOCALE 'C'")
    assert "keeps this database in LATIN1" in await failure(dsn)
    await connection.execute("DROP DATABASE latin WITH (FORCE)")
    await connection.close()


@pytest.mark.parametrize(
    ("version", "encoding", "replica", "words"),
    [
        (149_999, "UTF8", False, "has version 14; 15 or newer"),
        (150_000, "UTF8", True, "replica"),
        (150_000, "SQL_ASCII", False, "SQL_ASCII"),
    ],
)
def test_what_makes_a_server_unfit(version: int, encoding: str, replica: bool, words: str) -> None:
    assert words in (judge(version, encoding, replica) or "")


def test_a_fit_server_is_fit() -> None:
    assert judge(150_000, "UTF8", False) is None


async def test_an_unreachable_store_is_unavailable(tmp_path: Path) -> None:
    engine = create_engine(f"postgresql://u:{SECRET}@/db?host={tmp_path}")
    with pytest.raises(StoreUnavailable) as caught, store_access():
        async with engine.connect():
            pass
    assert SECRET not in f"{caught.value.message} {caught.value.details} {caught.value.__cause__!r}"


async def test_a_connection_that_the_server_ended_is_replaced(postgres_databases: Databases, store_dsn: str) -> None:
    engine = create_engine(store_dsn, pool_size=1)
    async with engine.connect() as connection:
        before = (await connection.execute(text("SELECT pg_backend_pid()"))).scalar_one()
    ender = await asyncpg.connect(postgres_databases.dsn)
    await ender.execute("SELECT pg_terminate_backend($1)", before)
    await ender.close()
    await asyncio.sleep(0.1)
    async with engine.connect() as connection:
        assert (await connection.execute(text("SELECT pg_backend_pid()"))).scalar_one() != before
    await engine.dispose()


async def test_a_connection_that_ends_within_a_statement_is_unavailability(store_dsn: str) -> None:
    engine = create_engine(store_dsn)
    async with engine.connect() as connection:
        with pytest.raises(StoreUnavailable), store_access():
            await connection.execute(text("SELECT pg_terminate_backend(pg_backend_pid())"))
    await engine.dispose()


async def test_a_process_that_sleeps_in_a_transaction_holds_up_nobody(
    store_dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server ends its session; when it wakes its write has failed, and nothing of it is there."""
    monkeypatch.setattr("rhumbline.gateways.postgres.engine.IDLE_TRANSACTION_S", 0.3)
    sleeper, other = create_engine(store_dsn), create_engine(store_dsn)
    lock = text("SELECT 1 FROM integrators FOR UPDATE")
    add = text("INSERT INTO integrators (name, created_at) VALUES (:name, now())")
    async with other.begin() as connection:
        await connection.execute(add, {"name": "first"})

    async def write() -> None:
        async with sleeper.begin() as connection:
            await connection.execute(lock)
            await connection.execute(add, {"name": "second"})
            async with other.begin() as waiting, asyncio.timeout(10):
                await waiting.execute(lock)

    with pytest.raises(DBAPIError):
        await write()
    async with other.connect() as connection:
        assert (await connection.execute(text("SELECT name FROM integrators"))).scalars().all() == ["first"]
    await sleeper.dispose()
    await other.dispose()


async def test_every_connection_is_bounded_by_the_server_as_well(store_dsn: str) -> None:
    engine = create_engine(store_dsn, statement_timeout_s=1.0)
    async with engine.connect() as connection:
        names = ("statement_timeout", "idle_in_transaction_session_timeout")
        told = [(await connection.execute(text(f"SHOW {name}"))).scalar_one() for name in names]
        assert told == ["1s", "8s"]
        # Whoever is first ends it.
        with pytest.raises((DBAPIError, TimeoutError)):
            await connection.execute(text("SELECT pg_sleep(5)"))
    await engine.dispose()


async def test_a_connection_over_tcp_is_kept_alive(store_dsn: str) -> None:
    """Through a relay, for the server of the tests listens on a Unix socket only."""
    host, rest = parts(store_dsn)

    async def relay(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there = await asyncio.open_unix_connection(f"{host}/.s.PGSQL.5432")

        async def pump(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
            while data := await source.read(65536):
                sink.write(data)
            sink.close()

        await asyncio.gather(pump(reader, there[1]), pump(there[0], writer))

    async with talking(relay) as port:
        engine = create_engine(f"{rest.replace('@/', f'@127.0.0.1:{port}/')}?sslmode=disable")
        connection = await engine.connect()
        driver = (await connection.get_raw_connection()).driver_connection
        assert isinstance(driver, asyncpg.Connection)
        end = attrgetter("_transport")(driver).get_extra_info("socket")
        with socket.socket(fileno=os.dup(end.fileno())) as own:
            options = (socket.TCP_KEEPIDLE, socket.TCP_KEEPINTVL, socket.TCP_KEEPCNT, socket.TCP_USER_TIMEOUT)
            told = [own.getsockopt(socket.IPPROTO_TCP, each) for each in options]
            assert own.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1
            assert told == [5, 5, 3, 20_000]
        await connection.close()
        await engine.dispose()
