"""A node before another one that lies, fails, or cannot do what is asked, as a test has it."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import aiohttp
from aiohttp import web

from rhumbline.devnet.hosts import hosted
from rhumbline.gateways.nodes.comparison import Comparison

Lie = Callable[[dict[str, Any], dict[str, Any]], dict[str, Any] | None]
"""Takes a call and its answer, and makes another answer of it; None leaves it."""


@dataclass
class LyingNode:
    """What stands before ``upstream``. ``asked`` holds the methods of each request; ``silent`` answers nothing.

    ``status`` is that of every answer; of ``every`` so many requests one is let through, the others are 503.
    """

    upstream: str
    url: str = ""
    lie: Lie = lambda call, answer: None
    delay_s: float = 0.0
    status: int = 200
    every: int = 1
    asked: list[list[str]] = field(default_factory=list)
    silent: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def calls(self) -> list[str]:
        return [method for request in self.asked for method in request]

    async def answer(self, session: aiohttp.ClientSession, request: web.Request) -> web.Response:
        body = await request.read()
        document = json.loads(body)
        calls = document if isinstance(document, list) else [document]
        self.asked.append([call["method"] for call in calls])
        if self.silent.is_set():
            await asyncio.Event().wait()
        await asyncio.sleep(self.delay_s)
        if self.status != 200 or len(self.asked) % self.every:
            return web.Response(status=503 if self.status == 200 else self.status)
        headers = {"content-type": "application/json"}
        async with session.post(self.upstream, data=body, headers=headers) as response:
            told = json.loads(await response.read())
        answers = told if isinstance(told, list) else [told]
        by_id = {call["id"]: call for call in calls}
        said = [self.lie(by_id[each["id"]], each) or each for each in answers]
        return web.json_response(said if isinstance(document, list) else said[0])


@asynccontextmanager
async def lying_node(upstream: str) -> AsyncIterator[LyingNode]:
    """Run one; it is honest at first."""
    node = LyingNode(upstream)
    async with aiohttp.ClientSession() as session:
        app = web.Application(client_max_size=2**26)

        async def answer(request: web.Request) -> web.Response:
            return await node.answer(session, request)

        app.router.add_post("/{path:.*}", answer)
        async with hosted(app) as node.url:
            yield node


@dataclass
class Pair:
    """Two endpoints before one chain, and the node that they are."""

    first: LyingNode
    second: LyingNode
    rpc: Any

    @property
    def comparison(self) -> Comparison[Any]:
        assert self.rpc.endpoints is not None
        assert isinstance(self.rpc.endpoints.comparison, Comparison)
        return self.rpc.endpoints.comparison

    async def compared(self) -> dict[str, str | None]:
        """Compare the endpoints now, and return why each is set aside."""
        await self.comparison.compare()
        return {each.name: each.set_aside for each in self.comparison.every}


def said(answer: dict[str, Any], result: object) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": answer["id"], "result": result}


def refused(answer: dict[str, Any], code: int, message: str) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": answer["id"], "error": {"code": code, "message": message}}
