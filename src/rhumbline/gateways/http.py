"""JSON over HTTP to an upstream: one pool an upstream, one deadline a call, bounded answers, no surprises in the JSON.

An upstream is somebody else's: its answer is JSON or a failure, numbers with a point are Decimals and never floats, and
a key that is there twice is no answer at all. Errors name the upstream and what happened, never its address, headers or
query: these may hold keys.
"""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from email.utils import parsedate_to_datetime
from types import MappingProxyType
from typing import TypeAlias

import aiohttp
from yarl import URL

from rhumbline.domain.clock import Clock, system_clock
from rhumbline.gateways.http_connections import Pool, Reply

Json: TypeAlias = "bool | int | Decimal | str | list[Json] | dict[str, Json] | None"
Query = Mapping[str, str] | Sequence[tuple[str, str]]
Signer = Callable[[str, str, bytes], Mapping[str, str]]
"""Makes the headers of one call that depend on it: of its method, its path with the query exactly as it leaves, and its
body."""

NOTHING: Mapping[str, str] = MappingProxyType({})
LONGEST_WAIT_S = 3600.0
_MOST_HOPS = 3
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_TYPES = frozenset({"application/json", "text/json", "text/plain", "application/octet-stream", ""})
# What may be shown of a stranger's word for what he answers.
_KIND = re.compile(r"[a-z0-9.+-]{1,40}/[a-z0-9.+-]{1,40}\Z", re.ASCII)
_LONGEST_LENGTH = 19
# No price, amount or rate needs more; a Decimal of a billion digits is one short text in an answer.
_LONGEST_NUMBER = 400
_DEEPEST = 64
# All but the brackets outside of strings. Possessive, so that no text makes it try twice.
_NO_BRACKETS = re.compile(r'[^\[\]{}"]++|"(?:[^"\\]++|\\.)*+"|"', re.DOTALL)


class UpstreamError(Exception):
    """No usable answer. The text may be shown; ``retry_after_s`` is how long the upstream asks to be left alone."""

    def __init__(self, upstream: str, what: str, retry_after_s: float | None = None) -> None:
        """Keep the upstream's name and what happened."""
        super().__init__(f"{upstream} {what}")
        self.upstream = upstream
        self.retry_after_s = retry_after_s


class UpstreamSilent(UpstreamError):
    """No whole answer within the deadline, or no connection."""


class UpstreamGarbled(UpstreamError):
    """An answer that is not JSON, not sound JSON, too large, or that leads to another host."""


class UpstreamRefused(UpstreamError):
    """An answer with a status that is not 2xx; ``body`` is its JSON, None when it has none."""

    def __init__(self, upstream: str, status: int, body: Json, retry_after_s: float | None = None) -> None:
        """Keep status and body for the table of the upstream's errors."""
        super().__init__(upstream, f"answered HTTP {status}", retry_after_s)
        self.status = status
        self.body = body


@dataclass(frozen=True, slots=True)
class Upstream:
    """One upstream behind ``url``; ``headers`` and ``query`` go with every call and may be secret. Times in seconds.

    ``sign`` adds each call's own headers, for an upstream that wants its calls signed.
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

    async def get(self, path: str, query: Query = NOTHING, *, timeout_s: float | None = None) -> Json:
        """Return the JSON at ``path``; redirects are followed on the same origin only. Raise an UpstreamError."""
        return await self._within(timeout_s, "GET", path, query, None)

    async def post(self, path: str, body: object, query: Query = NOTHING, *, timeout_s: float | None = None) -> Json:
        """Send ``body`` as ``write_json`` does and return the answer's JSON; no redirect is followed.

        Raise an UpstreamError.
        """
        return await self._within(timeout_s, "POST", path, query, write_json(body))

    async def _within(self, timeout_s: float | None, method: str, path: str, query: Query, data: bytes | None) -> Json:
        allowed = self.timeout_s if timeout_s is None else timeout_s
        try:
            async with asyncio.timeout(allowed):
                return await self._call(method, path, query, data)
        except TimeoutError:
            raise UpstreamSilent(self.name, f"did not answer within {allowed:g} s") from None
        except (aiohttp.ClientError, OSError) as error:
            # The text of the error may hold the address.
            raise UpstreamSilent(self.name, f"cannot be reached ({type(error).__name__})") from None

    async def _call(self, method: str, path: str, query: Query, data: bytes | None) -> Json:
        pairs = [*_pairs(query), *_pairs(self.query)] if self.query else _pairs(query)
        url = URL(self.url.rstrip("/") + path).extend_query(pairs)
        headers = self.headers
        for _ in range(_MOST_HOPS + 1):
            if self.sign is not None:
                # Each hop is another path, so it is signed for itself.
                headers = {**self.headers, **self.sign(method, url.raw_path_qs, data or b"")}
            reply = await self.pool.ask(method, url, headers, data)
            try:
                if reply.status not in _REDIRECTS or method != "GET":
                    return await self._answer(reply)
                url = self._next_hop(url, reply.headers.get("location", ""))
            finally:
                reply.end()
        raise UpstreamGarbled(self.name, f"redirects more than {_MOST_HOPS} times")

    def _next_hop(self, url: URL, location: str) -> URL:
        try:
            target = url.join(URL(location))
            same = bool(location) and target.origin() == url.origin()
        except ValueError:
            same = False
        if not same:
            raise UpstreamGarbled(self.name, "redirects to another host")
        return target

    async def _answer(self, reply: Reply) -> Json:
        if 200 <= reply.status < 300:
            return await self._json(reply)
        try:
            body = await self._json(reply)
        except UpstreamGarbled:
            body = None
        raise UpstreamRefused(self.name, reply.status, body, _wait_s(reply.headers.get("retry-after"), self.clock))

    async def _json(self, reply: Reply) -> Json:
        kind = reply.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind not in _TYPES and not kind.endswith("+json"):
            raise UpstreamGarbled(self.name, f"answered {kind if _KIND.match(kind) else 'something'}, not JSON")
        length = reply.headers.get("content-length", "")
        if length.isdecimal() and int(length[:_LONGEST_LENGTH]) > self.largest_bytes:
            raise UpstreamGarbled(self.name, f"answered more than {self.largest_bytes} bytes")
        parts = bytearray()
        # Unpacked, where it came packed: what counts is what we would hold.
        while chunk := await reply.body.readany():
            parts += chunk
            if len(parts) > self.largest_bytes:
                raise UpstreamGarbled(self.name, f"answered more than {self.largest_bytes} bytes")
        try:
            return read_json(bytes(parts))
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
) -> AsyncIterator[Upstream]:
    """Offer an upstream with a pool of its own, at most ``connections``; the pool ends with the context."""
    pool = Pool(connections)
    async with pool:
        yield Upstream(name, url, pool, headers, query, timeout_s, largest_bytes)


def read_json(body: bytes) -> Json:
    """Read one JSON document; raise ValueError, whose text shows nothing of the body, for anything that is not sound.

    Numbers with a point or an exponent become Decimals, all digits kept. Refused: a key twice in one object, NaN and
    infinities, numbers beyond 400 digits written out, nesting beyond 64 levels, and text that is not UTF-8 (RFC 8259).
    """
    try:
        text = body.decode("utf-8-sig")
        if _is_deep(text):
            raise _Unsound("nested too deeply, or cut off")
        document: Json = _DECODER.decode(text)
    except _Unsound:
        raise
    except ValueError:
        raise ValueError("not JSON") from None
    return document


def write_json(document: object) -> bytes:
    """Write a document as compact JSON; what ``read_json`` gave is written with every digit of its numbers.

    Raise ValueError for a number that is not finite, TypeError for what JSON has no word for.
    """
    return _written(document).encode()


def _written(value: object) -> str:
    if isinstance(value, Decimal):
        if not value.is_finite():
            raise ValueError("only finite numbers can be written as JSON")
        return str(value)
    if isinstance(value, Mapping):
        return "{" + ",".join(f"{json.dumps(str(key))}:{_written(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join(map(_written, value)) + "]"
    return json.dumps(value, allow_nan=False)


class _Unsound(ValueError):
    """JSON by its grammar, and no document for us."""


def _is_deep(text: str) -> bool:
    """Tell whether a document is nested too deeply: the parser recurses, and may take the process down with it."""
    if text.count("[") + text.count("{") <= _DEEPEST:
        return False
    brackets = _NO_BRACKETS.sub("", text)
    for _ in range(_DEEPEST):
        if not brackets:
            return False
        # Every pass takes away the innermost level.
        brackets = brackets.replace("[]", "").replace("{}", "")
    return bool(brackets)


def _object(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _Unsound("a key is there twice")
    return found


def _decimal(text: str) -> Decimal:
    number = Decimal(text) if len(text) <= _LONGEST_NUMBER else None
    if number is None or abs(number.adjusted()) > _LONGEST_NUMBER:
        raise _Unsound("a number is too long")
    return number


def _integer(text: str) -> int:
    if len(text) > _LONGEST_NUMBER:
        raise _Unsound("a number is too long")
    return int(text)


def _no_number(text: str) -> Json:
    raise _Unsound(f"{text} is no number")


_DECODER = json.JSONDecoder(
    parse_float=_decimal, parse_int=_integer, parse_constant=_no_number, object_pairs_hook=_object
)


def _pairs(query: Query) -> Sequence[tuple[str, str]]:
    # The usual kind first: to ask whether something is a Mapping takes longer than all the rest here.
    return list(query.items()) if type(query) is dict or isinstance(query, Mapping) else query


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
    except (TypeError, ValueError):
        return None
