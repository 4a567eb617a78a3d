"""Rate limits: counts every request below ``/v1`` and adds the remaining ones to its answer."""

from datetime import datetime
from functools import lru_cache

from starlette.types import ASGIApp, Receive, Scope, Send

from rhumbline.accounts.counters import Limiter
from rhumbline.accounts.rate_limits import Verdict, in_words, shown
from rhumbline.api.http.errors import write_error
from rhumbline.api.http.paths import target_of
from rhumbline.api.wire.shape import timestamp
from rhumbline.domain.account import ApiClient
from rhumbline.domain.clock import Clock
from rhumbline.domain.errors import RateLimited

_ENDS_KEPT = 4096
_PREFLIGHT = b"access-control-request-method"


class RateLimits:
    """Must be directly within Callers; counts the callers that it identifies. Preflights do not count."""

    def __init__(self, app: ASGIApp, limiter: Limiter, clock: Clock) -> None:
        self._app = app
        self._limiter = limiter
        self._clock = clock
        # Many answers tell the same end, and it takes longer to write than all the rest.
        self._reset = lru_cache(_ENDS_KEPT)(reset_text)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        caller = scope["state"].get("caller")
        if caller is None or is_preflight(scope):
            await self._app(scope, receive, send)
            return
        client = scope.get("client")
        verdict = await self._limiter.take(caller, client[0] if client else None, scope["state"]["rules"].scope)
        scope["state"]["headers"] += (
            (b"x-ratelimit-limit", b"%d" % verdict.limit.requests),
            (b"x-ratelimit-remaining", b"%d" % verdict.remaining),
            (b"x-ratelimit-reset", self._reset(verdict.ends_at)),
        )
        if verdict.allowed:
            await self._app(scope, receive, send)
        else:
            await self._refuse(caller, verdict, scope, send)

    async def _refuse(self, caller: ApiClient, verdict: Verdict, scope: Scope, send: Send) -> None:
        advice = ", or send an API key in the header x-api-key" if caller.key_id is None else ""
        at = self._reset(verdict.ends_at).decode()
        error = RateLimited(f"More than {in_words(verdict.limit)}: try again after {at}{advice}")
        scope["state"]["error_code"] = error.code
        written = write_error(error, self._clock(), target_of(scope))
        own = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in written.headers]
        length = (b"content-length", b"%d" % len(written.body))
        wait = (b"retry-after", b"%d" % verdict.retry_after_s)
        start = {"type": "http.response.start", "status": written.status, "headers": [*own, length, wait]}
        await send(start)
        await send({"type": "http.response.body", "body": written.body})


def is_preflight(scope: Scope) -> bool:
    return scope["method"] == "OPTIONS" and any(name == _PREFLIGHT for name, _ in scope["headers"])


def reset_text(ends_at: datetime) -> bytes:
    return timestamp(shown(ends_at)).encode()
