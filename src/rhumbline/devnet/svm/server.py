"""The JSON-RPC API of a Solana node over HTTP, and over a websocket on the next port."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from types import MappingProxyType

from aiohttp import WSMsgType, web

from rhumbline.devnet.hosts import LOOPBACK, handling, listening
from rhumbline.devnet.svm import account_methods, chain_methods, history_methods, transaction_methods
from rhumbline.devnet.svm.chain import SvmChain
from rhumbline.devnet.svm.chain_methods import Method
from rhumbline.devnet.svm.faults import INVALID_REQUEST, METHOD_NOT_FOUND, PARSE_ERROR, RpcFault, invalid
from rhumbline.devnet.svm.parameters import Parameters
from rhumbline.devnet.svm.slots import SLOT_MS
from rhumbline.devnet.svm.subscriptions import Subscriber, Subscribers

LARGEST_BODY = 512 * 1024
MOST_CALLS = 100
METHODS: Mapping[str, Method] = MappingProxyType({
    **chain_methods.METHODS, **account_methods.METHODS, **transaction_methods.METHODS, **history_methods.METHODS,
})  # fmt: skip
_TRIES = 50
_FROM_ANYWHERE = {"Access-Control-Allow-Origin": "*", "Access-Control-Allow-Headers": "*"}.items()


class PortsTaken(Exception):
    """No two adjacent ports are free, or the requested ones are in use."""


@dataclass(frozen=True, slots=True)
class SvmServer:
    """A chain that is served at two URLs. Code that changes the chain directly must call ``notify`` for subscribers."""

    chain: SvmChain
    rpc_url: str
    ws_url: str
    notify: Callable[[], None]


@asynccontextmanager
async def serving(chain: SvmChain, port: int = 0, slot_s: float | None = SLOT_MS / 1000) -> AsyncIterator[SvmServer]:
    """Serve a chain at a port of this machine and the next one (0: free ones) for the length of the context.

    A slot passes every ``slot_s`` seconds, with None only when a client calls for it. Raise PortsTaken.
    """
    subscribers = Subscribers()

    def notify() -> None:
        subscribers.notify(chain)

    async with (
        handling(_application(chain, subscribers)) as connected,
        _listening(connected, port) as first,
        _passing(chain, notify, slot_s),
    ):
        yield SvmServer(chain, f"http://{LOOPBACK}:{first}", f"ws://{LOOPBACK}:{first + 1}", notify)


def call(chain: SvmChain, method: str, parameters: Parameters) -> object:
    """Make one call and return its result; raise RpcFault."""
    found = METHODS.get(method)
    if found is None:
        raise RpcFault(METHOD_NOT_FOUND, "Method not found")
    return found(chain, parameters)


def answered(request: object, made: Callable[[str, Parameters], object]) -> dict[str, object]:
    """Answer one request of any form, as the JSON-RPC specification says."""
    identity = request.get("id") if isinstance(request, dict) else None
    try:
        return {"jsonrpc": "2.0", "result": made(*_read(request)), "id": identity}
    except RpcFault as fault:
        return {"jsonrpc": "2.0", "error": fault.as_json(), "id": identity}


def _read(request: object) -> tuple[str, Parameters]:
    if not isinstance(request, dict) or request.get("jsonrpc") != "2.0" or not isinstance(request.get("method"), str):
        raise RpcFault(INVALID_REQUEST, "Invalid request")
    values = request.get("params") or []
    if not isinstance(values, list):
        raise invalid("expected an array")
    return request["method"], Parameters(values)


def _parsed(text: str | bytes) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise RpcFault(PARSE_ERROR, "Parse error") from None


def _application(chain: SvmChain, subscribers: Subscribers) -> web.Application:
    async def post(request: web.Request) -> web.Response:
        answer = _answer(await request.read(), lambda method, parameters: call(chain, method, parameters))
        subscribers.notify(chain)
        return web.json_response(answer, headers=dict(_FROM_ANYWHERE))

    async def allow(_: web.Request) -> web.Response:
        return web.Response(headers=dict(_FROM_ANYWHERE))

    async def connect(request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse(max_msg_size=LARGEST_BODY, heartbeat=30)
        await socket.prepare(request)
        await _conversation(socket, chain, subscribers)
        return socket

    app = web.Application(client_max_size=LARGEST_BODY)
    app.router.add_routes([web.post("/", post), web.options("/", allow), web.get("/", connect)])
    return app


def _answer(body: bytes, made: Callable[[str, Parameters], object]) -> object:
    try:
        requests = _parsed(body)
        if isinstance(requests, list) and not 1 <= len(requests) <= MOST_CALLS:
            raise RpcFault(INVALID_REQUEST, f"a batch has 1 to {MOST_CALLS} calls")
    except RpcFault as fault:
        return {"jsonrpc": "2.0", "error": fault.as_json(), "id": None}
    if isinstance(requests, list):
        return [answered(each, made) for each in requests]
    return answered(requests, made)


async def _conversation(socket: web.WebSocketResponse, chain: SvmChain, subscribers: Subscribers) -> None:
    """Answer a websocket's calls, and send it what it subscribed to, until it closes."""
    ended = asyncio.Event()
    with subscribers.joined(ended.set) as subscriber:
        tasks: list[asyncio.Task[object]] = [
            asyncio.create_task(_reading(socket, chain, subscriber)),
            asyncio.create_task(_writing(socket, subscriber)),
            asyncio.create_task(ended.wait()),
        ]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
    await socket.close()


async def _reading(socket: web.WebSocketResponse, chain: SvmChain, subscriber: Subscriber) -> None:
    async for message in socket:
        if message.type is not WSMsgType.TEXT:
            return
        try:
            request = _parsed(message.data)
        except RpcFault as fault:
            subscriber.say({"error": fault.as_json(), "id": None})
            continue
        subscriber.say(answered(request, lambda method, parameters: subscriber.call(chain, method, parameters)))
        # What is already so is announced at once.
        subscriber.notify(chain)


async def _writing(socket: web.WebSocketResponse, subscriber: Subscriber) -> None:
    while True:
        await socket.send_str(await subscriber.waiting.get())


@asynccontextmanager
async def _listening(connected: Callable[[], asyncio.BaseProtocol], port: int) -> AsyncIterator[int]:
    """Listen at two adjacent ports and yield the first."""
    async with contextlib.AsyncExitStack() as both:
        for _ in range(1 if port else _TRIES):
            try:
                found = await both.enter_async_context(listening(connected, port))
            except OSError as error:
                raise PortsTaken(f"port {port} is taken: {error}") from None
            try:
                await both.enter_async_context(listening(connected, found + 1))
                break
            except OSError:
                await both.aclose()
        else:
            raise PortsTaken(f"port {port + 1} is taken" if port else "no two ports side by side are free")
        yield found


@asynccontextmanager
async def _passing(chain: SvmChain, notify: Callable[[], None], slot_s: float | None) -> AsyncIterator[None]:
    if slot_s is None:
        yield
        return
    passing = asyncio.create_task(passing_slots(chain, notify, slot_s))
    try:
        yield
    finally:
        passing.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await passing


async def passing_slots(chain: SvmChain, notify: Callable[[], None], slot_s: float) -> None:
    """Let slots pass at their pace, including those due while this process was busy."""
    loop = asyncio.get_running_loop()
    begun, passed = loop.time(), 0
    while True:
        await asyncio.sleep(begun + (passed + 1) * slot_s - loop.time())
        due = int((loop.time() - begun) / slot_s) - passed
        if due > 0:
            chain.advance(due)
            passed += due
            notify()
