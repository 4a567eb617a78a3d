"""Counts and times requests: for the metrics, and for what integrators are shown of theirs."""

from time import perf_counter

from starlette.types import ASGIApp, Receive, Scope, Send

from rhumbline.accounts.request_tally import RequestTally
from rhumbline.api.http.errors import status_of
from rhumbline.api.metrics.service_metrics import ServiceMetrics
from rhumbline.domain.errors import RhumblineError

UNMATCHED = "unmatched"


class Measured:
    """Counts and times requests. Is inside HeadAsGet, so that a HEAD is measured as the GET that it runs."""

    def __init__(self, app: ASGIApp, metrics: ServiceMetrics | None, tally: RequestTally | None = None) -> None:
        self._app = app
        self._metrics = metrics
        self._tally = tally

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        status, began = None, perf_counter()
        if self._metrics is not None:
            self._metrics.entered()
        try:
            await self._app(scope, receive, send)
        except Exception as error:
            status = status_of(error) if isinstance(error, RhumblineError) else 500
            raise
        finally:
            template, seconds, state = self._template(scope), perf_counter() - began, scope["state"]
            if status is None:
                # What ends without an answer was cut off, by a shutdown; nginx has this number for it.
                status = state.get("status", 499)
            if self._metrics is not None:
                self._metrics.answered(template, scope["method"], status, seconds)
            if self._tally is not None and (key_of := state.get("key_of")) is not None:
                code, name = state.get("error_code", ""), str(state["request_id"])
                self._tally.add(key_of, template, status, seconds, code, name)

    def _template(self, scope: Scope) -> str:
        """Return the route's template, ``unmatched`` without one; also for requests refused before routing."""
        route = scope.get("route")
        if route is None and "app" in scope and "router" not in scope:
            route = next((each for each in scope["app"].routes if each.path_regex.match(scope["path"])), None)
        return getattr(route, "path", UNMATCHED)
