"""Calls at a time before a host: never more than permitted, first come first served, none lost to who is cancelled."""

import asyncio

from hypothesis import given
from hypothesis import strategies as st

from rhumbline.gateways.upstreams.guard.guard import GuardRules, UpstreamGuard

# What each caller does: how many turns of the loop it comes late, stays, and whether it is cancelled while it waits.
CALLERS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.booleans()), max_size=12)


@given(st.integers(1, 3), CALLERS)
def test_calls_at_once(number: int, callers: list[tuple[int, int, bool]]) -> None:
    asyncio.run(_come_and_go(number, callers))


async def _come_and_go(number: int, callers: list[tuple[int, int, bool]]) -> None:
    guard, inside, most, came, served = UpstreamGuard("HOST", GuardRules(at_once=number)), 0, 0, [], []

    async def come(name: int, late: int, stays: int) -> None:
        for _ in range(late):
            await asyncio.sleep(0)
        came.append(name)
        await guard.run(lambda: stay(name, stays))

    async def stay(name: int, turns: int) -> None:
        nonlocal inside, most
        served.append(name)
        inside += 1
        most = max(most, inside)
        try:
            for _ in range(turns):
                await asyncio.sleep(0)
        finally:
            inside -= 1

    async def cancel(task: asyncio.Task[None], late: int) -> None:
        for _ in range(late + 2):
            await asyncio.sleep(0)
        task.cancel()

    tasks = [asyncio.create_task(come(name, late, stays)) for name, (late, stays, _) in enumerate(callers)]
    cancelling = [
        asyncio.create_task(cancel(task, late)) for task, (late, _, ends) in zip(tasks, callers, strict=True) if ends
    ]
    async with asyncio.timeout(20):
        ended = await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.gather(*cancelling)
    assert all(end is None or isinstance(end, asyncio.CancelledError) for end in ended)
    assert most <= number
    assert served == [name for name in came if name in served]
    inside = most = 0
    await asyncio.gather(*(guard.run(lambda: stay(-1, 2)) for _ in range(number)))
    assert most == number
