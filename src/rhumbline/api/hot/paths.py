"""The short way to the questions that are asked most: fixed paths that are only read.

A router tries its routes one after the other, and wraps a request in what most endpoints need and these do not; that
takes longer than to answer them. So their paths are looked up here, at the end of everything that surrounds a request.
Endpoint, answer and errors are the router's own; what is not found here goes on to it.
"""

from collections.abc import Iterable

from starlette.requests import Request
from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Receive, Scope, Send

from rhumbline.api.v1.metadata import PlainRoute


class HotPaths:
    """The plain GET routes of an application whose path has no parameters, by their path."""

    __slots__ = ("_found",)

    def __init__(self) -> None:
        self._found: dict[str, PlainRoute] = {}

    def add(self, routes: Iterable[BaseRoute]) -> None:
        """Take those routes that can be answered here; the first of a path wins, as it does in a router."""
        for route in routes:
            if isinstance(route, PlainRoute) and "GET" in (route.methods or ()) and not route.param_convertors:
                self._found.setdefault(route.path, route)

    def find(self, scope: Scope) -> PlainRoute | None:
        """Return what answers a request, None when that is the router's part."""
        if scope["type"] != "http" or scope["method"] != "GET":
            return None
        return self._found.get(scope["path"])


class HotGets:
    """Stands innermost: answers hot paths, and hands everything else on."""

    def __init__(self, app: ASGIApp, paths: HotPaths) -> None:
        self._app = app
        self._paths = paths

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        route = self._paths.find(scope)
        if route is None:
            await self._app(scope, receive, send)
            return
        scope["route"] = route
        response = await route.endpoint(Request(scope))
        await response(scope, receive, send)
