"""JSON over HTTP to an upstream: one pool per upstream, one deadline per call, bounded and strictly parsed answers.

An answer is JSON or a failure, numbers with a point are Decimals and never floats, and a duplicate key invalidates the
answer. Errors name the upstream and what happened, never its address, headers or query, which may contain keys.
"""

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from functools import lru_cache, partial
from types import MappingProxyType

from yarl import URL

from rhumbline.domain.clock import Clock, system_clock
from rhumbline.domain.spans import SpanKind, span
from rhumbline.gateways.http.connection import ConnectionFailed, Reply, may_be_json, shown
from rhumbline.gateways.http.pool import Pool
from rhumbline.gateways.http.strict_json import Json, read_json, write_json
from rhumbline.gateways.upstreams.guard.call import HostUnreachable
from rhumbline.gateways.upstreams.guard.guard import NotAsked, UpstreamGuard

Query = Mapping[str, str] | Sequence[tuple[str, str]]
Signer = Callable[[str, str, bytes], Mapping[str, str]]
"""Makes the headers that depend on one call: its method, its path with the query as sent, and its body."""

NOTHING: Mapping[str, str] = MappingProxyType({})
LONGEST_WAIT_S = 3600.0
UNTOLD_REST_S = 5.0
"""How long an upstream is paused that limits our rate without saying for how long."""
_MOST_HOPS = 3
# Characters that need no escaping in a path, or between the separators of a query.
_SAFE_PATH = re.compile(r"(/[A-Za-z0-9_-]+)+\Z", re.ASCII)
_SAFE = re.compile(r"[A-Za-z0-9._~-]*\Z", re.ASCII)


class UpstreamError(Exception):
    """No usable answer. The text may be shown; ``retry_after_s`` is the upstream's requested pause."""

    def __init__(self, upstream: str, what: str, retry_after_s: float | None = None) -> None:
        super().__init__(f"{upstream} {what}")
        self.upstream = upstream
        self.retry_after_s = retry_after_s


class UpstreamSilent(UpstreamError):
    """No whole answer within the deadline, or no connection."""


class UpstreamUnreached(UpstreamSilent, HostUnreachable):
    """No connection could be made, so nothing was asked."""


class UpstreamSpared(UpstreamError):
    """The upstream was not asked, because of its guard."""


class UpstreamGarbled(UpstreamError):
    """An answer that is not JSON, not valid for us, too large, or a redirect to another host."""


class UpstreamRefused(UpstreamError):
    """An answer with a status that is not 2xx; ``body`` is its JSON, None when it has none."""

    def __init__(self, upstream: str, status: int, body: Json, retry_after_s: float | None = None) -> None:
        super().__init__(upstream, f"answered HTTP {status}", retry_after_s)
        self.status = status
        self.body = body


@dataclass(frozen=True, slots=True)
class Upstream:
    """One upstream behind ``url``; ``headers`` and ``query`` go with every call and may be secret. Times in seconds.

    ``sign`` adds each call's own headers, for an upstream that wants its calls signed. Every call passes the ``guard``
    of the host, where there is one.
    """

    name: str
    url: str = field(repr=False)
    pool: Pool = field(repr=False)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    query: Mapping[str, str] = field(default_factory=dict, repr=False)
    timeout_s: float = 5.0
    largest_bytes: int = 8 * 1024 * 1024
    clock: Clock = field(default=system_clock, repr=False)
    sign: Signer | None = field(default=None, repr=False)
    guard: UpstreamGuard | None = field(default=None, repr=False)
    accepts = staticmethod(may_be_json)

    def __post_init__(self) -> None:
        """Raise ValueError for a pool of another origin."""
        if URL(self.url).origin() != self.pool.origin:
            raise ValueError(f"the pool of {self.name} leads to another host")

    async def get(self, path: str, query: Query = NOTHING, *, timeout_s: float | None = None) -> Json:
        """Return the JSON at ``path``; redirects are followed on the same origin only. Raise an UpstreamError."""
        return await self._call("GET", path, query, timeout_s)

    async def post(self, path: str, body: object, query: Query = NOTHING, *, timeout_s: float | None = None) -> Json:
        """Send ``body`` by ``write_json`` and return the answer's JSON; follow no redirect. Raise an UpstreamError."""
        return await self._call("POST", path, query, timeout_s, body)

    async def _call(self, method: str, path: str, query: Query, timeout_s: float | None, body: object = None) -> Json:
        data = None if method == "GET" else write_json(body)
        if self.guard is None:
            return await self._ask(method, path, query, data, timeout_s)
        try:
            return await self.guard.run(partial(self._ask, method, path, query, data, timeout_s))
        except NotAsked as error:
            raise UpstreamSpared(self.name, error.reason, error.retry_after_s) from None
        except UpstreamRefused as error:
            rest_s = _rest_s(error)
            if rest_s:
                await self.guard.rest(rest_s)
            raise

    async def _ask(self, method: str, path: str, query: Query, data: bytes | None, timeout_s: float | None) -> Json:
        allowed = self.timeout_s if timeout_s is None else timeout_s
        deadline = asyncio.get_running_loop().time() + allowed
        pairs = _pairs(query)
        target = target_of(self.url, path, [*pairs, *_pairs(self.query)] if self.query else pairs)
        headers = self.headers
        for _ in range(_MOST_HOPS + 1):
            if self.sign is not None:
                # Each hop is another path, so it is signed for itself.
                headers = {**self.headers, **self.sign(method, target, data or b"")}
            try:
                with span(f"{method} {self.name}", SpanKind.CLIENT) as present:
                    reply = await self.pool.ask(method, target, headers, data, self, deadline)
                    if present is not None:
                        present.note("http.response.status_code", reply.status)
                        if reply.status >= 400:
                            present.fail(str(reply.status))
            except TimeoutError:
                raise UpstreamSilent(self.name, f"did not answer within {allowed:g} s") from None
            except ConnectionFailed as error:
                raise UpstreamSilent(self.name, f"cannot be reached ({error})") from None
            except OSError as error:
                # The text of the error may hold the address.
                raise UpstreamUnreached(self.name, f"cannot be reached ({type(error).__name__})") from None
            if method != "GET" or not reply.is_redirect:
                return self._answer(reply)
            target = self._next_hop(target, reply.headers.get("location", ""))
        raise UpstreamGarbled(self.name, f"redirects more than {_MOST_HOPS} times")

    def _next_hop(self, target: str, location: str) -> str:
        try:
            here = URL(self.url).origin().join(URL(target, encoded=True))
            there = here.join(URL(location))
            if location and _origin(there) == _origin(here):
                return there.raw_path_qs
        except (ValueError, IndexError):
            # For an invalid URL yarl raises it too.
            pass
        raise UpstreamGarbled(self.name, "redirects to another host")

    def _answer(self, reply: Reply) -> Json:
        if 200 <= reply.status < 300:
            return self._json(reply)
        try:
            body = self._json(reply)
        except UpstreamGarbled:
            body = None
        raise UpstreamRefused(self.name, reply.status, body, _wait_s(reply.headers.get("retry-after"), self.clock))

    def _json(self, reply: Reply) -> Json:
        if reply.is_large:
            raise UpstreamGarbled(self.name, f"answered more than {self.largest_bytes} bytes")
        if reply.body is None:
            raise UpstreamGarbled(self.name, f"answered {shown(reply.headers.get('content-type', ''))}, not JSON")
        try:
            return read_json(reply.body)
        except ValueError as error:
            raise UpstreamGarbled(self.name, f"answered no sound JSON ({error})") from None


@asynccontextmanager
async def open_upstream(
    name: str,
    url: str,
    *,
    headers: Mapping[str, str] = NOTHING,
    query: Mapping[str, str] = NOTHING,
    timeout_s: float = 5.0,
    largest_bytes: int = 8 * 1024 * 1024,
    connections: int = 32,
    guard: UpstreamGuard | None = None,
) -> AsyncIterator[Upstream]:
    """Offer an upstream with a pool of its own, at most ``connections``; the pool ends with the context."""
    async with Pool(URL(url), connections) as pool:
        yield Upstream(name, url, pool, headers, query, timeout_s, largest_bytes, guard=guard)


def target_of(base: str, path: str, pairs: Sequence[tuple[str, str]]) -> str:
    """Return path and query of ``path`` below a URL, with the pairs in order."""
    if _SAFE_PATH.match(path) and _SAFE.match("".join([text for pair in pairs for text in pair])):
        # Nothing is to be escaped: to have that found out by URL takes longer than all the rest of a request.
        query = "&".join([f"{name}={value}" for name, value in pairs])
        return f"{_prefix(base)}{path}?{query}" if query else _prefix(base) + path
    return URL(base.rstrip("/") + path).extend_query(pairs).raw_path_qs


@lru_cache(maxsize=256)
def _prefix(base: str) -> str:
    return URL(base).raw_path.rstrip("/")


def _pairs(query: Query) -> Sequence[tuple[str, str]]:
    # The usual kind first: to ask whether something is a Mapping takes longer than all the rest here.
    return list(query.items()) if type(query) is dict or isinstance(query, Mapping) else query


def _origin(url: URL) -> tuple[str, str | None, int | None]:
    """Return the URL's origin: an explicit default port is the same as an implicit one."""
    return url.scheme, url.raw_host, url.port


def _wait_s(text: str | None, clock: Clock) -> float | None:
    """Read ``Retry-After``, seconds or a date (RFC 9110, 10.2.3, read 2026-11); an hour at the most."""
    if text is None:
        return None
    text = text.strip()
    if text.isascii() and text.isdigit():
        return min(float(text[:9]), LONGEST_WAIT_S)
    try:
        moment = parsedate_to_datetime(text)
        return min(max((moment - clock()).total_seconds(), 0.0), LONGEST_WAIT_S)
    except (TypeError, ValueError, OverflowError):
        return None


def _rest_s(refusal: UpstreamRefused) -> float | None:
    """Return how long to pause an upstream after a refusal, None if it may be asked again at once."""
    if refusal.status == 429 and refusal.retry_after_s is None:
        return UNTOLD_REST_S
    return refusal.retry_after_s if refusal.status in (408, 425, 429) or refusal.status >= 500 else None
