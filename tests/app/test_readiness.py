"""Readiness tells a store that answers and does not write from one that is well."""

from datetime import timedelta

import asyncpg
import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.accounts.counters import Limiter, LocalCounters
from rhumbline.accounts.rate_limits import Tiers
from rhumbline.accounts.sessions import Sessions
from rhumbline.app.readiness import KEPT_S, Readiness
from rhumbline.domain.clock import system_clock
from rhumbline.domain.operator import Operator
from rhumbline.domain.rate import Limit
from rhumbline.gateways.postgres.engine import create_engine
from rhumbline.gateways.postgres.failures import HELD_S
from rhumbline.gateways.postgres.store_clock import StoreClock
from rhumbline.steering.changes import SteeringChanges
from rhumbline.steering.known_state import Steering
from tests.clocks import Seconds


@pytest.fixture
def seconds() -> Seconds:
    return Seconds()


@pytest.fixture
def ready(store_engine: AsyncEngine, seconds: Seconds) -> Readiness:
    return readiness(store_engine, seconds)


def readiness(engine: AsyncEngine, seconds: Seconds, clock: StoreClock | None = None) -> Readiness:
    limiter = Limiter(Tiers(Limit(9, 60), Limit(9, 60)), LocalCounters(system_clock))
    sessions, clock = Sessions(engine, system_clock), clock or StoreClock()
    return Readiness(sessions, (), limiter, clock, Steering(engine), seconds)


async def test_a_store_that_writes(ready: Readiness, store_engine: AsyncEngine) -> None:
    assert await ready() == {"store": "ok", "clock": "ok"}
    async with store_engine.connect() as connection:
        assert (await connection.execute(text("SELECT count(*) FROM portal_nonces"))).scalar_one() == 0


async def test_a_store_that_has_become_read_only(ready: Readiness, store_dsn: str, seconds: Seconds) -> None:
    assert await ready() == {"store": "ok", "clock": "ok"}
    database = store_dsn.partition("@/")[2].partition("?")[0]
    operator = await asyncpg.connect(store_dsn)
    await operator.execute(f"ALTER DATABASE {database} SET default_transaction_read_only = on")
    others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND pid <> pg_backend_pid()"
    await operator.execute(others, database)
    states = []
    for _ in range(3):
        seconds.now += KEPT_S
        states.append((await ready())["store"])
    assert states[-1] == "answers, but does not write (ReadOnlySQLTransactionError)"
    await operator.execute("SET default_transaction_read_only = off")
    await operator.execute(f"ALTER DATABASE {database} RESET default_transaction_read_only")
    await operator.execute(others, database)
    await operator.close()
    for _ in range(3):
        seconds.now += HELD_S
        states.append((await ready())["store"])
    assert states[-1] == "ok"


async def test_a_store_that_a_newer_version_has_migrated(
    ready: Readiness, store_engine: AsyncEngine, seconds: Seconds
) -> None:
    states = []
    for statement in (
        "UPDATE alembic_version SET version_num = 'newer'",
        "DELETE FROM schema_compatible WHERE revision <> 'newer'",
    ):
        async with store_engine.begin() as connection:
            await connection.execute(text(statement))
        seconds.now += KEPT_S
        states.append((await ready())["store"])
    assert states == ["ok", "was migrated by a newer version, which does not let this one work on it"]


async def test_a_full_disk_that_only_tracking_meets(
    ready: Readiness, store_engine: AsyncEngine, seconds: Seconds
) -> None:
    """There may be room for a small row where none is left for others; whoever's write was refused counts."""
    assert await ready() == {"store": "ok", "clock": "ok"}
    refused = text("DO $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$")
    async with store_engine.connect() as connection:
        with pytest.raises(DBAPIError):
            await connection.execute(refused)
    assert await ready() == {"store": "ok", "clock": "ok"}, "what was just found out is told again"
    seconds.now += KEPT_S
    assert await ready() == {"store": "answers, but does not write (DiskFullError)", "clock": "ok"}
    seconds.now += HELD_S
    assert await ready() == {"store": "ok", "clock": "ok"}


async def test_a_store_that_is_gone(seconds: Seconds) -> None:
    engine = create_engine("postgresql://nobody@127.0.0.1:1/none")
    assert (await readiness(engine, seconds)())["store"].startswith("does not answer (")
    await engine.dispose()


async def test_a_clock_that_is_off_makes_this_process_unready(store_engine: AsyncEngine, seconds: Seconds) -> None:
    shifts = [timedelta(hours=-1), timedelta(days=40), timedelta()]
    clock = StoreClock(lambda: system_clock() + shifts[0])
    await clock.measure(store_engine)
    ready = readiness(store_engine, seconds, clock)
    states = []
    while shifts:
        seconds.now += KEPT_S
        states.append((await ready())["clock"])
        shifts.pop(0)
    assert states == ["is 3600 s behind the store's", "is 3456000 s ahead of the store's", "ok"]


async def test_paused_quoting_is_named_and_makes_nothing_unready(
    ready: Readiness, store_engine: AsyncEngine, seconds: Seconds
) -> None:
    changes = SteeringChanges(store_engine, Operator("alice", "hidden-word"))
    await changes.pause("ACROSS", None, "")
    await ready.steering.read()
    assert await ready() == {"store": "ok", "clock": "ok"}
    await changes.pause(None, None, "")
    await ready.steering.read()
    seconds.now += KEPT_S
    assert await ready() == {"store": "ok", "clock": "ok", "quoting": "degraded: the operator has paused it"}
