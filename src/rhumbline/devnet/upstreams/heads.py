"""New blocks of a local chain, pushed by the node, so that nothing polls."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field

import aiohttp

from rhumbline.gateways.nodes.evm.rpc import EvmRpc, quantity


@dataclass
class Heads:
    """A subscription to ``newHeads``, as go-ethereum's documentation of its pub/sub describes it (read 2026-11)."""

    rpc: EvmRpc
    on_duty: Callable[[], bool] = lambda: True
    _socket: aiohttp.ClientWebSocketResponse | None = None
    _listeners: set[asyncio.Queue[int]] = field(default_factory=set)

    async def connect(self, stack: AsyncExitStack, session: aiohttp.ClientSession) -> None:
        """Subscribe; the connection ends with `stack`."""
        socket = await stack.enter_async_context(session.ws_connect(self.rpc.url))
        await socket.send_json({"jsonrpc": "2.0", "id": 1, "method": "eth_subscribe", "params": ["newHeads"]})
        await socket.receive_json()
        self._socket = socket

    async def run(self) -> None:
        """Pass every new block's number to all listeners, until cancelled."""
        if self._socket is None:
            raise RuntimeError("connect first")
        async for message in self._socket:
            number = quantity(message.json()["params"]["result"]["number"])
            for listener in self._listeners:
                listener.put_nowait(number)

    async def blocks(self) -> AsyncIterator[tuple[int, int]]:
        """Yield ranges of new blocks, first and last, from now on; those during a time off duty are skipped.

        After the chain was set back, its new blocks are yielded with their new numbers.
        """
        listener: asyncio.Queue[int] = asyncio.Queue()
        self._listeners.add(listener)
        try:
            seen = await self.rpc.block_number()
            while True:
                head = await listener.get()
                if self.on_duty():
                    # Blocks mined together are not all announced; a number seen before means that the chain was set
                    # back.
                    yield (seen + 1 if head > seen else head), head
                seen = head
        finally:
            self._listeners.discard(listener)
