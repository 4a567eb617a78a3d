"""A proxy before the sandbox's node that answers some calls by itself."""

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import web

from rhumbline.devnet.hosts import hosted
from rhumbline.gateways.nodes.evm.rpc import EvmRpc
from tests.raw_calls import passed_on

Answer = Callable[[dict[str, Any]], Awaitable[object | None]]


@asynccontextmanager
async def node_before(rpc: EvmRpc, answer: Answer) -> AsyncIterator[EvmRpc]:
    """A node that answers some calls by itself and passes the others on; ``answer`` returns None for those."""

    async def one(call: dict[str, Any]) -> object:
        own = await answer(call)
        if own is not None:
            return {"jsonrpc": "2.0", "id": call["id"], **own} if isinstance(own, dict) else own
        passed: object = await passed_on(rpc.http, rpc.url, call)
        return passed

    async def handle(request: web.Request) -> web.Response:
        body = await request.json()
        result = [await one(call) for call in body] if isinstance(body, list) else await one(body)
        return web.Response(text=json.dumps(result), content_type="application/json")

    application = web.Application()
    application.router.add_post("/", handle)
    async with hosted(application) as url:
        yield EvmRpc(url, rpc.http, "before")


def lacking(*methods: str) -> Answer:
    async def answer(call: dict[str, Any]) -> object | None:
        if call["method"] in methods:
            return {"error": {"code": -32601, "message": f"the method {call['method']} does not exist"}}
        return None

    return answer
