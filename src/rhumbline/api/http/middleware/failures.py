"""Answers every failure as a StandardError; the text of an unexpected one goes to the log only."""

import structlog
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from rhumbline.api.http.errors import MethodNotAllowed, status_of, unexpected, write_error
from rhumbline.api.http.paths import target_of
from rhumbline.domain.clock import Clock
from rhumbline.domain.errors import (
    AccessDenied,
    AdaptersFailed,
    NodeRefused,
    NodeUnavailable,
    NotFound,
    Overloaded,
    RhumblineError,
    release_frames,
)


class Failures:
    """Answers exceptions of inner layers. If the response has begun, the connection is closed instead."""

    def __init__(self, app: ASGIApp, clock: Clock) -> None:
        self._app = app
        self._clock = clock

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            # The failure that Callers met: within RateLimits it is counted, and its answer has every header.
            if scope["state"].get("caller_fault") is not None:
                raise scope["state"].pop("caller_fault")
            await self._app(scope, receive, send)
        except Exception as failure:
            error = error_of(failure, scope)
            scope["state"]["error_code"] = error.error_code if isinstance(error, AccessDenied) else error.code
            if scope["state"]["begun"]:
                raise
            release_frames(failure)
            await self._answer(error, scope)(scope, receive, send)

    def _answer(self, error: RhumblineError, scope: Scope) -> Response:
        """Return a failure's response; OPTIONS on a path that exists is no failure but a list of its methods."""
        if isinstance(error, MethodNotAllowed) and scope["method"] == "OPTIONS":
            return Response(status_code=204, headers={"allow": ", ".join(error.allowed)})
        written = write_error(error, self._clock(), target_of(scope))
        return Response(written.body, written.status, dict(written.headers))


def error_of(failure: Exception, scope: Scope) -> RhumblineError:
    """Return the error for the client, and log an unexpected one; call it in an except block."""
    error = failure if isinstance(failure, RhumblineError) else _known(failure, scope)
    if error is None or status_of(error) == 500:
        structlog.get_logger().exception("a request failed unexpectedly", path=scope["path"])
        return unexpected(str(scope["state"]["request_id"]))
    # Overload is shown by its metric: a log line for each refusal would take time from admitted requests.
    if status_of(error) > 500 and not isinstance(error, Overloaded):
        structlog.get_logger().warning("a request could not be served", error=type(error).__name__)
    return error


def _known(failure: Exception, scope: Scope) -> RhumblineError | None:
    """Translate exceptions of the router and the gateways into our errors; None for others."""
    if isinstance(failure, NodeUnavailable | NodeRefused):
        return AdaptersFailed("A chain's node does not answer correctly; try again shortly")
    if not isinstance(failure, HTTPException):
        return None
    if failure.status_code == 405:
        methods = {name.strip() for name in (failure.headers or {}).get("Allow", "").split(",") if name.strip()}
        if "GET" in methods:
            methods.add("HEAD")
        return MethodNotAllowed(scope["method"], tuple(sorted(methods | {"OPTIONS"})))
    if failure.status_code == 404:
        return NotFound(f"There is nothing at {scope['path'][:200]}")
    return None
