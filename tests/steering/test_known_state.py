"""What a process knows of the operator's will, how soon, and for how long."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine
from structlog.testing import capture_logs

from rhumbline.domain.operator import Operator
from rhumbline.domain.pauses import Pause
from rhumbline.steering.changes import SteeringChanges
from rhumbline.steering.known_state import READ_EVERY_S, Steering
from tests.clocks import Seconds

ALICE = Operator("alice", "it is late")


@pytest.fixture
def changes(store_engine: AsyncEngine) -> SteeringChanges:
    return SteeringChanges(store_engine, ALICE)


@pytest.fixture
def seconds() -> Seconds:
    return Seconds()


@pytest.fixture
def steering(store_engine: AsyncEngine, seconds: Seconds) -> Steering:
    return Steering(store_engine, seconds)


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while True:
            if condition():
                return
            await asyncio.sleep(0.01)


@asynccontextmanager
async def running(steering: Steering, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[None]:
    monkeypatch.setattr("rhumbline.steering.known_state.READ_EVERY_S", 0.01)
    task = asyncio.create_task(steering.run())
    yield
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


def test_a_change_is_read_well_within_two_seconds() -> None:
    assert READ_EVERY_S <= 1


async def test_everything_is_read_as_it_was_set(steering: Steering, changes: SteeringChanges) -> None:
    await steering.read()
    assert not steering.pauses.each
    assert steering.log_level is None
    places: list[tuple[str | None, int | None, bool]] = [
        (None, None, False),
        (None, 10, True),
        ("ACROSS", None, False),
        ("RELAY", 10, True),
    ]
    for adapter, chain, public in places:
        assert (await changes.pause(adapter, chain, "", public=public))[0]
    await changes.set_log_level("debug", None)
    await steering.read()
    assert {(each.adapter, each.chain, each.public) for each in steering.pauses.each} == set(places)
    assert {(each.by, each.reason) for each in steering.pauses.each} == {("alice", "it is late")}
    assert steering.log_level == "debug"
    await changes.resume("ACROSS", None, "")
    await changes.set_log_level(None, None)
    await steering.read()
    assert len(steering.pauses.each) == 3
    assert steering.log_level is None


async def test_a_change_is_taken_over_by_itself_and_its_delay_is_logged(
    steering: Steering, changes: SteeringChanges, monkeypatch: pytest.MonkeyPatch
) -> None:
    await steering.read()
    with capture_logs() as lines:
        async with running(steering, monkeypatch):
            await changes.pause("ACROSS", 10, "")
            await until(lambda: bool(steering.pauses.each))
    (line,) = (each for each in lines if each["event"] == "steering_changed")
    assert line["paused"] == ["ACROSS on chain 10"]
    assert 0 <= line["after_ms"] < 60_000
    assert "it is late" not in str(lines)


async def test_the_last_known_state_holds_while_the_store_is_away(
    steering: Steering, changes: SteeringChanges, store_engine: AsyncEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    await changes.pause(None, None, "")
    await steering.read()
    async with store_engine.begin() as connection:
        await connection.execute(text("ALTER TABLE steering RENAME TO gone"))
    with capture_logs() as lines:
        async with running(steering, monkeypatch):
            await until(lambda: any(each["event"] == "steering_not_read" for each in lines))
            await asyncio.sleep(0.1)
            assert steering.pauses.of(None) is not None
            assert [each["holds"] for each in lines if each["event"] == "steering_not_read"] == [["quoting"]]
            async with store_engine.begin() as connection:
                await connection.execute(text("ALTER TABLE gone RENAME TO steering"))
            await changes.resume(None, None, "")
            await until(lambda: not steering.pauses.each)


async def test_a_log_level_ends_by_itself_even_without_the_store(
    steering: Steering, changes: SteeringChanges, seconds: Seconds, monkeypatch: pytest.MonkeyPatch
) -> None:
    applied: list[str | None] = []
    steering.follow_log_level(applied.append)
    await changes.set_log_level("debug", 600)
    await steering.read()
    await steering.read()
    assert applied == ["debug"]
    seconds.now += 590
    assert steering.log_level == "debug"
    seconds.now += 20
    assert steering.log_level is None

    async def away(connection: object) -> None:
        raise OSError

    monkeypatch.setattr("rhumbline.steering.known_state.read_steering", away)
    async with running(steering, monkeypatch):
        await until(lambda: applied == ["debug", None])


async def test_who_starts_later_has_the_rest_of_the_time_by_the_stores_clock(
    store_engine: AsyncEngine, changes: SteeringChanges
) -> None:
    await changes.set_log_level("debug", 600)
    async with store_engine.begin() as connection:
        shift = "UPDATE steering SET log_level_until = log_level_until - interval '590 seconds'"
        await connection.execute(text(shift))
    seconds, applied = Seconds(), list[str | None]()
    late = Steering(store_engine, seconds)
    await late.read()
    late.follow_log_level(applied.append)
    assert applied in (["debug"], [])
    seconds.now += 11
    assert late.log_level is None
    async with store_engine.begin() as connection:
        await connection.execute(text("UPDATE steering SET log_level_until = now() - interval '1 second'"))
    later = Steering(store_engine, seconds)
    await later.read()
    assert later.log_level is None


async def test_a_process_that_starts_knows_before_it_is_ready(
    store_engine: AsyncEngine, changes: SteeringChanges
) -> None:
    await changes.pause("RELAY", None, "")
    started = Steering(store_engine)
    with capture_logs() as lines:
        await started.read()
    assert isinstance(started.pauses.of("RELAY"), Pause)
    assert [(each["event"], each["paused"]) for each in lines] == [("steered", ["RELAY"])]
