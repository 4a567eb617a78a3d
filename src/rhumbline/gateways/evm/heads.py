"""New heads of one EVM chain, announced by its node: nobody has to ask for them on a clock.

By ``eth_subscribe`` as go-ethereum's documentation of its pub/sub describes it (read 2026-11). An announcement is a
hint to look and nothing else: only the block's number is read of it, and what is believed comes from the usual calls.
"""

import asyncio
from collections.abc import Callable, Mapping

from rhumbline.domain.errors import NodeUnavailable
from rhumbline.gateways.evm.rpc import quantity
from rhumbline.gateways.evm.socket import EvmSocket, SocketConnection
from rhumbline.gateways.strict_json import Json

SILENCE_S = 30.0
"""After so long without a word the node is asked whether it is still there, and on its chain."""


class OtherChain(NodeUnavailable):
    """The node behind the socket is on another chain than the settings say; the message names both."""


class Heads:
    """What one chain's node announces. ``bell`` is set by each head, and when that begins or ends. One event loop."""

    __slots__ = ("_chain_id", "_doubted", "_number", "_silence_s", "_socket", "_subscription", "bell")

    def __init__(self, socket: EvmSocket, chain_id: int, silence_s: float = SILENCE_S) -> None:
        self._socket = socket
        self._chain_id = chain_id
        self._silence_s = silence_s
        self.bell = asyncio.Event()
        self._subscription: Json = None
        self._number: int | None = None
        self._doubted = False

    def newest_is(self, head: int | None) -> bool:
        """Tell whether this is what the socket, too, has for the head, so that the next one will be announced.

        False without a subscription, and as long as socket and node differ: then look on a clock.
        """
        return head is not None and head == self._number and not self._doubted

    async def listen(self, wanted: Callable[[], bool] = lambda: True) -> None:
        """Subscribe and hear what is announced, until a message finds that it is not ``wanted`` any more.

        Raise NodeUnavailable, OtherChain or RpcError when there is no subscription, or it is lost: by a node that hangs
        up, is silent, says what is no head, moves to another chain, or has new blocks and announces none.
        """
        try:
            async with self._socket.connected(self._hear) as connection:
                await self._subscribe(connection)
                newest = quantity(await connection.ask("eth_blockNumber"))
                if self._number is None:
                    self._turn(newest)
                while wanted():
                    if not await connection.listen(self._silence_s):
                        await self._make_sure(connection)
        finally:
            self._subscription = None
            self._turn(None)

    async def try_out(self) -> None:
        """Connect, make sure of the chain, subscribe, and leave again; raise as ``listen`` does."""
        async with self._socket.connected(lambda message: None) as connection:
            await self._subscribe(connection)

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

    async def _make_sure(self, connection: SocketConnection) -> None:
        """Ask a silent node for a sign of life; a chain at rest is silent as well."""
        await self._check_chain(connection)
        newest = quantity(await connection.ask("eth_blockNumber"))
        if self._number is None or newest <= self._number:
            # A chain that was set back announces nothing until its next block.
            self._turn(newest)
        elif not await connection.listen(self._socket.answer_s):
            # From now on only a head makes a connection credible.
            self._doubted = True
            raise NodeUnavailable(f"{self._socket.name}: the node's socket announces no heads")

    def _hear(self, message: Mapping[str, Json]) -> None:
        params = message.get("params")
        if message.get("method") != "eth_subscription" or not isinstance(params, dict):
            raise NodeUnavailable(f"{self._socket.name}: the node's socket says what nobody asked for")
        if self._subscription is None or params.get("subscription") != self._subscription:
            return
        head = params.get("result")
        number = quantity(head.get("number") if isinstance(head, dict) else None)
        self._doubted = False
        self._turn(number)

    def _turn(self, number: int | None) -> None:
        self._number = number
        self.bell.set()
