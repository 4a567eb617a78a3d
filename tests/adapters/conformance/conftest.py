"""A desk for the case that a test is about; its emulator behaves well again afterwards.

The chains are not set back: deposits would get the numbers of others that a solver is still dealing with.
"""

from collections.abc import AsyncIterator, Mapping

import pytest

from rhumbline.devnet.sandbox import Sandbox
from rhumbline.devnet.upstreams.emulator import Emulator
from tests.adapters.conformance.cases import CASES
from tests.adapters.conformance.desk import Desk, open_desk


@pytest.fixture
async def desk(key: str, sandbox: Sandbox, emulators: Mapping[str, Emulator]) -> AsyncIterator[Desk]:
    case = CASES[key]
    emulator = emulators[case.emulator.key]
    emulator.reset()
    try:
        async with open_desk(sandbox, emulator, case) as opened:
            yield opened
    finally:
        emulator.reset()
