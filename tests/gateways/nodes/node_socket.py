"""A node's websocket that says what a test has it say: sound at first, and then whatever."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from aiohttp import WSCloseCode, web

from rhumbline.devnet.hosts import hosted

KEY = "0123456789abcdef"
SUBSCRIPTION = "0xcd0c3e8af590364c09d0fa6a1210faf5"
CHAIN_ID = 900_001
SILENCE = object()
Answer = Callable[[str], object]


@dataclass
class NodeSocket:
    """``answer`` may give a method another result than the usual, an ``{"error": …}``, or SILENCE.

    ``asked`` are the methods in order; ``came`` is set by each, ``left`` when somebody has gone.
    """

    url: str = ""
    head: int = 100
    chain_id: int = CHAIN_ID
    answer: Answer = lambda method: None
    asked: list[str] = field(default_factory=list)
    came: asyncio.Event = field(default_factory=asyncio.Event)
    left: asyncio.Event = field(default_factory=asyncio.Event)
    open: set[web.WebSocketResponse] = field(default_factory=set)
    connections: int = 0

    async def handle(self, request: web.Request) -> web.StreamResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        self.open.add(socket)
        self.connections += 1
        try:
            async for message in socket:
                call = json.loads(message.data)
                given = self.answer(call["method"])
                if given is not SILENCE:
                    result = {"result": self._usual(call["method"])} if given is None else given
                    assert isinstance(result, dict)
                    await socket.send_json({"jsonrpc": "2.0", "id": call["id"], **result})
                self.asked.append(call["method"])
                self.came.set()
        finally:
            self.open.discard(socket)
            self.left.set()
        return socket

    def _usual(self, method: str) -> object:
        return {
            "eth_chainId": hex(self.chain_id), "eth_subscribe": SUBSCRIPTION, "eth_blockNumber": hex(self.head)
        }[method]  # fmt: skip

    async def was_asked(self, method: str, times: int = 1) -> None:
        while self.asked.count(method) < times:
            self.came.clear()
            await self.came.wait()

    async def announce(self, number: int) -> None:
        self.head = number
        await self.say(announcement(hex(number)))

    async def say(self, text: str | bytes) -> None:
        for socket in tuple(self.open):
            await (socket.send_str(text) if isinstance(text, str) else socket.send_bytes(text))

    async def ping(self) -> None:
        for socket in tuple(self.open):
            await socket.ping()

    async def hang_up(self) -> None:
        for socket in tuple(self.open):
            await socket.close()


def announcement(number: object, subscription: object = SUBSCRIPTION, **more: object) -> str:
    params = {"subscription": subscription, "result": {"number": number, "hash": "0x" + "ab" * 32, **more}}
    return json.dumps({"jsonrpc": "2.0", "method": "eth_subscription", "params": params})


@asynccontextmanager
async def node_socket() -> AsyncIterator[NodeSocket]:
    node = NodeSocket()

    async def leave(_: web.Application) -> None:
        for socket in tuple(node.open):
            await socket.close(code=WSCloseCode.GOING_AWAY)

    async def lead(_: web.Request) -> web.Response:
        return web.Response(status=307, headers={"location": f"/v2/{KEY}"}, text=KEY)

    app = web.Application()
    app.router.add_get(f"/v2/{KEY}", node.handle)
    app.router.add_get(f"/led/{KEY}", lead)
    app.on_shutdown.append(leave)
    async with hosted(app) as url:
        node.url = f"{url.replace('http', 'ws', 1)}/v2/{KEY}"
        yield node
