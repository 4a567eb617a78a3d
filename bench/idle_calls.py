"""The cost of unused chains: calls of their nodes, as a provider bills them, each of a batch separately.

One service follows 40 chains with blocks of two seconds, half of them with a websocket that announces the heads. Their
node is emulated here and counts its calls; no transaction is awaited, and blocks are empty.
"""

import asyncio
import hashlib
import json
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from aiohttp import WSMsgType, web

from bench.commands import ROOT, started
from bench.rows import Row
from rhumbline.devnet.hosts import handling, listening

CHAINS = 20
BLOCK_S = 2
SETTLE_S, MEASURED_S = 10.0, 120.0
MOST, MOST_ANNOUNCED = 40.0, 10.0
_FIRST_CHAIN = 910_001
_CHAIN = """
[[chains]]
id = {id}
key = "idle{id}"
name = "Idle {id}"
rpc = "http://127.0.0.1:{port}/{id}"
{ws}
mainnet = false
multicall = "0xcA11bde05977b3631167028862bE2a173976CA11"
wrapped_native = "0x4200000000000000000000000000000000000006"
native = {{ symbol = "ETH", name = "Ether", coin_key = "ETH" }}
"""


class Node:
    """Chains of empty blocks. ``calls`` are counted by chain and method, ``requests`` by chain."""

    def __init__(self) -> None:
        self.calls: Counter[tuple[int, str]] = Counter()
        self.requests: Counter[int] = Counter()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[int]:
        """Serve until the block ends; yield the port."""
        app = web.Application()
        app.router.add_post("/{chain}", self._post)
        app.router.add_get("/{chain}", self._socket)
        async with handling(app) as connected, listening(connected) as port:
            yield port

    async def _post(self, request: web.Request) -> web.Response:
        chain, body = int(request.match_info["chain"]), await request.json()
        self.requests[chain] += 1
        if isinstance(body, list):
            return web.json_response([self._answer(chain, call) for call in body])
        return web.json_response(self._answer(chain, body))

    async def _socket(self, request: web.Request) -> web.WebSocketResponse:
        chain, socket = int(request.match_info["chain"]), web.WebSocketResponse()
        await socket.prepare(request)
        announcing: asyncio.Task[None] | None = None
        async for message in socket:
            if message.type is WSMsgType.TEXT:
                call = json.loads(message.data)
                await socket.send_json(self._answer(chain, call))
                if call["method"] == "eth_subscribe":
                    announcing = asyncio.create_task(self._announce(chain, socket))
        if announcing is not None:
            announcing.cancel()
        return socket

    async def _announce(self, chain: int, socket: web.WebSocketResponse) -> None:
        while True:
            await asyncio.sleep(BLOCK_S - time.time() % BLOCK_S)
            params = {"subscription": "0x1", "result": _block(chain, _head())}
            await socket.send_json({"jsonrpc": "2.0", "method": "eth_subscription", "params": params})

    def _answer(self, chain: int, call: dict[str, object]) -> dict[str, object]:
        method, params = str(call["method"]), call["params"]
        self.calls[chain, method] += 1
        result: object = []
        match method:
            case "eth_chainId":
                result = hex(chain)
            case "eth_blockNumber":
                result = hex(_head())
            case "eth_getBlockByNumber":
                assert isinstance(params, list)
                result = _block(chain, _head() if params[0] == "latest" else int(params[0], 16))
            case "eth_subscribe":
                result = "0x1"
            case "eth_getLogs":
                pass
            case _:
                return {"jsonrpc": "2.0", "id": call["id"], "error": {"code": -32601, "message": "no such method"}}
        return {"jsonrpc": "2.0", "id": call["id"], "result": result}


def _head() -> int:
    return int(time.time()) // BLOCK_S


def _block(chain: int, number: int) -> dict[str, str]:
    return {
        "number": hex(number),
        "hash": _hash(chain, number),
        "parentHash": _hash(chain, number - 1),
        "timestamp": hex(number * BLOCK_S),
        "logsBloom": "0x" + 256 * "00",
    }


def _hash(chain: int, number: int) -> str:
    return "0x" + hashlib.sha256(f"{chain} {number}".encode()).hexdigest()


async def run() -> list[Row]:
    """Start the service, wait until it rests, and count."""
    node = Node()
    with tempfile.TemporaryDirectory(dir=ROOT / ".rhumbline") as name:
        async with node.running() as port:
            file = _settings(Path(name), port)
            async with started("serve", "--config", str(file), ready=b'"ready"'):
                await asyncio.sleep(SETTLE_S)
                node.calls.clear()
                node.requests.clear()
                await asyncio.sleep(MEASURED_S)
                calls, requests = Counter(node.calls), Counter(node.requests)
    plain, announced = (
        _each(calls, requests, range(first, first + CHAINS)) for first in (_FIRST_CHAIN, _FIRST_CHAIN + CHAINS)
    )
    return [
        Row(
            name="idle-calls",
            value=f"{plain[0]:.1f} a minute in {plain[1]:.1f} requests, {announced[0]:.1f} in {announced[1]:.1f}",
            goal=f"≤ {MOST:.0f}, ≤ {MOST_ANNOUNCED:.0f} with a websocket",
            met=plain[0] <= MOST and announced[0] <= MOST_ANNOUNCED,
        )
    ]


def _each(calls: Counter[tuple[int, str]], requests: Counter[int], chains: range) -> tuple[float, float]:
    """Return the calls and the requests that a chain takes in a minute; print the calls by method."""
    minutes = CHAINS * MEASURED_S / 60
    methods: Counter[str] = Counter()
    for (chain, method), count in calls.items():
        methods[method] += count if chain in chains else 0
    print(", ".join(f"{method} {count / minutes:.1f}" for method, count in methods.most_common()), flush=True)
    return methods.total() / minutes, sum(requests[chain] for chain in chains) / minutes


def _settings(folder: Path, port: int) -> Path:
    chains = [
        _CHAIN.format(
            id=_FIRST_CHAIN + n, port=port, ws="" if n < CHAINS else f'ws = "ws://127.0.0.1:{port}/{_FIRST_CHAIN + n}"'
        )
        for n in range(2 * CHAINS)
    ]
    file = folder / "idle.toml"
    head = f'[store]\ndata_dir = "{folder}/store"\n[server]\nport = 0\n[log]\nformat = "json"\n'
    file.write_text(f"{head}[catalog]\nshipped = false\n[prices]\nsources = []\n{''.join(chains)}")
    return file
