"""A name for every request, one log line, and the headers that every response carries."""

import time

import structlog
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rhumbline.api.http.headers import HSTS
from rhumbline.api.http.paths import rules_of
from rhumbline.api.http.request_log import SANE, RequestLog, new_request_id, who_asked


class RequestIdentity:
    """Names the request (the client's ``X-Request-Id`` if valid), binds the name to the log, logs the outcome.

    Its state gives inner middleware the ``rules`` of the path, whether the response has ``begun`` and its ``status``,
    and collects the ``headers`` that they add to it.
    """

    def __init__(self, app: ASGIApp, log: RequestLog) -> None:
        self._app = app
        self._log = log

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        sent = Headers(scope=scope).get("x-request-id", "")
        request_id = sent if SANE.match(sent) else new_request_id()
        state = scope.setdefault("state", {})
        state.update(request_id=request_id, rules=rules_of(scope["path"]), begun=False, headers=[])
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
                headers["x-content-type-options"] = "nosniff"
                if scope.get("scheme") == "https":
                    headers["strict-transport-security"] = HSTS
            await send(message)

        with structlog.contextvars.bound_contextvars(request_id=request_id):
            try:
                await self._app(scope, receive, send_named)
            finally:
                client, caller = scope.get("client"), state.get("caller")
                self._log(
                    request_id=request_id,
                    method=scope["method"],
                    path=scope["path"],
                    status=status,
                    ms=round((time.perf_counter() - began) * 1000, 1),
                    **who_asked(client[0] if client else None, caller),
                )
