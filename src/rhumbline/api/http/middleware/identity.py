"""A name for every request, one log line, and the headers that every response carries."""

import time

import structlog
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rhumbline.accounts.rate_limits import RateScope
from rhumbline.api.http.headers import HSTS
from rhumbline.api.http.paths import rules_of
from rhumbline.api.http.request_log import SANE, RequestLog, new_request_id, who_asked
from rhumbline.domain.spans import Span, SpanKind, Tracing


class RequestIdentity:
    """Names the request (the client's ``X-Request-Id`` if valid), binds the name to the log, logs the outcome.

    Its state gives inner middleware the ``rules`` of the path, whether the response has ``begun`` and its ``status``,
    and collects the ``headers`` that they add to it. A request for quotes begins a trace; if that is recorded, its ID
    is in the log lines and in ``X-Trace-Id``.
    """

    def __init__(self, app: ASGIApp, log: RequestLog, tracing: Tracing | None = None) -> None:
        self._app = app
        self._log = log
        self._tracing = tracing

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._tracing is None or rules_of(scope["path"]).scope is not RateScope.QUOTES:
            await self._answer(scope, receive, send)
            return
        with self._tracing.trace(scope["method"], SpanKind.SERVER, Headers(scope=scope).get("traceparent")) as span:
            try:
                await self._answer(scope, receive, send, span)
            finally:
                if span is not None:
                    _describe(span, scope)

    async def _answer(self, scope: Scope, receive: Receive, send: Send, span: Span | None = None) -> None:
        asked, rules = Headers(scope=scope), rules_of(scope["path"])
        sent = asked.get("x-request-id", "")
        request_id = sent if SANE.match(sent) else new_request_id()
        named = {"request_id": request_id} | ({} if span is None else {"trace_id": span.trace_id})
        state = scope.setdefault("state", {})
        state.update(request_id=request_id, rules=rules, begun=False, headers=[])
        status, began = 0, time.perf_counter()

        async def send_named(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = state["status"] = message["status"]
                state["begun"] = True
                # A new list: answers that are made once and sent often share theirs.
                message = {**message, "headers": [*message.get("headers", ()), *state["headers"]]}
                headers = MutableHeaders(scope=message)
                headers["x-request-id"] = request_id
                if span is not None:
                    headers["x-trace-id"] = span.trace_id
                headers["x-content-type-options"] = "nosniff"
                if scope.get("scheme") == "https":
                    headers["strict-transport-security"] = HSTS
            await send(message)

        with structlog.contextvars.bound_contextvars(**named):
            try:
                await self._app(scope, receive, send_named)
            finally:
                client, caller = scope.get("client"), state.get("caller")
                self._log(
                    **named,
                    method=scope["method"],
                    path=scope["path"],
                    status=status,
                    ms=round((time.perf_counter() - began) * 1000, 1),
                    **who_asked(client[0] if client else None, caller),
                )


def _describe(span: Span, scope: Scope) -> None:
    """Say of a request what its log line says, but by the route's template instead of its path."""
    state, route = scope["state"], getattr(scope.get("route"), "path", None)
    if route is not None:
        span.name(f"{scope['method']} {route}")
        span.note("http.route", route)
    span.note("http.request.method", scope["method"])
    span.note("rhumbline.request_id", state["request_id"])
    if (status := state.get("status")) is not None:
        span.note("http.response.status_code", status)
    if (code := state.get("error_code")) is not None:
        span.note("error.type", code)
        if (status or 500) >= 500:
            span.fail(code)
