"""The frame that all emulators stand in: one HTTP server each, what it was asked, and how it is told to behave.

An emulator speaks its upstream's protocol as the upstream documents it, and is as strict. It prices from the sandbox's
pools, and what it answers executes: its settlement code lies at the addresses that the upstream has on public chains.
"""

import json
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from decimal import Decimal
from types import MappingProxyType
from typing import ClassVar

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from rhumbline.devnet.upstreams.background import kept_running, until_cancelled
from rhumbline.devnet.upstreams.behaviour import (
    Behaviour,
    EmulatorError,
    Fails,
    Failure,
    Fault,
    Lie,
    Outcome,
    Received,
    read_behaviour,
)
from rhumbline.devnet.upstreams.faults import faulty
from rhumbline.devnet.upstreams.world import World

__all__ = [
    "Behaviour",
    "Emulator",
    "EmulatorError",
    "Fails",
    "Failure",
    "Fault",
    "Lie",
    "Outcome",
    "Received",
    "answer",
    "received",
    "running_emulators",
]

CONTROL = "/_control"
NOTHING: Mapping[str, str] = MappingProxyType({})
_JSON = "application/json"
_RECEIVED = web.RequestKey("received", Received)
_LARGEST_BODY = 4 * 1024 * 1024


class Emulator(ABC):
    """One upstream. A subclass says what its class attributes are, and answers by its `routes`.

    ``key`` is its adapter's key. ``failures`` are the upstream's documented failures by a name of ours, ``statuses``
    the documented words of a bridge's status, ``lies`` those that it can tell.
    """

    key: ClassVar[str]
    failures: ClassVar[Mapping[str, Failure]] = MappingProxyType({})
    statuses: ClassVar[tuple[str, ...]] = ()
    lies: ClassVar[frozenset[Lie]] = frozenset()

    def __init__(self, world: World) -> None:
        """Stand in `world`; ``url`` is known once it runs, before `install` is called."""
        self.world = world
        self.behaviour = self.told({})
        self.requests: list[Received] = []
        self.url = ""

    @abstractmethod
    def routes(self) -> Sequence[web.AbstractRouteDef]:
        """Return aiohttp's route table: ``[web.get("/quote", self.quote)]``. Handlers use `received` and `answer`."""

    @abstractmethod
    def deployments(self) -> Mapping[int, Mapping[str, object]]:
        """Return the fields of the adapter's deployment dataclass by chain ID, as an operator writes them in TOML."""

    def contracts(self) -> Mapping[int, Mapping[str, str]]:
        """Return the settlement contracts by chain ID: the pinned address, and which of ``solidity/upstreams``."""
        return MappingProxyType({})

    async def install(self) -> None:
        """Put the code of `contracts` where it belongs; a subclass adds what lies in storage (`World.store`)."""
        for chain_id, contracts in self.contracts().items():
            for address, name in contracts.items():
                await self.world.install_code(chain_id, address, self.world.settlement(name))

    async def run(self) -> None:
        """Do what goes on beside the answers until it is cancelled: a bridge runs its `Solver`; nothing by default."""
        await until_cancelled()

    def more_urls(self) -> Mapping[str, str]:
        """Return where the upstream's further hosts are, by the adapter's names for them; none by default."""
        return NOTHING

    def credentials(self) -> Mapping[str, str]:
        """Return what the settings must hold for this emulator, which checks it strictly; nothing by default."""
        return NOTHING

    def tells(self, lie: Lie) -> bool:
        """Tell whether this lie is to be told now."""
        return self.behaviour.lie is lie

    def told(self, document: object) -> Behaviour:
        """Read how to behave from the control endpoint's JSON, absent keys by their defaults; ValueError says why not.

        A subclass adds keys of its own by a subclass of `Behaviour`.
        """
        return read_behaviour(document, self.failures, self.statuses)

    def reset(self) -> None:
        """Behave well again and forget what was asked."""
        self.behaviour = self.told({})
        self.requests.clear()


def answer(body: object, status: int = 200, headers: Mapping[str, str] = NOTHING) -> web.Response:
    """Return a JSON answer. Decimals become JSON numbers as a JavaScript server writes them, doubles."""
    text = json.dumps(body, separators=(",", ":"), default=_number)
    return web.Response(status=status, text=text, headers=headers, content_type=_JSON)


def received(request: web.Request) -> Received:
    """Return the request as it is kept in ``requests``."""
    return request[_RECEIVED]


@asynccontextmanager
async def running_emulators(world: World, classes: Sequence[type[Emulator]]) -> AsyncIterator[Mapping[str, Emulator]]:
    """Run an emulator of each class, installed, on a port of its own of this machine; by key. All end with it.

    Where the same upstream is emulated already on these chains, that one rests for as long: it sees no deposits.
    """
    async with AsyncExitStack() as stack:
        running = {}
        for each in classes:
            emulator = each(world.on_post(stack.enter_context(world.posts.held(each.key))))
            emulator.url = await stack.enter_async_context(_served(emulator))
            await emulator.install()
            await stack.enter_async_context(kept_running(emulator.run(), emulator.key))
            running[emulator.key] = emulator
        yield MappingProxyType(running)


@asynccontextmanager
async def _served(emulator: Emulator) -> AsyncIterator[str]:
    app = web.Application(middlewares=[_surrounding(emulator)], client_max_size=_LARGEST_BODY)
    app.router.add_routes([*_control(emulator), *emulator.routes()])
    # A client that gives up ends its handler: one that never answers would stay otherwise.
    runner = web.AppRunner(app, handler_cancellation=True, access_log=None, shutdown_timeout=0.2)
    await runner.setup()
    try:
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


def _surrounding(emulator: Emulator) -> Middleware:
    """Return the middleware that notes what comes, and does what the behaviour says to what leaves."""

    @web.middleware
    async def surround(request: web.Request, handler: Handler) -> web.StreamResponse:
        if request.path == CONTROL:
            return await handler(request)
        request[_RECEIVED] = await _received(request)
        emulator.requests.append(request[_RECEIVED])
        behaviour = emulator.behaviour
        try:
            response = _forced(emulator, request.path) or await handler(request)
        except Fails as failing:
            failure = emulator.failures[failing.name]
            response = answer(failure.body if failing.body is None else failing.body, failure.status, failure.headers)
        if behaviour.fault is Fault.NONE or not isinstance(response, web.Response) or response.content_type != _JSON:
            return response
        return await faulty(request, response, behaviour.fault, behaviour.delay_s)

    return surround


def _forced(emulator: Emulator, path: str) -> web.Response | None:
    if emulator.behaviour.failure is None:
        return None
    failure = emulator.failures[emulator.behaviour.failure]
    if failure.on and not path.startswith(failure.on):
        return None
    return answer(failure.body, failure.status, failure.headers)


async def _received(request: web.Request) -> Received:
    raw = await request.read()
    try:
        body = json.loads(raw) if raw and request.content_type == _JSON else None
    except ValueError:
        body = None
    headers = MappingProxyType({name.lower(): value for name, value in request.headers.items()})
    query = tuple(request.query.items())
    return Received(request.method, request.path, query, headers, body, raw, request.raw_path)


def _control(emulator: Emulator) -> Sequence[web.AbstractRouteDef]:
    """Return the routes by which a program of any kind switches the behaviour."""

    async def tell(_: web.Request) -> web.Response:
        return answer(
            {
                "key": emulator.key,
                "behaviour": emulator.behaviour.as_json(),
                "failures": list(emulator.failures),
                "statuses": list(emulator.statuses),
                "lies": sorted(emulator.lies),
                "requests": len(emulator.requests),
            }
        )

    async def switch(request: web.Request) -> web.Response:
        try:
            emulator.behaviour = emulator.told(await request.json())
        except ValueError as error:
            return answer({"error": str(error)}, 400)
        return await tell(request)

    return [web.get(CONTROL, tell), web.post(CONTROL, switch)]


def _number(value: object) -> float:
    if isinstance(value, Decimal):
        return float(value)
    raise TypeError(f"{type(value).__name__} in an answer")
