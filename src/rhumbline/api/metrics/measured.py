"""Requests, counted and timed."""

from time import perf_counter

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rhumbline.api.http.errors import status_of
from rhumbline.api.metrics.service_metrics import ServiceMetrics
from rhumbline.domain.errors import RhumblineError

UNMATCHED = "unmatched"


class Measured:
    """Counts and times requests. Stands within HeadAsGet, so that a HEAD is measured as the GET that it runs."""

    def __init__(self, app: ASGIApp, metrics: ServiceMetrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        # What ends without an answer was cut off, by a shutdown; nginx has this number for it.
        status, began = 499, perf_counter()

        async def send_noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        self._metrics.entered()
        try:
            await self._app(scope, receive, send_noted)
        except Exception as error:
            status = status_of(error) if isinstance(error, RhumblineError) else 500
            raise
        finally:
            self._metrics.answered(self._template(scope), scope["method"], status, perf_counter() - began)

    def _template(self, scope: Scope) -> str:
        """Return the route's template, ``unmatched`` without one; of what was refused before routing, too."""
        route = scope.get("route")
        if route is None and "app" in scope and "router" not in scope:
            route = next((each for each in scope["app"].routes if each.path_regex.match(scope["path"])), None)
        return getattr(route, "path", UNMATCHED)
