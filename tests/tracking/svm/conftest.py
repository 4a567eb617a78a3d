"""A Solana chain of the test's own, whose slots go by only when it says so, and what follows it into the store."""

from collections.abc import AsyncIterator

import aiohttp
import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.devnet.svm.running import running_solana
from rhumbline.gateways.svm.rpc import SvmRpc
from rhumbline.tracking.builds import Builds
from rhumbline.tracking.svm.indexer import SvmIndexer
from tests.tracking.conftest import service_keys
from tests.tracking.svm.desk import KNOWN, SOLANA, Desk, Order

STARTED = 1_800_000_000


@pytest.fixture
async def desk(session: aiohttp.ClientSession) -> AsyncIterator[Desk]:
    async with running_solana(slot_s=None, started=STARTED) as running:
        yield Desk(SvmRpc(running.server.rpc_url, session, "sbxs"), running.server.chain)


def follower(desk: Desk, engine: AsyncEngine, rpc: SvmRpc | None = None) -> SvmIndexer:
    return SvmIndexer(SOLANA, rpc or desk.rpc, engine, service_keys, desk.clock, KNOWN)


async def catch_up(following: SvmIndexer) -> int:
    """Steps until nothing is waiting; answers how many it took."""
    steps = 1
    while await following.step():
        steps += 1
        assert steps < 10_000
    return steps


async def keep(engine: AsyncEngine, *orders: Order) -> None:
    for order in orders:
        await Builds(engine).keep(order.issued)
