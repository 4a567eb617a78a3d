"""Counting in a real Redis: across processes, precisely, and through its absence."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import aiohttp
import pytest
import structlog

from rhumbline.accounts.counters import PAUSE_S, Limiter, LocalCounters, SharedCounters
from rhumbline.accounts.rate_limits import RateScope
from rhumbline.domain.account import ApiClient
from rhumbline.domain.clock import system_clock
from rhumbline.domain.rate import CountersUnavailable, WindowCount
from rhumbline.gateways.redis.counters import redis_counters
from tests.api.api_service import ACME
from tests.api.limited_service import OTHER, QUOTE, TIERS, ask, ask_in
from tests.redis_fixture import RedisServer

ROOT = Path(__file__).parents[3]
HOST = "203.0.113.1"
PATIENCE_S = 30.0
"""A Redis that is there answers, however busy the machine is."""


@asynccontextmanager
async def serving(url: str) -> AsyncIterator[str]:
    """A process of its own that serves the application and counts at ``url``; yields its address."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.gateways.redis.serving_process",
        url,
        cwd=ROOT,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        async with asyncio.timeout(90):
            # The log goes to standard output too, until the service configures it.
            while not (line := (await process.stdout.readline()).decode()).startswith("http"):
                assert line, "the process ended"
        draining = asyncio.create_task(process.stdout.read())
        yield line.strip()
        process.stdin.close()
        assert await asyncio.wait_for(process.wait(), 30) == 0
        await draining
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


@pytest.fixture
async def limiter(redis_server: RedisServer) -> AsyncIterator[Limiter]:
    async with redis_counters(redis_server.url, PATIENCE_S) as shared:
        yield Limiter(TIERS, LocalCounters(system_clock), shared)


async def take(limiter: Limiter, caller: ApiClient | None = None) -> int:
    return (await limiter.take(caller or ApiClient(), HOST, RateScope.OTHER)).remaining


async def test_two_processes_have_one_count(redis_server: RedisServer) -> None:
    async with serving(redis_server.url) as one, serving(redis_server.url) as other, aiohttp.ClientSession() as session:
        began = datetime.now(UTC)
        first = await asyncio.gather(*(ask_in(session, (one, other)[number % 2]) for number in range(200)))
        assert {answer.status for answer in first} == {200}
        assert sorted(answer.remaining for answer in first) == list(range(200))
        ends = {answer.headers["X-RateLimit-Reset"] for answer in first}
        assert len(ends) == 1, "both processes tell the same end"
        end = datetime.fromisoformat(ends.pop())
        assert began + timedelta(hours=2) <= end + timedelta(milliseconds=1)
        assert end <= datetime.now(UTC) + timedelta(hours=2)
        for url in (one, other):
            refused = await ask_in(session, url, OTHER)
            assert (refused.status, refused.json["code"]) == (429, "RATE_LIMIT")
            assert refused.limits == ("200", "0", first[0].headers["X-RateLimit-Reset"])
            assert 7000 < int(refused.headers["Retry-After"]) <= 7200
        assert [(await ask_in(session, url, QUOTE)).remaining for url in (one, other)] == [199, 198]


async def test_redis_killed_in_the_middle_is_not_noticed_by_clients(redis_server: RedisServer) -> None:
    async with serving(redis_server.url) as url:
        for left in range(199, 149, -1):
            assert (await ask(url)).remaining == left
        await redis_server.kill()
        for left in range(149, 99, -1):
            answer = await ask(url)
            assert (answer.status, answer.remaining) == (200, left)
        await redis_server.start()
        await asyncio.sleep(PAUSE_S + 0.1)
        # It came back empty: its counts hold again, and every process sees the same.
        assert (await ask(url)).remaining == 199
        async with serving(redis_server.url) as other:
            assert (await ask(other)).remaining == 198


async def test_an_outage_is_told_once_and_so_is_its_end(redis_server: RedisServer, limiter: Limiter) -> None:
    assert await limiter.shared_state() == "ok"
    with structlog.testing.capture_logs() as log:
        assert await take(limiter) == 199
        await redis_server.kill()
        assert sorted(await asyncio.gather(*(take(limiter) for _ in range(100)))) == list(range(99, 199))
        state = await limiter.shared_state()
        assert state is not None
        assert state.startswith("degraded: Redis does not answer")
        await redis_server.start()
        await asyncio.sleep(PAUSE_S + 0.1)
        assert await take(limiter) == 199
        assert await limiter.shared_state() == "ok"
    assert [entry["event"] for entry in log] == [
        "rate limits are counted in this process",
        "rate limits are shared again",
    ]
    assert str(redis_server.socket) not in str(log)


@dataclass
class Watched:
    """Counters that count how often they are asked."""

    shared: SharedCounters
    takes: int = 0

    async def take(self, key: str, window_s: int) -> WindowCount:
        self.takes += 1
        return await self.shared.take(key, window_s)

    async def peek(self, key: str) -> WindowCount | None:
        return await self.shared.peek(key)

    async def ping(self) -> None:
        await self.shared.ping()


async def test_a_redis_that_hangs_costs_one_request_a_moment(redis_server: RedisServer) -> None:
    now = 100.0
    async with redis_counters(redis_server.url) as shared:
        watched = Watched(shared)
        limiter = Limiter(TIERS, LocalCounters(system_clock), watched, lambda: now)
        assert await take(limiter) == 199
        assert redis_server.child is not None
        os.kill(redis_server.child.pid, signal.SIGSTOP)
        try:
            async with asyncio.timeout(60):
                assert await take(limiter) == 198
            assert watched.takes == 2
            now += PAUSE_S - 0.001
            for left in range(197, 97, -1):
                assert await take(limiter) == left
            assert watched.takes == 2, "nobody else waits for it"
            now += 0.001
            assert await take(limiter) == 97
            assert watched.takes == 3, "one request tries again"
        finally:
            os.kill(redis_server.child.pid, signal.SIGCONT)
        now += PAUSE_S
        assert await take(limiter) <= 198
        assert watched.takes == 4


async def test_windows_in_redis_are_fixed_and_are_not_moved_by_refusals(redis_server: RedisServer) -> None:
    async with redis_counters(redis_server.url, PATIENCE_S) as counters:
        before = datetime.now(UTC)
        first = await counters.take("other:key:1", 1)
        assert (first.count, first.left_ms) == (1, 1000)
        blink = timedelta(milliseconds=1)
        assert before - blink <= first.ends_at - timedelta(seconds=1) <= datetime.now(UTC) + blink
        while (seen := await counters.take("other:key:1", 1)).count > 1:
            assert seen.ends_at == first.ends_at
            assert 0 <= seen.left_ms <= 1000
            await asyncio.sleep(0.02)
        assert seen.ends_at >= first.ends_at + timedelta(seconds=1)


async def test_each_of_many_at_once_is_counted(redis_server: RedisServer) -> None:
    async with (
        redis_counters(redis_server.url, PATIENCE_S) as one,
        redis_counters(redis_server.url, PATIENCE_S) as other,
    ):
        seen = await asyncio.gather(*((one, other)[number % 2].take("k", 60) for number in range(400)))
    assert sorted(window.count for window in seen) == list(range(1, 401))


async def test_who_waits_at_the_end_is_told(redis_server: RedisServer) -> None:
    assert redis_server.child is not None
    async with redis_counters(redis_server.url, PATIENCE_S) as counters:
        await counters.take("k", 60)
        os.kill(redis_server.child.pid, signal.SIGSTOP)
        waiting = [asyncio.create_task(counters.take("k", 60)) for _ in range(300)]
        await asyncio.sleep(0.05)
    outcome = await asyncio.gather(*waiting, return_exceptions=True)
    assert {type(each) for each in outcome} == {CountersUnavailable}
    os.kill(redis_server.child.pid, signal.SIGCONT)


async def test_a_count_without_an_end_gets_one(redis_server: RedisServer) -> None:
    await redis_server.command("SET", "rhumbline:limits:k", "7")
    async with redis_counters(redis_server.url, PATIENCE_S) as counters:
        seen = await counters.take("k", 60)
        assert (seen.count, seen.left_ms) == (8, 60_000)
        assert 0 < (await counters.take("k", 60)).left_ms <= 60_000


async def test_a_key_that_holds_something_else_is_an_outage_not_a_crash(redis_server: RedisServer) -> None:
    await redis_server.command("LPUSH", "rhumbline:limits:other:key:1", "x")
    async with redis_counters(redis_server.url, PATIENCE_S) as counters:
        with pytest.raises(CountersUnavailable, match="ResponseError"):
            await counters.take("other:key:1", 60)
        limiter = Limiter(TIERS, LocalCounters(system_clock), counters)
        assert await take(limiter, ApiClient(ACME, 1)) == 199


@pytest.mark.parametrize("url", ["", "http://secret@x", "memory://", "redis:/secret", "redis://u:secret@h:port/0"])
async def test_a_url_that_cannot_be_used_is_refused_without_being_shown(url: str) -> None:
    with pytest.raises(ValueError, match=r"must begin with one of|is not a valid URL") as caught:
        async with redis_counters(url) as counters:
            await counters.ping()
    assert "secret" not in str(caught.value)


async def test_without_a_redis_from_the_beginning(tmp_path: Path) -> None:
    async with redis_counters(f"unix://{tmp_path}/none") as counters:
        limiter = Limiter(TIERS, LocalCounters(system_clock), counters)
        assert [await take(limiter) for _ in range(3)] == [199, 198, 197]
        with pytest.raises(CountersUnavailable):
            await counters.ping()


async def test_without_redis_there_is_no_state_of_it() -> None:
    assert await Limiter(TIERS, LocalCounters(system_clock)).shared_state() is None
