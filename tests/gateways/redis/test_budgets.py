"""Budgets and rests in a real Redis: two guards, as of two processes, are one before the host, and go on without it."""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial

import pytest
from structlog.testing import capture_logs

from rhumbline.domain.errors import UpstreamFailed
from rhumbline.gateways.redis.counters import RedisCounters, redis_counters
from rhumbline.gateways.upstreams.guard.budget import CallBudget, Purpose, Spared, Spending, Turn
from rhumbline.gateways.upstreams.guard.call import UpstreamCall
from rhumbline.gateways.upstreams.guard.guard import GuardRules, UpstreamGuard
from rhumbline.gateways.upstreams.guard.guards import UpstreamGuards
from rhumbline.gateways.upstreams.guard.shared import PAUSE_S, SharedBudgets
from rhumbline.gateways.upstreams.upstream import Upstream, open_upstream
from tests.adapters.exchanges.recorded import recorded_upstream
from tests.gateways.upstreams.guard.test_guard import REST, USED_UP, asked
from tests.redis_fixture import RedisServer

PATIENCE_S = 30.0
"""A Redis that is there answers, however busy the machine is."""


def patient(server: RedisServer) -> AbstractAsyncContextManager[RedisCounters]:
    return redis_counters(server.url, PATIENCE_S)


@asynccontextmanager
async def process(redis_url: str, url: str, **rules: float) -> AsyncIterator[Upstream]:
    """A client of a host with a connection to Redis of its own, as another process has it."""
    async with redis_counters(redis_url, PATIENCE_S) as store:
        guard = UpstreamGuards({}, shared=SharedBudgets(store)).of(url, "toy")
        if rules:
            guard = UpstreamGuard("toy", GuardRules(calls_per_s=rules["rate"]), shared=SharedBudgets(store))
        async with open_upstream("toy", url, guard=guard) as upstream:
            yield upstream


@pytest.mark.parametrize("first", list(Purpose))
async def test_a_429_of_any_kind_of_call_rests_all_kinds_in_both(redis_server: RedisServer, first: Purpose) -> None:
    async with (
        recorded_upstream() as recorded,
        process(redis_server.url, recorded.url) as one,
        process(redis_server.url, recorded.url) as other,
    ):
        recorded.says("/x", {}, 429)
        recorded.headers["retry-after"] = "600"
        assert await asked(one, first) == "limits our rate"
        recorded.says("/x", {})
        for upstream in (one, other):
            assert [await asked(upstream, purpose) for purpose in Purpose] == [REST] * 4
        assert len(recorded.asked) == 1
        await redis_server.kill()
        assert await asked(other, Purpose.QUOTE) == REST, "what was heard of a rest is remembered"


async def test_a_429_in_one_process_rests_another(redis_server: RedisServer) -> None:
    async with recorded_upstream() as recorded, process(redis_server.url, recorded.url) as here:
        recorded.says("/x", {}, 429)
        recorded.headers["retry-after"] = "600"
        question = ("-m", "tests.gateways.redis.asking_process", redis_server.url, recorded.url, Purpose.STATUS.value)
        there = await asyncio.create_subprocess_exec(sys.executable, *question, stdout=asyncio.subprocess.PIPE)
        told, _ = await there.communicate()
        assert told.decode().endswith("limits our rate")
        recorded.says("/x", {})
        assert [await asked(here, purpose) for purpose in Purpose] == [REST] * 4
        assert len(recorded.asked) == 1


async def test_two_have_one_budget(redis_server: RedisServer) -> None:
    """Four at once at two a second, whoever asks; a build overdraws it for both."""
    async with (
        recorded_upstream() as recorded,
        process(redis_server.url, recorded.url, rate=0.002) as one,
        process(redis_server.url, recorded.url, rate=0.002) as other,
    ):
        recorded.says("/x", {})
        assert await asked(one, Purpose.QUOTE) == "answered"
        assert [await asked(each, Purpose.QUOTE) for each in (other, one)] == [USED_UP] * 2
        assert await asked(other, Purpose.BUILD) == "answered"
        assert [await asked(each, Purpose.QUOTE) for each in (other, one)] == [USED_UP] * 2
        assert len(recorded.asked) == 2


async def test_turns_are_taken_in_turn(redis_server: RedisServer) -> None:
    async with patient(redis_server) as one, patient(redis_server) as other:
        turn = Spending("turn", Purpose.STATUS, 0.5, 1.0, 60.0)
        waits = [(await store.spend("h", turn)).wait_s for store in (one, other, one, other)]
        assert waits == pytest.approx([0, 2, 4, 6], abs=0.5)
        prices = Spending("turn", Purpose.PRICE, 0.5, 1.0, 1.0)
        assert (await other.spend("h", prices)).wait_s == 0
        assert (await one.spend("h", prices)).spared is Spared.USED_UP
        assert await one.spend("another", prices) == Turn(0.0)


async def test_the_scripts_bucket_is_the_processs_own(redis_server: RedisServer) -> None:
    async with patient(redis_server) as store:

        async def take(what: str = "take", patience_s: float = 0.0) -> tuple[Spared | None, int]:
            turn = await store.spend("h", Spending(what, Purpose.QUOTE, 0.5, 1.0, patience_s))
            return turn.spared, round(turn.wait_s)

        assert await take() == (None, 0)
        assert await take(patience_s=1.0) == (Spared.USED_UP, 2)
        assert await take(patience_s=10.0) == (None, 2), "it is taken now, and made then"
        assert await take("owed") == (None, 0)
        assert await take(patience_s=10.0) == (None, 6)
        await take("rest", 30.0)
        await take("rest", 10.0)
        assert await take("owed") == (Spared.RESTING, 30), "a rest is never shortened"


async def test_many_at_once_never_overdraw(redis_server: RedisServer) -> None:
    async with patient(redis_server) as one, patient(redis_server) as other:
        spending = Spending("take", Purpose.QUOTE, 0.001, 20.0, 0.0)
        turns = await asyncio.gather(*((one, other)[number % 2].spend("h", spending) for number in range(200)))
    assert sum(turn.spared is None for turn in turns) == 20


async def test_without_redis_each_goes_by_its_own_with_one_warning(redis_server: RedisServer) -> None:
    now = 0.0
    async with patient(redis_server) as store:
        shared = SharedBudgets(store, lambda: now)
        guard = UpstreamGuard("toy", GuardRules(calls_per_s=0.002), shared=shared)

        async def work() -> None:
            pass

        async def reason() -> str:
            try:
                await UpstreamCall(Purpose.QUOTE).run(partial(guard.run, work))
            except UpstreamFailed as error:
                return error.reason
            return ""

        with capture_logs() as lines:
            assert [await reason(), await reason()] == ["", USED_UP]
            await redis_server.kill()
            assert [await reason(), await reason(), await reason()] == ["", USED_UP, USED_UP]
            now += PAUSE_S
            assert await reason() == USED_UP
            await redis_server.start()
            now += PAUSE_S
            assert [await reason(), await reason()] == ["", USED_UP], "Redis comes back empty"
    assert [(line["log_level"], line["event"]) for line in lines] == [
        ("warning", "budgets of upstreams are kept in this process"),
        ("info", "budgets of upstreams are shared again"),
    ]


async def test_shares_of_a_budget_hold_across_processes_as_within_one(redis_server: RedisServer) -> None:
    """Who has taken as many as the bucket holds leaves the rest to others, in whatever process these ask."""
    async with patient(redis_server) as here, patient(redis_server) as there:

        async def take(store: RedisCounters, requester: str) -> bool:
            spending = Spending("take", Purpose.QUOTE, 0.001, 4.0, 0.0, requester)
            return (await store.spend("host:443", spending)).spared is None

        one = [await take(store, "one") for store in (here, there) * 4]
        budget = CallBudget(0.001, 0.0)
        budget._size = budget._left = 4.0
        alike = [budget.take(0.0, 0.0, may_overdraw=False, requester="one").spared is None for _ in range(8)]
        assert one == alike == [True] * 3 + [False] * 5
        assert [await take(there, who) for who in ("two", "three", "two", "two")] == [True] * 3 + [False]
