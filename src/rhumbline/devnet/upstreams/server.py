"""Runs emulators: one HTTP server each, which records its requests and can be told how to behave."""

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from types import MappingProxyType

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from rhumbline.devnet.hosts import hosted
from rhumbline.devnet.upstreams.background import kept_running
from rhumbline.devnet.upstreams.behaviour import Fails, Fault, Received
from rhumbline.devnet.upstreams.emulator import JSON_TYPE, RECEIVED, Emulator, answer
from rhumbline.devnet.upstreams.faults import faulty
from rhumbline.devnet.upstreams.world import World

CONTROL = "/_control"
_LARGEST_BODY = 4 * 1024 * 1024


@asynccontextmanager
async def running_emulators(world: World, classes: Sequence[type[Emulator]]) -> AsyncIterator[Mapping[str, Emulator]]:
    """Run an emulator of each class, installed, on a free port each; yields them by key. All end with the context.

    An emulator of the same upstream that already runs on these chains goes off duty meanwhile: it sees no deposits.
    """
    async with AsyncExitStack() as stack:
        running = {}
        for each in classes:
            emulator = each(world.on_post(stack.enter_context(world.posts.held(each.key))))
            # A disconnecting client ends its handler; otherwise one that never answers would remain.
            emulator.url = await stack.enter_async_context(hosted(_application(emulator), cancels=True))
            await emulator.install()
            await stack.enter_async_context(kept_running(emulator.run(), emulator.key))
            running[emulator.key] = emulator
        yield MappingProxyType(running)


def _application(emulator: Emulator) -> web.Application:
    app = web.Application(middlewares=[_surrounding(emulator)], client_max_size=_LARGEST_BODY)
    app.router.add_routes([*_control(emulator), *emulator.routes()])
    return app


def _surrounding(emulator: Emulator) -> Middleware:
    """Return the middleware that records requests, and applies the behaviour to responses."""

    @web.middleware
    async def surround(request: web.Request, handler: Handler) -> web.StreamResponse:
        if request.path == CONTROL:
            return await handler(request)
        request[RECEIVED] = await _received(request)
        emulator.requests.append(request[RECEIVED])
        behaviour = emulator.behaviour
        try:
            if (forced := _forced(emulator, request.path)) is not None:
                response: web.StreamResponse = forced
            elif request.match_info.http_exception is not None and emulator.no_such_path is not None:
                raise Fails(emulator.no_such_path)
            else:
                response = await handler(request)
        except Fails as failing:
            failure = emulator.failures[failing.name]
            response = answer(failure.body if failing.body is None else failing.body, failure.status, failure.headers)
        if behaviour.fault is Fault.NONE or not isinstance(response, web.Response):
            return response
        if response.content_type != JSON_TYPE:
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
        body = json.loads(raw) if raw and request.content_type == JSON_TYPE else None
    except ValueError:
        body = None
    headers = MappingProxyType({name.lower(): value for name, value in request.headers.items()})
    query = tuple(request.query.items())
    return Received(request.method, request.path, query, headers, body, raw, request.raw_path)


def _control(emulator: Emulator) -> Sequence[web.AbstractRouteDef]:
    """Return the routes of the control endpoint, which sets the behaviour."""

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
            emulator.behaviour = emulator.behaviour_from(await request.json())
        except ValueError as error:
            return answer({"error": str(error)}, 400)
        return await tell(request)

    return [web.get(CONTROL, tell), web.post(CONTROL, switch)]
