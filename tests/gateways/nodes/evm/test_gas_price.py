"""A gas price is asked for once in a while, however many want it."""

import pytest

from rhumbline.domain.errors import NodeUnavailable
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.evm.gas_price import KEPT_S, GasPrices
from rhumbline.gateways.nodes.evm.rpc import EvmRpc


class Node(EvmRpc):
    """Tells one wei more each time, or is away."""

    asked = 0
    away = False

    async def call(self, method: str, *_: object, **__: object) -> object:
        assert method == "eth_gasPrice"
        if self.away:
            raise NodeUnavailable("base: the node is away")
        Node.asked += 1
        return hex(10**9 + Node.asked)


async def test_a_price_is_kept_for_a_moment() -> None:
    now = [0.0]
    prices, node = GasPrices(lambda: now[0]), Node("http://127.0.0.1:9", HttpClient(), "base")
    first = await prices.of(node)
    assert await prices.of(node) == first
    now[0] = KEPT_S
    assert await prices.of(node) == first + 1


async def test_a_node_that_is_away_is_told_once_the_price_is_old() -> None:
    now = [0.0]
    prices, node = GasPrices(lambda: now[0]), Node("http://127.0.0.1:9", HttpClient(), "base")
    await prices.of(node)
    object.__setattr__(node, "away", True)
    await prices.of(node)
    now[0] = KEPT_S
    with pytest.raises(NodeUnavailable):
        await prices.of(node)
