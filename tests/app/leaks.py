"""Upstreams that give away what they were asked with, and a notebook of everything that the service says."""

import asyncio
import base64
import json
import re
import socket
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp
from aiohttp import web
from sqlalchemy import Select, literal_column, select, table
from sqlalchemy import text as sql
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.devnet.hosts import hosted
from rhumbline.devnet.sandbox import Sandbox

RPC = {name: f"{name}7Kq2Zx9" for name in ("rpcuser", "rpcpassword", "rpcpath", "rpcquery")}
PRICES = {name: f"{name}4Wm8Tc1" for name in ("coingecko", "jupiter", "pricepath")}
OTHERS = {name: f"{name}5Hn3Vb6" for name in ("wspath", "wsquery", "dsnpassword", "redispassword", "listquery")}
BASIC = base64.b64encode(f"{RPC['rpcuser']}:{RPC['rpcpassword']}".encode()).decode()
ADAPTERS = {name: f"{name}6Jd5Rf3" for name in ("kyberswap", "openocean", "adapterpath")}
PLANTED = (*RPC.values(), *PRICES.values(), *OTHERS.values(), *ADAPTERS.values(), BASIC)


@dataclass
class Gossip:
    """A node behind a proxy, and price APIs, exchanges and a token list; in bad moods they tell all they were sent.

    ``mood`` is one of MOODS; ``asked`` counts requests by mood, ``heard`` keeps what they carried.
    """

    node: str
    url: str = ""
    mood: str = "well"
    asked: dict[str, int] = field(default_factory=dict)
    heard: set[str] = field(default_factory=set)

    @property
    def rpc(self) -> str:
        host = self.url.removeprefix("http://")
        return f"http://{RPC['rpcuser']}:{RPC['rpcpassword']}@{host}/v2/{RPC['rpcpath']}?key={RPC['rpcquery']}"

    @property
    def ws(self) -> str:
        """A websocket that never is one; its path leads to no call, so that it grumbles in its mood."""
        return f"ws://{self.url.removeprefix('http://')}/ws/{OTHERS['wspath']}?key={OTHERS['wsquery']}"

    async def on_call(self, request: web.Request) -> web.StreamResponse:
        body = await request.read()
        self._note(request)
        if self.mood != "well":
            return self._grumble(request, body)
        async with aiohttp.ClientSession() as session, session.post(self.node, data=body, headers=_JSON) as answer:
            return web.Response(body=await answer.read(), content_type="application/json")

    async def on_question(self, request: web.Request) -> web.StreamResponse:
        self._note(request)
        if self.mood == "refusing":
            told = f"{request.url} {_told(request)}"
            return web.json_response({"code": 4008, "message": told, "error": told, "errorMsg": told}, status=400)
        return self._grumble(request, b"{}")

    def _note(self, request: web.Request) -> None:
        self.asked[self.mood] = self.asked.get(self.mood, 0) + 1
        self.heard.add(_told(request))

    def _grumble(self, request: web.Request, body: bytes) -> web.StreamResponse:
        told = f"{self.rpc} and {_told(request)}"
        match self.mood:
            case "error" | "well":
                return web.Response(status=500, text=f"upstream {told} failed")
            case "html":
                return web.Response(text=f"<html>{told}</html>", content_type="text/html")
            case "refusing":
                return web.json_response(_refusals(json.loads(body), told))
            case "leading":
                return web.Response(status=307, headers={"location": self.rpc.replace("/v2/", "/v3/")}, text=told)
            case "cutting":
                assert request.transport is not None
                request.transport.abort()
                return web.Response()
            case mood:
                raise AssertionError(mood)


MOODS = ("well", "error", "html", "refusing", "leading", "cutting")
UNLISTED = "0x00000000000000000000000000000000000000Aa"
_JSON = {"content-type": "application/json"}


def _told(request: web.Request) -> str:
    return f"{request.rel_url} {dict(request.headers)}"


def _refusals(call: object, told: str) -> object:
    if isinstance(call, list):
        return [_refusals(each, told) for each in call]
    number = call.get("id") if isinstance(call, dict) else None
    error = {"code": -32000, "message": f"{RPC['rpcpath']} is over its quota: {told}", "data": told}
    return {"jsonrpc": "2.0", "id": number, "error": error}


@asynccontextmanager
async def gossiping(node: str) -> AsyncIterator[Gossip]:
    gossip = Gossip(node)
    app = web.Application()
    app.router.add_post("/v2/{key}", gossip.on_call)
    app.router.add_route("*", "/{rest:.*}", gossip.on_question)
    async with hosted(app) as url:
        gossip.url = url
        yield gossip


@dataclass
class Notebook:
    """Everything that was said, by where; ``session`` secrets join those that were planted."""

    pages: list[tuple[str, str]] = field(default_factory=list)
    secrets: list[str] = field(default_factory=lambda: list(PLANTED))

    def note(self, where: str, text: str) -> None:
        self.pages.append((where, text))

    def leaks(self, but: Iterable[str] = ()) -> list[str]:
        """Where a secret is told, plain or as bytes in hex, and what stands around it."""
        found = []
        told = [secret for secret in self.secrets if secret not in but]
        wanted = [form.lower() for secret in told for form in (secret, secret.encode().hex())]
        for where, text in self.pages:
            lowered = text.lower()
            for form in wanted:
                place = lowered.find(form)
                if place >= 0:
                    found.append(f"{where}: …{text[max(0, place - 80) : place + 60]}…")
        return found


@dataclass(frozen=True)
class Asker:
    """Asks a service and notes whatever comes back."""

    url: str
    session: aiohttp.ClientSession
    notebook: Notebook
    steps: list[dict[str, Any]] = field(default_factory=list)
    """What a step's transaction is asked with, of the routes that were answered last."""

    async def ask(
        self,
        path: str,
        query: Mapping[str, str] | None = None,
        *,
        method: str = "GET",
        headers: Mapping[str, str] | None = None,
        data: bytes | None = None,
    ) -> tuple[int, str]:
        async with self.session.request(
            method, self.url + path, params=query, headers=headers, data=data, allow_redirects=False
        ) as answer:
            # A stream of events without an end begins with a block of its own.
            endless = answer.status == 200 and path.endswith("/stream")
            text = (await answer.content.readany()).decode() if endless else await answer.text(errors="replace")
            told = "\n".join(f"{name}: {value}" for name, value in answer.headers.items())
            self.notebook.note(f"{method} {path}", f"{answer.status}\n{told}\n\n{text}")
            return answer.status, text

    async def operations(self, values: Mapping[str, list[str]], key: str) -> set[str]:
        """Ask every endpoint of the document, well, badly and not at all; return what was answered with 200."""
        _, text = await self.ask("/openapi.json")
        good: set[str] = set()
        for path, methods in json.loads(text)["paths"].items():
            asked = (self._get if "get" in methods else self._post)(path, methods, values, key)
            good |= {path} if await asked else set()
        return good

    async def _get(self, path: str, methods: Mapping[str, Any], values: Mapping[str, list[str]], key: str) -> bool:
        """Ask an endpoint every question of ``_queries`` as everybody; tell whether anything was answered with 200."""
        seen = set()
        for query in _queries(_names(methods["get"]["parameters"]), values):
            place = path
            for name in re.findall(r"{(\w+)}", path):
                place = place.replace(f"{{{name}}}", query.pop(name, "x"))
            for headers in _callers(key):
                seen.add((await self.ask(place, query, headers=headers))[0])
            await self.ask(place, query, method="HEAD")
            await self.ask(place, query, method="POST", data=b"{}")
        return 200 in seen

    async def _post(self, path: str, methods: Mapping[str, Any], values: Mapping[str, list[str]], key: str) -> bool:
        """Post the same questions as bodies, a step of an answered route where one is wanted, and no JSON at all."""
        schema = methods["post"]["requestBody"]["content"]["application/json"]["schema"]
        names = schema.get("properties", {})
        bodies = [json.dumps(_typed(query, schema)).encode() for query in _queries(list(names), values)]
        if "step" in names:
            bodies = [json.dumps(body).encode() for body in (*self.steps[:1], {"step": {}, "context": {}}, {})]
        seen = set()
        for number, body in enumerate((*bodies, b"", b"{", b"[]", b'{"' + b"\xff" * 9)):
            # Each good question takes as long as the slowest upstream, so not everybody asks each.
            for headers in _callers(key)[: 1 if number else None]:
                status, text = await self.ask(path, method="POST", headers={**headers, **_JSON}, data=body)
                seen.add(status)
                if status == 200 and "routes" in (answer := json.loads(text)):
                    self.steps[:] = [_step(each) for route in answer["routes"] for each in route["steps"]]
        await self.ask(path)
        return 200 in seen

    async def pages(self, start: str, cookies: Mapping[str, str]) -> set[str]:
        """Open a page and all that it leads to on this service; return the paths of those that there are."""
        headers = {"cookie": "; ".join(f"{name}={value}" for name, value in cookies.items())}
        waiting, seen = [start], set[str]()
        while waiting:
            path = waiting.pop()
            if path in seen:
                continue
            seen.add(path)
            _, text = await self.ask(path, headers=headers)
            if not path.startswith("/assets/"):
                waiting += [found.replace("&amp;", "&") for found in re.findall(r'(?:href|src)="(/[^"#]*)', text)]
        return seen


def _callers(key: str) -> tuple[dict[str, str], ...]:
    return {"x-api-key": key}, {}, {"x-api-key": "rl_live_nobody"}


def _names(parameters: list[dict[str, Any]]) -> list[str]:
    return [item["name"] for item in parameters if item["in"] != "header"]


def _step(step: dict[str, Any]) -> dict[str, Any]:
    action = step["action"]
    context = {"senderAddress": action["fromAddress"], "receiverAddress": action["toAddress"]}
    return {"step": step, "context": context}


def _typed(query: Mapping[str, str], schema: Mapping[str, Any]) -> dict[str, Any]:
    """Write a query's values as a body has them: numbers where the schema says so, and the value can be one."""

    def written(name: str, value: str) -> Any:
        kind = schema["properties"][name].get("type")
        return json.loads(value) if kind in ("integer", "number") and value[:1].isdigit() else value

    return {name: written(name, value) for name, value in query.items()}


def _queries(named: list[str], values: Mapping[str, list[str]]) -> list[dict[str, str]]:
    """Requests of one operation: as many good ones as the longest list of values, one of nonsense, one of nothing."""
    known = [name for name in named if name in values]
    most = max((len(values[name]) for name in known), default=1)
    return [
        *({name: values[name][min(turn, len(values[name]) - 1)] for name in known} for turn in range(most)),
        dict.fromkeys(named, "nonsense\x00<>"),
        {},
    ]


@dataclass(frozen=True)
class Service:
    """`rhumbline serve` as a process of its own, with all that it wrote."""

    process: asyncio.subprocess.Process
    log: Path

    async def stop(self) -> None:
        if self.process.returncode is None:
            self.process.terminate()
        await self.process.wait()


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


async def note_store(engine: AsyncEngine, notebook: Notebook) -> list[str]:
    """Note every row of every table as text, bytes as hex; return the tables."""
    async with engine.connect() as connection:
        named = await connection.execute(sql("SELECT tablename FROM pg_tables WHERE schemaname = 'public'"))
        names = [row.tablename for row in named]
        for name in names:
            rows: Select[str] = select(literal_column("t::text")).select_from(table(name).alias("t"))
            for row in await connection.execute(rows):
                notebook.note(f"table {name}", row[0])
    return names


def values(sandbox: Sandbox) -> dict[str, list[str]]:
    """Parameters that make sense on the sandbox, unlisted tokens last: these are read from the node."""
    chain = sandbox.chain("sbxa")
    token = {name: chain.tokens[name].address for name in ("USDC", "WETH", "TAX")}
    return {
        "senderAddress": [sandbox.accounts[1].address],
        "receiverAddress": [sandbox.accounts[1].address],
        "originChainId": [str(chain.id)],
        "destinationChainId": [str(chain.id)],
        "amount": ["1000000"],
        "originCurrency": [token["USDC"], token["USDC"], token["TAX"]],
        "destinationCurrency": [token["WETH"], UNLISTED, token["USDC"]],
        "chain": ["sbxa"],
        "token": ["USDC", token["TAX"], UNLISTED],
        "tokens": [f"{chain.id}:USDC,{chain.id}:{token['TAX']}"],
        "chains": ["sbxa"],
        "chainTypes": ["EVM"],
        "chainId": [str(chain.id)],
        "lookupKey": ["0x" + "ab" * 32],
        "limit": ["10"],
    }
