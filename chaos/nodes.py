"""A proxy in front of a real node, which fails in one of many ways while its trouble lasts.

The alterations are failures seen at providers: a node that is behind, on another chain, refuses, or leaves out data.
"""

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import aiohttp
from aiohttp import web

from rhumbline.devnet.hosts import hosted

BEHIND = 50
"""Blocks or slots that a node is behind."""
_SLOW_S = 2.0
_EVERY = 3
_MOST_BLOCKS = 2
_MOST_SIGNATURES = 2
_FORKED = 3

Call = dict[str, Any]
Truth = Callable[[str, list[Any]], Any]
"""Asks the real node; returns an awaitable of its answer."""

AS_A_WHOLE = ("silent", "slow", "answers every third request", "half an answer", "bills", "has no quota")
"""Ways in which a request is answered, whatever is asked."""
EVM_WAYS = (
    *AS_A_WHOLE, "is behind", "is on another chain", "caps ranges", "forks", "no logs", "no logs, empty filters",
)  # fmt: skip
SVM_WAYS = (
    *AS_A_WHOLE, "is behind", "is on another chain", "caps pages", "no signatures", "pages with holes", "nulls",
)  # fmt: skip


@dataclass
class Endpoint:
    """One endpoint of a chain. ``trouble`` is one of the ways, None while it is honest; ``counts`` counts its answers.

    ``upstream`` is the true node, ``other`` a node of another chain of the same type, None where there is none.
    """

    upstream: str
    other: str | None
    url: str = ""
    trouble: str | None = None
    counts: Counter[str] = field(default_factory=Counter)
    _requests: int = 0
    _eased: asyncio.Event = field(default_factory=asyncio.Event)

    def trouble_with(self, way: str | None) -> None:
        """Fail in this way from now on, or not at all; requests still waiting are cut off."""
        self.trouble = way
        self._eased.set()
        self._eased = asyncio.Event()

    async def answer(self, session: aiohttp.ClientSession, request: web.Request) -> web.StreamResponse:
        body, way = await request.read(), self.trouble
        self._requests += 1
        match way:
            case "silent":
                self.counts[way] += 1
                await self._eased.wait()
                return web.Response(status=504)
            case "slow":
                self.counts[way] += 1
                await asyncio.sleep(_SLOW_S)
            case "answers every third request" if self._requests % _EVERY:
                self.counts[way] += 1
                return web.Response(status=503, text="Service Unavailable")
            case "bills":
                self.counts[way] += 1
                return web.json_response({"error": {"code": -32003, "message": "payment required"}}, status=402)
        document = json.loads(body)
        calls = document if isinstance(document, list) else [document]
        elsewhere = way == "is on another chain" and self.other is not None
        upstream = str(self.other) if elsewhere else self.upstream
        self.counts[way or "honest"] += elsewhere or way is None

        async def truth(method: str, params: list[Any]) -> Any:
            call = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
            return (await _forward(session, upstream, json.dumps(call).encode())).get("result")

        replies = []
        for call in calls:
            reply = None if way is None or elsewhere else await self._altered(way, call, truth)
            if reply is None:
                reply = await _forward(session, upstream, json.dumps(call).encode())
            else:
                self.counts[str(way)] += 1
            replies.append({**reply, "jsonrpc": "2.0", "id": call["id"]})
        text = json.dumps(replies if isinstance(document, list) else replies[0])
        if way == "half an answer":
            self.counts[way] += 1
            text = text[: len(text) // 2]
        return web.Response(text=text, content_type="application/json")

    async def _altered(self, way: str, call: Call, truth: Truth) -> Call | None:
        if way == "has no quota":
            return {"error": {"code": -32005, "message": "daily request count exceeded, request rate limited"}}
        lie = _LIES.get((way, call["method"]))
        return None if lie is None else await lie(call.get("params") or [], truth)


async def _forward(session: aiohttp.ClientSession, upstream: str, body: bytes) -> Call:
    async with session.post(upstream, data=body, headers={"content-type": "application/json"}) as response:
        found: Call = json.loads(await response.read())
        return found


@asynccontextmanager
async def running_endpoint(upstream: str, other: str | None) -> AsyncIterator[Endpoint]:
    """Run one before a true node; it is honest at first."""
    endpoint = Endpoint(upstream, other)
    async with aiohttp.ClientSession() as session:
        app = web.Application(client_max_size=2**26)

        async def answer(request: web.Request) -> web.StreamResponse:
            return await endpoint.answer(session, request)

        app.router.add_post("/", answer)
        async with hosted(app, cancels=True) as endpoint.url:
            yield endpoint
            endpoint.trouble_with(None)


Lie = Callable[[list[Any], Truth], Any]


async def _head(truth: Truth) -> int:
    return int(await truth("eth_blockNumber", []), 16)


async def _old_number(params: list[Any], truth: Truth) -> Call:
    return {"result": hex(max(0, await _head(truth) - BEHIND))}


async def _old_block(params: list[Any], truth: Truth) -> Call | None:
    last = max(0, await _head(truth) - BEHIND)
    number = params[0]
    if str(number).startswith("0x") and int(number, 16) > last:
        return {"result": None}
    return {"result": await truth("eth_getBlockByNumber", [hex(last) if number == "latest" else number, params[1]])}


async def _old_logs(params: list[Any], truth: Truth) -> Call:
    last = max(0, await _head(truth) - BEHIND)
    logs = await truth("eth_getLogs", params)
    return {"result": [log for log in logs or () if int(log["blockNumber"], 16) <= last]}


async def _old_receipt(params: list[Any], truth: Truth) -> Call:
    last = max(0, await _head(truth) - BEHIND)
    receipt = await truth("eth_getTransactionReceipt", params)
    return {"result": receipt if receipt and int(receipt["blockNumber"], 16) <= last else None}


async def _capped_logs(params: list[Any], truth: Truth) -> Call | None:
    query = params[0]
    if "blockHash" in query:
        return None
    last = await _head(truth) if query.get("toBlock", "latest") == "latest" else int(query["toBlock"], 16)
    if last - int(query["fromBlock"], 16) < _MOST_BLOCKS:
        return None
    return {"error": {"code": -32000, "message": f"query exceeds max block range {_MOST_BLOCKS}"}}


def _other_hash(block_hash: str) -> str:
    return "0x" + bytes(each ^ 0xFF for each in bytes.fromhex(block_hash[2:])).hex()


async def _forked_block(params: list[Any], truth: Truth) -> Call:
    first = await _head(truth) - _FORKED
    block = await truth("eth_getBlockByNumber", params)
    if block and int(block["number"], 16) > first:
        block = {**block, "hash": _other_hash(block["hash"]), "transactions": [], "logsBloom": "0x" + "00" * 256}
        if int(block["number"], 16) > first + 1:
            block["parentHash"] = _other_hash(block["parentHash"])
    return {"result": block}


async def _forked_logs(params: list[Any], truth: Truth) -> Call:
    first = await _head(truth) - _FORKED
    logs = await truth("eth_getLogs", params)
    return {"result": [log for log in logs or () if int(log["blockNumber"], 16) <= first]}


async def _empty(params: list[Any], truth: Truth) -> Call:
    return {"result": []}


async def _null(params: list[Any], truth: Truth) -> Call:
    return {"result": None}


async def _no_filter(params: list[Any], truth: Truth) -> Call:
    block = await truth("eth_getBlockByNumber", params)
    return {"result": block and {**block, "logsBloom": "0x" + "00" * 256}}


async def _old_slot(params: list[Any], truth: Truth) -> Call:
    return {"result": max(0, await truth("getSlot", params) - BEHIND)}


async def _signatures(params: list[Any], truth: Truth) -> list[Any]:
    found: list[Any] = await truth("getSignaturesForAddress", params) or []
    return found


async def _old_signatures(params: list[Any], truth: Truth) -> Call:
    last = await truth("getSlot", []) - BEHIND
    return {"result": [each for each in await _signatures(params, truth) if each["slot"] <= last]}


async def _few_signatures(params: list[Any], truth: Truth) -> Call:
    return {"result": (await _signatures(params, truth))[:_MOST_SIGNATURES]}


async def _some_signatures(params: list[Any], truth: Truth) -> Call:
    return {"result": (await _signatures(params, truth))[::2]}


async def _null_statuses(params: list[Any], truth: Truth) -> Call:
    answer = await truth("getSignatureStatuses", params)
    return {"result": {**answer, "value": [None] * len(params[0])}}


async def _other_genesis(params: list[Any], truth: Truth) -> Call:
    return {"result": "11111111111111111111111111111112"}


_LIES: Mapping[tuple[str, str], Lie] = {
    ("is behind", "eth_blockNumber"): _old_number,
    ("is behind", "eth_getBlockByNumber"): _old_block,
    ("is behind", "eth_getLogs"): _old_logs,
    ("is behind", "eth_getTransactionReceipt"): _old_receipt,
    ("is behind", "getSlot"): _old_slot,
    ("is behind", "getSignaturesForAddress"): _old_signatures,
    ("is behind", "getTransaction"): _null,
    ("is behind", "getSignatureStatuses"): _null_statuses,
    ("is on another chain", "getGenesisHash"): _other_genesis,
    ("is on another chain", "getSignaturesForAddress"): _empty,
    ("is on another chain", "getTransaction"): _null,
    ("is on another chain", "getSignatureStatuses"): _null_statuses,
    ("caps ranges", "eth_getLogs"): _capped_logs,
    ("caps pages", "getSignaturesForAddress"): _few_signatures,
    ("forks", "eth_getBlockByNumber"): _forked_block,
    ("forks", "eth_getLogs"): _forked_logs,
    ("no logs", "eth_getLogs"): _empty,
    ("no logs, empty filters", "eth_getLogs"): _empty,
    ("no logs, empty filters", "eth_getBlockReceipts"): _empty,
    ("no logs, empty filters", "eth_getBlockByNumber"): _no_filter,
    ("no signatures", "getSignaturesForAddress"): _empty,
    ("pages with holes", "getSignaturesForAddress"): _some_signatures,
    ("nulls", "getTransaction"): _null,
    ("nulls", "getSignatureStatuses"): _null_statuses,
}
