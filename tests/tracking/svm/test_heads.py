"""A Solana chain whose node announces its slots is looked at with each; whatever the socket does, nothing is lost."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.devnet.svm.chain import SvmChain
from rhumbline.devnet.svm.server import SvmServer, serving
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.heads import SILENCE_S, Heads, OtherChain
from rhumbline.gateways.nodes.svm.heads import FAR, SvmHeads
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from rhumbline.gateways.nodes.websocket import RpcSocket
from rhumbline.gateways.svm.messages import compile_v0
from rhumbline.tracking import trackers as running_module
from rhumbline.tracking.enrichment import Enricher, FeeWallets
from rhumbline.tracking.svm.receipts import SvmFees
from rhumbline.tracking.trackers import Tracker
from rhumbline.tracking.values import no_prices
from tests.tracking.conftest import kept, wallet_of
from tests.tracking.node import Node, running_node
from tests.tracking.svm.conftest import STARTED, chain_indexer, keep
from tests.tracking.svm.solana_orders import SENDER, SERVICE, SOLANA, USER, Order, SolanaOrders, signed
from tests.tracking.test_trackers import running, until

NEVER_S = 3600.0
"""A rest that no test outlives: whoever looks before was told, or goes by the clock."""
POLL_S = 0.02
SHORT_S = 0.1
ANSWER_S = 1.0


@dataclass
class Following:
    """What follows the chain through ``node``, told by the websocket of ``told``, a second server of the same chain."""

    solana: SolanaOrders
    node: Node
    told: SvmServer
    engine: AsyncEngine

    def rpc(self) -> SvmRpc:
        return SvmRpc(self.node.rpc.url, self.node.rpc.http, "sbxs")

    def heads(self, url: str | None = None, silence_s: float = SILENCE_S) -> Heads:
        return SvmHeads(RpcSocket(url or self.told.ws_url, "sbxs", ANSWER_S), self.solana.rpc, silence_s)

    def tracker(self, heads: Heads) -> Tracker:
        rpc, tokens = self.rpc(), TokenCatalog([SOLANA], [], {})
        wallets = FeeWallets(SERVICE, wallet_of)
        fees = Enricher(SOLANA, SvmFees(rpc), self.engine, tokens, wallets, self.solana.clock, no_prices)
        return Tracker(chain_indexer(self.solana, self.engine, rpc), fees, POLL_S, heads=heads)

    def looks(self) -> int:
        return [method for method, _ in self.node.calls].count("getSignaturesForAddress")

    def slot(self) -> None:
        """Let a slot go by, and have it told."""
        self.solana.chain.advance()
        self.told.notify()

    def at_rest(self, work: Tracker) -> Callable[[], Awaitable[bool]]:
        """Tell whether it waits for the next slot; slots go by until it does."""

        async def check() -> bool:
            assert work.heads is not None
            if work.heads.newest_is(work.indexer.head):
                return True
            self.slot()
            return False

        return check

    async def send(self, order: Order) -> None:
        """Have it executed in the present slot; the node that is told of it announces nothing to the socket."""
        message = compile_v0(SENDER, order.calls, [], str(self.solana.chain.blockhash()))
        await self.solana.rpc.send(signed(message, USER), preflight=False)

    def recorded(self, count: int) -> Callable[[], Awaitable[bool]]:
        async def check() -> bool:
            return len(await kept(self.engine)) == count

        return check


@pytest.fixture
async def following(solana: SolanaOrders, http: HttpClient, store_engine: AsyncEngine) -> AsyncIterator[Following]:
    async with running_node(solana.rpc.url, http) as node, serving(solana.chain, slot_s=None) as told:
        yield Following(solana, node, told, store_engine)


@pytest.fixture(autouse=True)
def no_safety_look(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running_module, "LONGEST_REST_S", NEVER_S)


@asynccontextmanager
async def another_chain(ahead: int) -> AsyncIterator[str]:
    """Yield the websocket of another chain, so many slots ahead, whose slots go by."""
    chain = SvmChain(STARTED)
    chain.advance(ahead)
    async with serving(chain, slot_s=POLL_S) as other:
        yield other.ws_url


async def test_a_slot_wakes_whoever_sleeps_when_it_confirms_a_transaction(following: Following) -> None:
    work = following.tracker(following.heads())
    async with running(work, following.engine):
        for number in range(3):
            order = following.solana.swap(number)
            await keep(following.engine, order)
            await until(following.at_rest(work))
            await following.send(order)
            before = following.looks()
            # By the clock there would be fifty. What is processed only is not read yet, told or not.
            await asyncio.sleep(50 * POLL_S)
            assert following.looks() - before <= 3
            assert len(await kept(following.engine)) == number
            following.slot()
            await until(following.recorded(number + 1))


async def test_without_the_socket_the_clock_takes_over(
    solana: SolanaOrders, http: HttpClient, store_engine: AsyncEngine
) -> None:
    async with running_node(solana.rpc.url, http) as node, AsyncExitStack() as server:
        told = await server.enter_async_context(serving(solana.chain, slot_s=None))
        following = Following(solana, node, told, store_engine)
        work = following.tracker(following.heads())
        order = solana.swap()
        await keep(store_engine, order)
        async with running(work, store_engine):
            await until(following.at_rest(work))
            await server.aclose()
            await following.send(order)
            solana.chain.advance()
            await until(following.recorded(1))


async def test_a_socket_that_keeps_silent_is_doubted(following: Following) -> None:
    """Slots go by and none is told: what was sent meanwhile is found by the clock."""
    work = following.tracker(following.heads(silence_s=SHORT_S))
    order = following.solana.swap()
    await keep(following.engine, order)
    async with running(work, following.engine):
        await until(following.at_rest(work))
        await following.send(order)
        following.solana.chain.advance()
        await until(following.recorded(1))


async def test_a_chain_at_rest_is_silent_and_trusted(following: Following) -> None:
    heads = following.heads(silence_s=SHORT_S)
    work = following.tracker(heads)
    async with running(work, following.engine):
        await until(following.at_rest(work))
        await asyncio.sleep(5 * SHORT_S)
        assert heads.newest_is(work.indexer.head)


@pytest.mark.parametrize("ahead", [1, -1])
async def test_another_chain_is_refused_in_words_and_the_clock_gone_by(following: Following, ahead: int) -> None:
    if ahead < 0:
        following.solana.chain.advance(2 * FAR)
    async with another_chain(2 * FAR if ahead > 0 else 0) as url:
        heads = following.heads(url)
        with pytest.raises(OtherChain, match=r"^sbxs: the node's socket is on another chain: at slot \d+, chains"):
            await heads.try_out()
        assert not heads.newest_is(following.solana.chain.slots.slot)
        order = following.solana.swap()
        await keep(following.engine, order)
        async with running(following.tracker(heads), following.engine):
            await following.send(order)
            following.solana.chain.advance()
            await until(following.recorded(1))


async def test_a_socket_that_is_behind_is_not_gone_by(following: Following) -> None:
    """It announces slots, and none that the node has not had for long."""
    following.solana.chain.advance(1000)
    async with another_chain(0) as url:
        work = following.tracker(following.heads(url))
        order = following.solana.swap()
        await keep(following.engine, order)
        async with running(work, following.engine):
            await following.send(order)
            following.solana.chain.advance()
            await until(following.recorded(1))
            assert work.heads is not None
            assert not work.heads.newest_is(work.indexer.head)


async def test_a_chain_that_was_set_back_is_looked_at(following: Following) -> None:
    work = following.tracker(following.heads())
    async with running(work, following.engine):
        mark = following.solana.chain.snapshot()
        await until(following.at_rest(work))
        following.solana.chain.restore(mark)
        order = following.solana.swap()
        await keep(following.engine, order)
        await following.send(order)
        following.slot()
        await until(following.recorded(1))
