"""A stage for attacks, with chains of its own: what is stolen there is missed by nobody else."""

from collections.abc import AsyncIterator

import pytest

from attack.stage import Stage, open_stage


@pytest.fixture(scope="package")
async def stage() -> AsyncIterator[Stage]:
    async with open_stage() as opened:
        yield opened
