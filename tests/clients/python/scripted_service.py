"""A service of another version, or one that fails: answers what a test has written down, over a real socket."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from rhumbline.devnet.hosts import hosted


@dataclass(frozen=True)
class Reply:
    status: int = 200
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)
    breaks: bool = False
    """Whether the connection ends without an answer."""


def error(status: int, code: str, **headers: str) -> Reply:
    body = {"statusCode": status, "code": code, "message": "as a test has it", "timestamp": "2026-01-01T00:00:00.000Z"}
    return Reply(status, body, {name.replace("_", "-"): value for name, value in headers.items()})


@dataclass
class ScriptedService:
    url: str = ""
    replies: dict[str, list[Reply]] = field(default_factory=dict)
    """By method and path, the next first; the last one stays."""
    asked: list[str] = field(default_factory=list)
    agents: set[str] = field(default_factory=set)
    keys: set[str] = field(default_factory=set)
    bodies: dict[str, list[Any]] = field(default_factory=dict)
    """What was posted, by method and path."""

    async def answer(self, request: web.Request) -> web.StreamResponse:
        name = f"{request.method} {request.path}"
        self.asked.append(name)
        self.agents.add(request.headers["user-agent"])
        if "x-api-key" in request.headers:
            self.keys.add(request.headers["x-api-key"])
        if request.can_read_body:
            self.bodies.setdefault(name, []).append(await request.json())
        waiting = self.replies.get(name) or [error(404, "NOT_FOUND")]
        reply = waiting.pop(0) if len(waiting) > 1 else waiting[0]
        if reply.breaks:
            assert request.transport is not None
            request.transport.abort()
            await asyncio.sleep(0)
        if isinstance(reply.body, bytes):
            return web.Response(status=reply.status, body=reply.body, headers=reply.headers)
        headers = {"content-type": "application/json", **reply.headers}
        return web.Response(status=reply.status, text=json.dumps(reply.body), headers=headers)


@asynccontextmanager
async def scripted() -> AsyncIterator[ScriptedService]:
    service = ScriptedService()
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", service.answer)
    async with hosted(app) as service.url:
        yield service
