import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from rhumbline.devnet.upstreams.emulator import running_emulators
from rhumbline.devnet.upstreams.settlement import compile_settlement
from rhumbline.devnet.upstreams.world import World
from tests.devnet.upstreams.quay import Quay
from tests.sandbox_fixture import LoopThread

HERE = Path(__file__).parent
NODE_MODULES = Path(__file__).parents[3] / "node_modules"


@pytest.fixture(scope="session")
def quay_code(sandbox_loop: LoopThread) -> bytes:
    compiled = sandbox_loop.run(compile_settlement(NODE_MODULES, ["Quay"], HERE))
    return bytes.fromhex(json.loads(compiled["Quay"])["runtime"][2:])


@pytest.fixture(scope="package")
def running_quay(world: World, sandbox_loop: LoopThread, quay_code: bytes) -> Iterator[Quay]:
    Quay.code = quay_code
    with sandbox_loop.entered(running_emulators(world, (Quay,))) as running:
        quay = running["QUAY"]
        assert isinstance(quay, Quay)
        yield quay


@pytest.fixture
def quay(running_quay: Quay) -> Iterator[Quay]:
    """The test's own upstream, well behaved again afterwards."""
    yield running_quay
    running_quay.reset()
