import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from rhumbline.devnet.upstreams.server import running_emulators
from rhumbline.devnet.upstreams.settlement import compile_settlement
from rhumbline.devnet.upstreams.world import World
from tests.devnet.upstreams.sample_upstream import SampleUpstream
from tests.sandbox_fixture import LoopThread

HERE = Path(__file__).parent
NODE_MODULES = Path(__file__).parents[3] / "node_modules"


@pytest.fixture(scope="session")
def sample_code(sandbox_loop: LoopThread) -> bytes:
    compiled = sandbox_loop.run(compile_settlement(NODE_MODULES, ["SampleUpstream"], HERE))
    return bytes.fromhex(json.loads(compiled["SampleUpstream"])["runtime"][2:])


@pytest.fixture(scope="package")
def running_sample(world: World, sandbox_loop: LoopThread, sample_code: bytes) -> Iterator[SampleUpstream]:
    SampleUpstream.code = sample_code
    with sandbox_loop.entered(running_emulators(world, (SampleUpstream,))) as running:
        sample = running["SAMPLE"]
        assert isinstance(sample, SampleUpstream)
        yield sample


@pytest.fixture
def sample(running_sample: SampleUpstream) -> Iterator[SampleUpstream]:
    """The test's own upstream, well behaved again afterwards."""
    yield running_sample
    running_sample.reset()
