"""One chain for all, put back after each test."""

from collections.abc import AsyncIterator

import aiohttp
import pytest

from rhumbline.devnet.svm.running import RunningSolana, running_solana
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from rhumbline.simulation.svm.runtime import SvmSimulator
from tests.simulation.svm.trials import Trials


@pytest.fixture(scope="module")
async def solana() -> AsyncIterator[RunningSolana]:
    async with running_solana(slot_s=None, started=1_800_000_000) as running:
        yield running


@pytest.fixture
async def trials(solana: RunningSolana) -> AsyncIterator[Trials]:
    mark = solana.server.chain.snapshot()
    async with aiohttp.ClientSession() as session:
        rpc = SvmRpc(solana.server.rpc_url, session, "sbxs")
        yield Trials(solana, rpc, SvmSimulator(rpc, 20.0))
    solana.server.chain.restore(mark)
