"""A node of Solana that answers what a test has it answer, and keeps what it was asked."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from aiohttp import web

from rhumbline.devnet.hosts import hosted
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from tests.gateways.http.rogue import rogue, says, whole

KEY = "0123456789abcdef"


@dataclass
class Node:
    """``answer`` is the result of every call."""

    answer: object = None
    asked: list[dict[str, object]] = field(default_factory=list)

    async def handle(self, request: web.Request) -> web.Response:
        self.asked.append(await request.json())
        return web.json_response({"jsonrpc": "2.0", "id": 0, "result": self.answer})

    @property
    def params(self) -> object:
        """What the last call was about."""
        return self.asked[-1]["params"]


@asynccontextmanager
async def node(answer: object) -> AsyncIterator[tuple[SvmRpc, Node]]:
    """Run one."""
    made = Node(answer)
    app = web.Application()
    app.router.add_post("/", made.handle)
    async with hosted(app) as url, HttpClient() as http:
        yield SvmRpc(f"{url}/", http, "sea"), made


@asynccontextmanager
async def saying(body: bytes, *headers: bytes) -> AsyncIterator[SvmRpc]:
    """Run one that answers these bytes, at an address with a key."""
    async with rogue(says(whole(body, *headers))) as server, HttpClient() as http:
        yield SvmRpc(f"{server.url}/v2/{KEY}", http, "sea", 20.0)


def result(value: object) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": 0, "result": value}).encode()
