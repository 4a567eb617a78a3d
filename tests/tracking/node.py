"""A node that misbehaves on demand: a real HTTP server in front of a real chain."""

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from aiohttp import web

from rhumbline.devnet.hosts import hosted
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.evm.rpc import EvmRpc
from tests.raw_calls import passed_on
from tests.tracking.market import PATIENCE_S

Call = dict[str, object]
PASS = object()


@dataclass
class Node:
    """`answer` may give a call another answer than the chain's (an ``{"error": …}`` or a ``{"result": …}``), or PASS.

    `down` answers 503 to everything. `calls` are the methods and parameters asked for, in order.
    """

    rpc: EvmRpc
    answer: Callable[[str, list[object]], object] = lambda method, params: PASS
    down: bool = False
    calls: list[tuple[str, list[object]]] = field(default_factory=list)


@asynccontextmanager
async def running_node(upstream: str, http: HttpClient) -> AsyncIterator[Node]:
    async def handle(request: web.Request) -> web.Response:
        if node.down:
            return web.Response(status=503, text="Service Unavailable")
        asked = json.loads(await request.text())
        batch = asked if isinstance(asked, list) else [asked]
        answers = [await one(call) for call in batch]
        return web.json_response(answers if isinstance(asked, list) else answers[0])

    async def one(call: Call) -> Call:
        method, params = str(call["method"]), call["params"]
        assert isinstance(params, list)
        node.calls.append((method, params))
        given = node.answer(method, params)
        if given is not PASS:
            assert isinstance(given, dict)
            return {"jsonrpc": "2.0", "id": call["id"], **given}
        answer = await passed_on(http, upstream, call)
        assert isinstance(answer, dict)
        return answer

    app = web.Application(client_max_size=2**26)
    app.router.add_post("/", handle)
    async with hosted(app) as url:
        node = Node(EvmRpc(url, http, "sbxa", PATIENCE_S))
        yield node
