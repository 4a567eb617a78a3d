"""Rate limits: every request below ``/v1`` is counted, and its answer says how many are left."""

from datetime import datetime
from functools import lru_cache

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rhumbline.accounts.counters import Limiter
from rhumbline.accounts.rate_limits import RateScope, Verdict, in_words, shown
from rhumbline.api.http.errors import write_error
from rhumbline.api.http.paths import HEALTH, is_quote, is_versioned, target_of
from rhumbline.api.wire.shape import timestamp
from rhumbline.domain.account import ApiClient
from rhumbline.domain.clock import Clock
from rhumbline.domain.errors import RateLimited

_ADVANCED = "/v1/advanced/"
_ENDS_KEPT = 4096
_PREFLIGHT = b"access-control-request-method"
RawHeaders = list[tuple[bytes, bytes]]


class RateLimits:
    """Stands right within Callers and around what makes answers of failures; health and preflights do not count."""

    def __init__(self, app: ASGIApp, limiter: Limiter, clock: Clock) -> None:
        self._app = app
        self._limiter = limiter
        self._clock = clock
        # Many answers tell the same end, and it takes longer to write than all the rest.
        self._reset = lru_cache(_ENDS_KEPT)(reset_text)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not is_counted(scope):
            await self._app(scope, receive, send)
            return
        caller = scope["state"]["caller"]
        client = scope.get("client")
        verdict = await self._limiter.take(caller, client[0] if client else None, scope_of(scope["path"]))
        headers = self._headers(verdict)
        if not verdict.allowed:
            await self._refuse(caller, verdict, headers, scope, send)
            return

        async def send_counted(message: Message) -> None:
            if message["type"] == "http.response.start":
                # A new list: answers that are made once and sent often share theirs.
                message = {**message, "headers": [*message.get("headers", ()), *headers]}
            await send(message)

        await self._app(scope, receive, send_counted)

    async def _refuse(self, caller: ApiClient, verdict: Verdict, headers: RawHeaders, scope: Scope, send: Send) -> None:
        advice = ", or send an API key in the header x-api-key" if caller.key_id is None else ""
        at = self._reset(verdict.ends_at).decode()
        error = RateLimited(f"More than {in_words(verdict.limit)}: try again after {at}{advice}")
        written = write_error(error, self._clock(), target_of(scope))
        own = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in written.headers]
        length = (b"content-length", b"%d" % len(written.body))
        wait = (b"retry-after", b"%d" % verdict.retry_after_s)
        start = {"type": "http.response.start", "status": written.status, "headers": [*own, length, wait, *headers]}
        await send(start)
        await send({"type": "http.response.body", "body": written.body})

    def _headers(self, verdict: Verdict) -> RawHeaders:
        return [
            (b"x-ratelimit-limit", b"%d" % verdict.limit.requests),
            (b"x-ratelimit-remaining", b"%d" % verdict.remaining),
            (b"x-ratelimit-reset", self._reset(verdict.ends_at)),
        ]


def is_counted(scope: Scope) -> bool:
    """Tell whether a request counts: all of ``/v1`` but health and preflights."""
    path = scope["path"]
    if not is_versioned(path) or path == HEALTH:
        return False
    return scope["method"] != "OPTIONS" or all(name != _PREFLIGHT for name, _ in scope["headers"])


def scope_of(path: str) -> RateScope:
    return RateScope.QUOTES if is_quote(path) or path.startswith(_ADVANCED) else RateScope.OTHER


def reset_text(ends_at: datetime) -> bytes:
    return timestamp(shown(ends_at)).encode()
