"""Hot answers with request name, count, headers, metrics and log line, in one step and without waiting.

It does in sequence what ``server.application.surroundings`` does in ten layers, for plain GETs with a cached answer:
the same name, caller, count, headers, measurement and log line, to the byte. Any other request is passed to the general
path without side effects: nothing is counted before it is certain that the answer will be sent.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from time import perf_counter

from starlette.applications import Starlette

from rhumbline.accounts.counters import Limiter
from rhumbline.accounts.key_terms import refusal
from rhumbline.accounts.request_tally import RequestTally
from rhumbline.api.hot.request import HotLookup, HotRequest, ReadRequests
from rhumbline.api.http.headers import EXPOSED, HSTS
from rhumbline.api.http.middleware.rate_limits import reset_text
from rhumbline.api.http.paths import PathRules, rules_of
from rhumbline.api.http.request_log import RequestLog, new_request_id, who_asked
from rhumbline.api.http.written_response import WrittenResponse
from rhumbline.api.metrics.service_metrics import ServiceMetrics
from rhumbline.domain.account import ApiClient

_ENDS_KEPT = 4096
_OPEN = (
    b"access-control-allow-origin: *\r\n"
    b"access-control-expose-headers: %b\r\n"
    b"x-content-type-options: nosniff\r\n" % ", ".join(EXPOSED).encode()
)
_SECURE = _OPEN + b"strict-transport-security: %b\r\n" % HSTS.encode()
_INVALID_KEY = b"x-api-key-status: invalid\r\n"


@dataclass(slots=True, eq=False)
class HotFront:
    """Answers hot requests below ``/v1`` that browsers of any origin may read.

    ``known_caller`` is who owns a key as far as that is known without asking.
    """

    known_caller: Callable[[str | None], ApiClient | None]
    limiter: Limiter
    metrics: ServiceMetrics | None
    log: RequestLog
    tally: RequestTally | None = None
    read: ReadRequests = field(default_factory=ReadRequests, init=False)
    _lookups: dict[str, tuple[HotLookup, PathRules]] = field(default_factory=dict, init=False)
    _limits: Callable[[int, datetime], bytes] = field(default_factory=lambda: lru_cache(_ENDS_KEPT)(_lines), init=False)

    def add(self, path: str, lookup: HotLookup) -> None:
        self._lookups[path] = lookup, rules_of(path)

    def answer(
        self, request: HotRequest, host: str | None, date: bytes, *, secure: bool
    ) -> tuple[bytes, WrittenResponse] | None:
        """Return the response's head and the answer with its body; None if the general path has to answer.

        ``host`` is the client's address, ``date`` the header lines that the server adds to every response.
        """
        began = perf_counter()
        hot = self._lookups.get(request.path)
        if hot is None:
            return None
        lookup, rules = hot
        caller = self.known_caller(request.key)
        if caller is None:
            return None
        if caller.terms is not None and refusal(caller.terms, rules.key_scope, request.origin, host) is not None:
            return None
        room = self.limiter.room(caller, host, rules.scope)
        if room is None:
            return None
        found = lookup(request)
        if found is None:
            return None
        name = request.name or new_request_id()
        head = b"%b%b%bx-ratelimit-remaining: %d\r\n%b%b%bx-request-id: %b\r\n\r\n" % (
            found.start,
            date,
            found.fields,
            room.take(),
            self._limits(room.most, room.ends_at),
            _INVALID_KEY if caller.key_invalid else b"",
            _SECURE if secure else _OPEN,
            name.encode("ascii"),
        )
        seconds = perf_counter() - began
        if self.metrics is not None:
            self.metrics.passed(request.path, "GET", found.status, seconds)
        if self.tally is not None:
            self.tally.add(caller, request.path, found.status, seconds)
        ms, who = round(seconds * 1000, 1), who_asked(host, caller)
        self.log(request_id=name, method="GET", path=request.path, status=found.status, ms=ms, **who)
        return head, found


class HotApp(Starlette):
    """An application, and what answers its hot requests first; None leaves all to the application."""

    hot: HotFront | None = None


def _lines(most: int, ends_at: datetime) -> bytes:
    return b"x-ratelimit-limit: %d\r\nx-ratelimit-reset: %b\r\n" % (most, reset_text(ends_at))
