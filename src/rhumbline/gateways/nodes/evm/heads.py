"""New heads of an EVM chain, by ``eth_subscribe`` as go-ethereum's documentation of its pub/sub describes it.

Read 2026-11.
"""

from typing import ClassVar

from rhumbline.domain.errors import NodeUnavailable
from rhumbline.gateways.http.strict_json import Json
from rhumbline.gateways.nodes.evm.rpc import quantity
from rhumbline.gateways.nodes.heads import SILENCE_S, Heads, OtherChain
from rhumbline.gateways.nodes.websocket import RpcSocket, SocketConnection


class EvmHeads(Heads):
    """New heads of an EVM chain; the socket itself is asked for its chain and latest block."""

    notice: ClassVar[str] = "eth_subscription"

    def __init__(self, socket: RpcSocket, chain_id: int, silence_s: float = SILENCE_S) -> None:
        super().__init__(socket, silence_s)
        self._chain_id = chain_id

    async def _subscribe(self, connection: SocketConnection) -> None:
        await self._check_chain(connection)
        subscription = await connection.ask("eth_subscribe", ["newHeads"])
        if not isinstance(subscription, str):
            raise NodeUnavailable(f"{self._socket.name}: the node's socket answered no subscription")
        self._subscription = subscription

    async def _check_chain(self, connection: SocketConnection) -> None:
        found = quantity(await connection.ask("eth_chainId"))
        if found != self._chain_id:
            name = self._socket.name
            raise OtherChain(f"{name}: the node's socket is on chain {found}, the settings say {self._chain_id}")

    async def _newest(self, connection: SocketConnection) -> int:
        return quantity(await connection.ask("eth_blockNumber"))

    def _number_of(self, head: Json) -> int:
        return quantity(head.get("number") if isinstance(head, dict) else None)

    def _agrees(self, number: int, head: int) -> bool:
        return number == head
