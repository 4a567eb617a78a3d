"""New heads of one chain, announced by its node, so that nothing has to poll.

An announcement is only a hint to look: only the number of the block or slot is read from it, and the trusted data come
from the usual calls. The chain types' own parts are in ``evm/heads.py`` and ``svm/heads.py``.
"""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import ClassVar

from rhumbline.domain.errors import NodeUnavailable
from rhumbline.gateways.http.strict_json import Json
from rhumbline.gateways.nodes.websocket import RpcSocket, SocketConnection

SILENCE_S = 30.0
"""After so long without a message the node is asked whether it is alive and on its chain."""


class OtherChain(NodeUnavailable):
    """The websocket's node is on another chain than the settings say; the message names both."""


class Heads(ABC):
    """A chain's announced heads. ``bell`` is set by each, and when announcements begin or end. One event loop."""

    notice: ClassVar[str]
    """The notification by which the node announces a head."""

    def __init__(self, socket: RpcSocket, silence_s: float = SILENCE_S) -> None:
        """Take a socket, which is connected as long as ``listen`` runs."""
        self._socket = socket
        self._silence_s = silence_s
        self.bell = asyncio.Event()
        self._subscription: Json = None
        self._number: int | None = None
        self._doubted = False

    @property
    def url(self) -> str:
        """The socket's address, a secret."""
        return self._socket.url

    @property
    def announces(self) -> bool:
        """Return whether there is a subscription that has announced a head and is credible."""
        return self._number is not None and not self._doubted

    def newest_is(self, head: int | None) -> bool:
        """Return whether the socket has the same newest head, so that the next one will be announced.

        False without a subscription, and as long as socket and node differ: then look on a clock.
        """
        if head is None or self._number is None or self._doubted:
            return False
        return self._agrees(self._number, head)

    async def listen(self, still_needed: Callable[[], bool] = lambda: True) -> None:
        """Subscribe and receive announcements, until after a message ``still_needed`` returns False.

        Raise NodeUnavailable, OtherChain or NodeRefused if there is no subscription, or it is lost: the node hangs up,
        is silent, sends an invalid head, moves to another chain, or has new blocks and announces none.
        """
        async with self._subscribed() as connection:
            newest = await self._newest(connection)
            if self._number is None:
                self._turn(newest)
            while still_needed():
                if not await connection.listen(self._silence_s):
                    await self._make_sure(connection)

    async def try_out(self) -> None:
        """Connect, make sure of the chain, subscribe, and leave again; raise as ``listen`` does."""
        async with self._subscribed():
            pass

    @abstractmethod
    async def _subscribe(self, connection: SocketConnection) -> None:
        """Note the subscription, having made sure of the chain."""

    @abstractmethod
    async def _check_chain(self, connection: SocketConnection) -> None:
        """Raise OtherChain where the socket's node is on another chain."""

    @abstractmethod
    async def _newest(self, connection: SocketConnection) -> int:
        """Ask for the number of the newest head."""

    @abstractmethod
    def _number_of(self, head: Json) -> int:
        """Read the number of an announced head; raise NodeUnavailable if it is invalid."""

    @abstractmethod
    def _agrees(self, number: int, head: int) -> bool:
        """Return whether the last announced number fits the node's head."""

    @asynccontextmanager
    async def _subscribed(self) -> AsyncIterator[SocketConnection]:
        try:
            async with self._socket.connected(self._hear) as connection:
                await self._subscribe(connection)
                yield connection
        finally:
            self._subscription = None
            self._turn(None)

    async def _make_sure(self, connection: SocketConnection) -> None:
        """Ask a silent node for a sign of life; a chain at rest is silent as well."""
        await self._check_chain(connection)
        newest = await self._newest(connection)
        if self._number is None or newest <= self._number:
            # A chain that was set back announces nothing until its next block.
            self._turn(newest)
        elif not await connection.listen(self._socket.answer_s):
            # From now on only a head makes a connection credible.
            self._doubted = True
            raise NodeUnavailable(f"{self._socket.name}: the node's socket announces no heads")

    def _hear(self, message: Mapping[str, Json]) -> None:
        params = message.get("params")
        if message.get("method") != self.notice or not isinstance(params, dict):
            raise NodeUnavailable(f"{self._socket.name}: the node's websocket sent an unexpected message")
        if self._subscription is None or params.get("subscription") != self._subscription:
            return
        number = self._number_of(params.get("result"))
        self._doubted = False
        self._turn(number)

    def _turn(self, number: int | None) -> None:
        self._number = number
        self.bell.set()
