"""One chain for all, put back after each test."""

from collections.abc import AsyncIterator

import pytest

from rhumbline.devnet.svm.chains import RunningSolana, running_solana
from rhumbline.gateways.http.client import HttpClient
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
    async with HttpClient() as http:
        rpc = SvmRpc(solana.server.rpc_url, http, "sbxs")
        yield Trials(solana, rpc, SvmSimulator(rpc, 20.0))
    solana.server.chain.restore(mark)
