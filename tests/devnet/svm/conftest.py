"""The chain, served; its slots go by as quickly as a test needs them to."""

from collections.abc import AsyncIterator, Iterator

import pytest

from rhumbline.devnet.svm.chains import RunningSolana, running_solana
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from tests.devnet.svm.set_up_chain import STARTED, SetUpChain


@pytest.fixture(scope="module")
async def lively() -> AsyncIterator[RunningSolana]:
    """A chain whose slots go by by themselves, faster than everywhere, and slow enough for a busy machine."""
    async with running_solana(slot_s=0.08, started=STARTED) as running:
        yield running


@pytest.fixture
async def still() -> AsyncIterator[RunningSolana]:
    """A chain of the test's own, whose slots go by only when it says so."""
    async with running_solana(slot_s=None, started=STARTED) as running:
        yield running


@pytest.fixture
def node(still: RunningSolana, http: HttpClient) -> SvmRpc:
    return SvmRpc(still.server.rpc_url, http)


@pytest.fixture(scope="module")
def made() -> SetUpChain:
    return SetUpChain()


@pytest.fixture
def local(made: SetUpChain) -> Iterator[SetUpChain]:
    """The chain of the module's tests, put back afterwards to where it was."""
    mark = made.chain.snapshot()
    yield made
    made.chain.restore(mark)
