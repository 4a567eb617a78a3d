"""A lease is one process's, by the store's clock, while its work makes progress; nobody else's write passes."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import timedelta

import asyncpg
import pytest
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.gateways.postgres.engine import APPLICATION, create_engine
from rhumbline.gateways.postgres.lease_table import STALLED_S, TTL_S
from rhumbline.gateways.postgres.leases import BEAT_S, WORK_S, Fence, LeaseLost, Leases
from tests.clocks import Seconds
from tests.gateways.postgres.lease_times import run_out, still_for
from tests.gateways.postgres.statements import statements

A, B = "1 events", "2 events"


@pytest.fixture
async def other_engine(store_dsn: str) -> AsyncIterator[AsyncEngine]:
    """The same store as another process has it."""
    engine = create_engine(store_dsn)
    yield engine
    await engine.dispose()


@asynccontextmanager
async def two(first: AsyncEngine, second: AsyncEngine) -> AsyncIterator[tuple[Leases, Leases]]:
    pair = Leases(first), Leases(second)
    try:
        yield pair
    finally:
        for each in pair:
            await each.release()


async def passes(engine: AsyncEngine, fence: Fence) -> bool:
    try:
        async with engine.begin() as connection:
            await fence(connection)
    except LeaseLost:
        return False
    return True


async def test_one_has_a_lease_and_another_takes_over_when_it_is_given_up(
    store_engine: AsyncEngine, other_engine: AsyncEngine
) -> None:
    async with two(store_engine, other_engine) as (first, second):
        assert [await first.take(A), await second.take(A), await second.take(B)] == [True, False, True]
        assert [await first.take(A), await first.take(B)] == [True, False]
        assert [await passes(store_engine, each.fence(A)) for each in (first, second)] == [True, False]
        await first.release()
        assert [await second.take(A), await first.take(A)] == [True, False]
        assert [await passes(store_engine, each.fence(A)) for each in (first, second)] == [False, True]


async def test_many_ask_at_once_and_one_gets_it(store_engine: AsyncEngine) -> None:
    asking = [Leases(store_engine) for _ in range(8)]
    for _ in range(5):
        got = await asyncio.gather(*(each.take(A) for each in asking))
        assert got.count(True) == 1
        await asyncio.gather(*(each.release() for each in asking))


async def test_who_is_frozen_is_replaced_when_the_lease_has_run_out(
    store_engine: AsyncEngine, other_engine: AsyncEngine
) -> None:
    async with two(store_engine, other_engine) as (frozen, heir):
        assert await frozen.take(A)
        await run_out(store_engine, TTL_S - 1)
        assert not await heir.take(A)
        await run_out(store_engine, 1)
        assert await heir.take(A)
        assert frozen.holds(A), "it does not know yet"
        assert not await passes(store_engine, frozen.fence(A))
        assert not frozen.holds(A)
        assert not await frozen.take(A)


async def test_a_leader_that_sleeps_for_ten_minutes_in_the_middle_of_a_write_writes_nothing(
    store_engine: AsyncEngine,
) -> None:
    """Though nobody has taken over, and though it renews its leases before the write goes on."""
    leases, asleep, awake = Leases(store_engine), asyncio.Event(), asyncio.Event()
    assert await leases.take(A)

    async def write() -> None:
        asleep.set()
        await awake.wait()
        async with store_engine.begin() as connection:
            await leases.fence(A)(connection)
            await connection.execute(text("DELETE FROM leases"))

    writing = asyncio.create_task(write())
    await asleep.wait()
    await run_out(store_engine, 600)
    await leases.beat()
    awake.set()
    with pytest.raises(LeaseLost):
        await writing
    assert await leases.take(A), "then it begins anew, in another term"
    await leases.release()


async def test_nobody_takes_over_while_a_write_is_going_on(
    store_engine: AsyncEngine, other_engine: AsyncEngine
) -> None:
    async with two(store_engine, other_engine) as (writing, heir):
        assert await writing.take(A)
        async with store_engine.begin() as connection:
            await writing.fence(A)(connection)
            async with asyncio.timeout(5):
                # Nobody waits for it either.
                await writing.beat()
                assert not await heir.take(A, beyond=1)
        await run_out(store_engine)
        assert await heir.take(A)


async def test_a_process_that_is_frozen_between_two_parts_of_a_statement_holds_nobody_up(
    store_engine: AsyncEngine, store_dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There the server's own time limits do not hold; whoever's heart beats ends the session."""
    monkeypatch.setattr("rhumbline.gateways.postgres.leases.FROZEN", timedelta(seconds=0.2))
    leases = Leases(store_engine)
    assert await leases.take(A)
    frozen, stranger = [
        await asyncpg.connect(store_dsn, server_settings={"application_name": name}) for name in (APPLICATION, "psql")
    ]
    for each in (frozen, stranger):
        await each.execute("SET idle_in_transaction_session_timeout = '2s'; SET statement_timeout = '2s'; BEGIN")
        await each.prepare("SELECT name FROM leases")
    async with asyncio.timeout(10):
        while not frozen.is_closed():
            await leases.beat()
            await asyncio.sleep(0.05)
    assert not stranger.is_closed(), "what is not the service's is left alone"
    await stranger.close()
    await leases.release()


async def test_a_lease_is_renewed_while_its_work_makes_progress(store_engine: AsyncEngine) -> None:
    seconds = Seconds()
    leases = Leases(store_engine, seconds=seconds)
    assert await leases.take(A)
    leases.vouch(A, rest_s=30.0, head=7, next_block=6)
    for _ in range(int((WORK_S + 30) / BEAT_S)):
        await run_out(store_engine, BEAT_S)
        seconds.now += BEAT_S
        assert leases.holds(A)
        await leases.beat()
    state = leases.states()[A]
    assert (state.holder, state.head, state.next_block) == (leases.holder, 7, 6)
    for _ in range(int(TTL_S / BEAT_S) + 1):
        await run_out(store_engine, BEAT_S)
        seconds.now += BEAT_S
        await leases.beat()
    assert not leases.holds(A), "nothing was done for too long"
    await leases.release()


async def test_a_lease_is_not_renewed_while_its_work_fails(store_engine: AsyncEngine) -> None:
    seconds = Seconds()
    leases = Leases(store_engine, seconds=seconds)
    assert await leases.take(A)
    leases.doubt(A)
    await leases.beat()
    assert leases.holds(A), "a failure alone ends nothing"
    await run_out(store_engine)
    seconds.now += TTL_S
    await leases.beat()
    assert not leases.holds(A)
    assert await leases.take(A), "and whoever is first takes it again"
    await leases.release()


async def test_the_lease_of_a_process_that_was_killed_is_free_at_once(
    store_engine: AsyncEngine, other_engine: AsyncEngine
) -> None:
    killed, heir = Leases(other_engine), Leases(store_engine)
    assert await killed.take(A)
    await killed.beat()
    await heir.beat()
    assert not await heir.take(A)
    async with store_engine.connect() as connection:
        ended = "SELECT pg_terminate_backend(pid, 10000) FROM leases"
        await connection.execute(text(ended))
    await heir.beat()
    assert await heir.take(A)
    await heir.release()
    await killed.release()


async def test_a_lost_connection_is_made_anew_and_the_lease_kept(store_engine: AsyncEngine) -> None:
    leases = Leases(store_engine)
    assert await leases.take(A)
    async with store_engine.connect() as connection:
        await connection.execute(text("SELECT pg_terminate_backend(pid, 10000) FROM leases"))
    with pytest.raises((SQLAlchemyError, OSError)):
        await leases.beat()
    await leases.beat()
    assert leases.holds(A)
    assert await passes(store_engine, leases.fence(A))
    await leases.release()


async def test_a_lease_from_before_the_stores_clock_was_put_back_holds_nobody_up(
    store_engine: AsyncEngine, other_engine: AsyncEngine
) -> None:
    async with two(store_engine, other_engine) as (gone, heir):
        assert await gone.take(A)
        await run_out(store_engine, -3600)
        assert await heir.take(A)
        assert not await passes(store_engine, gone.fence(A))


async def test_who_sees_a_higher_head_takes_over_from_one_that_is_stuck(
    store_engine: AsyncEngine, other_engine: AsyncEngine
) -> None:
    async with two(store_engine, other_engine) as (stuck, heir):
        assert await stuck.take(A)
        stuck.vouch(A, head=50, next_block=49)
        await stuck.beat()
        assert not await heir.take(A, beyond=51), "it has moved a moment ago"
        await still_for(store_engine, STALLED_S + 1)
        await stuck.beat()
        assert not await heir.take(A, beyond=50), "nobody is further"
        assert await heir.take(A, beyond=51)
        assert not await passes(store_engine, stuck.fence(A))


async def test_all_processes_see_the_same_leases(store_engine: AsyncEngine, other_engine: AsyncEngine) -> None:
    async with two(store_engine, other_engine) as (first, second):
        assert second.states() == {}
        await first.take(A)
        first.vouch(A, head=12, next_block=11)
        await first.beat()
        await second.beat()
        seen = second.states()[A]
        assert (seen.holder, seen.head, seen.next_block) == (first.holder, 12, 11)
        assert 0 < seen.left_s <= TTL_S
        assert 0 <= seen.still_s < TTL_S


async def test_who_waits_asks_nobody_while_another_is_known_to_have_it(
    store_engine: AsyncEngine, other_engine: AsyncEngine
) -> None:
    async with two(store_engine, other_engine) as (first, second):
        await first.take(A)
        await second.beat()
        with statements(other_engine) as seen:
            for _ in range(100):
                assert not await second.take(A)
                assert await first.take(A)
        assert seen == []


async def test_a_heart_beats_until_it_is_stopped_and_survives_the_store(
    store_engine: AsyncEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rhumbline.gateways.postgres.leases.BEAT_S", 0.02)
    monkeypatch.setattr("rhumbline.gateways.postgres.leases.WAITING_BEAT_S", 0.02)
    leases, stop = Leases(store_engine), asyncio.Event()
    running = asyncio.create_task(leases.run(stop))
    await until(lambda: leases.take(A))
    for _ in range(3):
        async with store_engine.connect() as connection:
            others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
            await connection.execute(text(f"{others} AND pid <> pg_backend_pid()"))
        await asyncio.sleep(0.1)

    async def is_well() -> bool:
        return leases.holds(A) and await passes(store_engine, leases.fence(A))

    await until(is_well)
    stop.set()
    await asyncio.wait_for(running, 10)
    await leases.release()
    assert not leases.holds(A)


async def until(condition: Callable[[], Awaitable[bool]], seconds: float = 10) -> None:
    for _ in range(int(seconds / 0.02)):
        if await condition():
            return
        await asyncio.sleep(0.02)
    pytest.fail(f"not within {seconds} s")
