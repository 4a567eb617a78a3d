"""A node of another cluster is not believed: not at first, nor when it takes the place of one that was away."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import pytest
import pytest_asyncio
from aiohttp import web

from rhumbline.devnet.hosts import hosted
from rhumbline.domain.errors import NodeUnavailable
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.identity import NodeOnOtherChain
from rhumbline.gateways.nodes.svm.cluster import CLUSTERS, MAINNET_GENESIS, SURE_FOR_S, Cluster
from rhumbline.gateways.nodes.svm.rpc import SvmRpc

DEVNET = next(genesis for genesis, name in CLUSTERS.items() if name == "devnet")
OWN = "9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin"


@dataclass
class Exchanged:
    """A URL behind which the node may be another one, or none."""

    genesis: str = MAINNET_GENESIS
    away: bool = False
    seconds: float = 0.0
    asked: list[str] = field(default_factory=list)
    url: str = ""

    async def handle(self, request: web.Request) -> web.Response:
        method = (await request.json())["method"]
        self.asked.append(method)
        if self.away:
            return web.Response(status=503)
        return web.json_response({"jsonrpc": "2.0", "id": 0, "result": self.genesis if "Genesis" in method else 7})

    def now(self) -> float:
        return self.seconds


@pytest_asyncio.fixture
async def node() -> AsyncIterator[Exchanged]:
    made = Exchanged()
    app = web.Application()
    app.router.add_post("/", made.handle)
    async with hosted(app) as made.url:
        yield made


@pytest_asyncio.fixture
async def rpc(node: Exchanged) -> AsyncIterator[SvmRpc]:
    async with HttpClient() as http:
        yield SvmRpc(node.url, http, "sol", cluster=Cluster(MAINNET_GENESIS, node.now))


async def test_it_is_asked_once_beside_the_first_calls(node: Exchanged, rpc: SvmRpc) -> None:
    assert await asyncio.gather(*(rpc.slot() for _ in range(5))) == [7] * 5
    await rpc.slot()
    assert node.asked.count("getGenesisHash") == 1
    node.seconds += SURE_FOR_S
    await rpc.slot()
    assert node.asked.count("getGenesisHash") == 2


async def test_a_node_of_another_cluster_answers_nothing(node: Exchanged, rpc: SvmRpc) -> None:
    node.genesis = DEVNET
    for _ in range(3):
        with pytest.raises(NodeOnOtherChain, match=r"^sol: the node is on devnet, which is another chain$"):
            await rpc.slot()
    assert node.asked.count("getGenesisHash") == 1
    node.genesis, node.seconds = MAINNET_GENESIS, 2.0
    assert await rpc.slot() == 7


async def test_one_that_takes_the_place_of_a_node_that_was_away_is_looked_at(node: Exchanged, rpc: SvmRpc) -> None:
    assert await rpc.slot() == 7
    node.away = True
    with pytest.raises(NodeUnavailable):
        await rpc.slot()
    node.away, node.genesis = False, OWN
    with pytest.raises(NodeOnOtherChain, match="an unknown cluster"):
        await rpc.slot()


async def test_one_that_cannot_be_asked_is_not_believed(node: Exchanged, rpc: SvmRpc) -> None:
    node.genesis = "no hash"
    with pytest.raises(NodeUnavailable, match="answered getGenesisHash with something else"):
        await rpc.slot()


@pytest.mark.parametrize(
    ("expected", "there", "right"),
    [
        (MAINNET_GENESIS, MAINNET_GENESIS, True), (MAINNET_GENESIS, OWN, False), (OWN, OWN, True), (OWN, DEVNET, False),
        (None, OWN, True), (None, DEVNET, True), (None, MAINNET_GENESIS, False),
    ],
)  # fmt: skip
def test_which_node_is_right(expected: str | None, there: str, right: bool) -> None:
    assert (Cluster(expected).other(there) is None) is right
