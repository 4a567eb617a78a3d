"""A Solana chain of the test's own, whose slots go by only when it says so, and what follows it into the store."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.devnet.svm.chains import RunningSolana, running_solana
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from rhumbline.tracking.issued_transactions import IssuedTransactions
from rhumbline.tracking.svm.indexer import SvmIndexer
from rhumbline.tracking.svm.read_budget import ReadBudget
from tests.tracking.conftest import service_keys
from tests.tracking.node import Node, running_node
from tests.tracking.svm.solana_orders import KNOWN, SOLANA, Order, SolanaOrders

STARTED = 1_800_000_000


@pytest.fixture(scope="session")
async def running() -> AsyncIterator[RunningSolana]:
    async with running_solana(slot_s=None, started=STARTED) as chain:
        yield chain


@pytest.fixture
async def solana(running: RunningSolana, http: HttpClient) -> AsyncIterator[SolanaOrders]:
    """The chain as it began: to set one up takes longer than most tests."""
    chain = running.server.chain
    mark = chain.snapshot()
    yield SolanaOrders(SvmRpc(running.server.rpc_url, http, "sbxs"), chain)
    chain.restore(mark)


@pytest.fixture
async def between(solana: SolanaOrders, http: HttpClient) -> AsyncIterator[Node]:
    """A node before the chain's own, to answer in its place."""
    async with running_node(solana.rpc.url, http) as running:
        yield running


def through(node: Node, solana: SolanaOrders) -> SvmRpc:
    return replace(solana.rpc, url=node.rpc.url)


def chain_indexer(solana: SolanaOrders, engine: AsyncEngine, rpc: SvmRpc | None = None) -> SvmIndexer:
    return SvmIndexer(SOLANA, rpc or solana.rpc, engine, service_keys, solana.clock, KNOWN, budget=ReadBudget(10**6))


async def catch_up(following: SvmIndexer) -> int:
    """Steps until nothing is waiting; answers how many it took."""
    steps = 1
    while await following.step():
        steps += 1
        assert steps < 10_000
    return steps


async def keep(engine: AsyncEngine, *orders: Order) -> None:
    for order in orders:
        await IssuedTransactions(engine).keep(order.issued)
