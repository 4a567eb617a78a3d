"""Reading is spread over time."""

import asyncio

from rhumbline.tracking.svm.read_budget import A_SECOND, ReadBudget
from tests.virtual_time import in_virtual_time


@in_virtual_time
async def test_work_is_spread_over_time() -> None:
    loop, budget = asyncio.get_running_loop(), ReadBudget()
    # What was not used of the last two seconds is there at once.
    for _ in range(2 * A_SECOND // 10):
        await budget.spend(*[1_000] * 10)
    assert loop.time() < 0.1
    begun = loop.time()
    for _ in range(3 * A_SECOND // 150):
        await budget.spend(*[14 * 64 * 1024] * 10)
    assert 2.99 < loop.time() - begun < 3.01
