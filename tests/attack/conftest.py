"""A service for attacks, with chains of its own: what is stolen there is missed by nobody else."""

from collections.abc import AsyncIterator

import pytest

from attack.service import AttackedService, open_service


@pytest.fixture(scope="package")
async def service() -> AsyncIterator[AttackedService]:
    async with open_service() as opened:
        yield opened
