"""What our own lateness is held against: nobody."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress

import pytest

from rhumbline.domain.errors import NodeUnavailable
from rhumbline.domain.price import PriceKey, PriceQuote
from rhumbline.gateways.loop_watch import HELD_UP_S, TICK_S, LoopWatch, was_held_up
from rhumbline.gateways.nodes.endpoint import Endpoint, EndpointTerms
from rhumbline.gateways.nodes.endpoints import Endpoints
from rhumbline.gateways.upstreams.guard.budget import Purpose
from rhumbline.gateways.upstreams.guard.call import UpstreamCall
from rhumbline.gateways.upstreams.guard.guard import GuardRules, NotAsked, UpstreamGuard
from rhumbline.pricing.throttled_source import Patience, ThrottledSource
from tests.virtual_time import in_virtual_time

STILL_S, DEADLINE_S = 2.0, 1.0


@pytest.mark.parametrize("watched", [True, False])
async def test_a_loop_that_stands_still_opens_no_breaker_and_drops_no_endpoint_or_source(*, watched: bool) -> None:
    """Without the watch it does: that is what it is for."""
    watch = asyncio.create_task(LoopWatch().run()) if watched else None
    await asyncio.sleep(0)
    guard = UpstreamGuard("host", GuardRules(failures=1))
    endpoint = Endpoint("node", EndpointTerms("node"))
    source = ThrottledSource(Slow(), Patience(call_s=DEADLINE_S))

    async def ask_node(rpc: str, timeout_s: float) -> None:
        try:
            async with asyncio.timeout(timeout_s):
                await asyncio.sleep(60)
        except TimeoutError:
            raise NodeUnavailable("late") from None

    node = Endpoints("eth", (endpoint,), lambda method, error: None)
    asked: list[Callable[[], Awaitable[object]]] = [
        lambda: UpstreamCall(Purpose.QUOTE).run(lambda: guard.run(lambda: asyncio.sleep(60)), DEADLINE_S),
        lambda: node.run(["eth_call"], ask_node, DEADLINE_S),
        lambda: node.run(["eth_call"], ask_node, DEADLINE_S),
        lambda: source.ask([(1, "0x")]),
    ]

    async def end(ask: Callable[[], Awaitable[object]]) -> None:
        with suppress(TimeoutError, NodeUnavailable):
            await ask()

    running = [asyncio.create_task(end(ask)) for ask in asked]
    await asyncio.sleep(TICK_S)
    asyncio.get_running_loop().call_soon(time.sleep, STILL_S)
    await asyncio.gather(*running)
    passes = True
    try:
        await guard.run(lambda: asyncio.sleep(0))
    except NotAsked:
        passes = False
    assert (passes, endpoint.failing == 0, not source.resting) == (watched,) * 3
    if watch is not None:
        watch.cancel()


class Slow:
    name, batch_size, interval_s = "slow", 10, 0.0

    def covers(self, chain_id: int, /) -> bool:
        return True

    async def prices(self, tokens: Sequence[PriceKey], /) -> Mapping[PriceKey, PriceQuote]:
        await asyncio.sleep(60)
        return {}


@in_virtual_time
async def test_the_least_lateness_is_told_and_lone_late_ticks_are_not() -> None:
    loop, heard, lost = asyncio.get_running_loop(), list[float](), 0.0
    watch = LoopWatch(heard.append, lambda: loop.time() + lost)
    running = asyncio.create_task(watch.run())
    await asyncio.sleep(TICK_S / 2)
    for late_s in (0.05, 0.0, *(0.02,) * 30):
        lost += late_s
        await asyncio.sleep(TICK_S)
    running.cancel()
    assert [heard[0], heard[-1]] == pytest.approx([0.0, 0.02], abs=1e-6)
    assert watch.late_s == heard[-1]


@in_virtual_time
async def test_what_was_lost_counts_for_those_who_waited_then() -> None:
    loop = asyncio.get_running_loop()
    lost = 0.0

    def now() -> float:
        return loop.time() + lost

    watch = LoopWatch(now=now)
    running = asyncio.create_task(watch.run())
    await asyncio.sleep(1)
    before = now()
    assert not watch.was_held_up(before)
    lost += 3 * HELD_UP_S
    # It stands still now, and no tick has told so yet.
    assert watch.was_held_up(before)
    await asyncio.sleep(2)
    # By now that is less than a fifth, and a second was not lost.
    assert (watch.was_held_up(before), watch.was_held_up(now() - 0.5)) == (False, False)
    lost += 1.5
    await asyncio.sleep(6)
    assert watch.was_held_up(before)
    assert watch.held_up_s == pytest.approx(1.8, abs=0.2)
    running.cancel()
    assert not was_held_up(now())
