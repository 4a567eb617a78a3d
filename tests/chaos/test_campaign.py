"""A process that was killed is asked nothing until another one has taken its place."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import aiohttp

from chaos.campaign import Campaign, Plan
from tests.tracking.processes import Process


async def test_a_process_that_is_being_replaced_leads_nothing(tmp_path: Path) -> None:
    world: Any = SimpleNamespace(ways={}, endpoints={"sbxa": []}, engine=None)
    running = Campaign(Plan(1, 1, 1, 1.0, 0.0), world, tmp_path)
    async with aiohttp.ClientSession() as session:
        running.processes.append(Process(tmp_path, 0, 0, 0, session))
    assert await running.leader() is None
