"""Bodies that are encoded and compressed once and answered many times, with a strong ETag for each encoding.

A body is built when it is first asked for and when what it is made of has changed, beside the event loop and once for
all who wait; never per request. Content negotiation: RFC 9110, sections 8.8.3, 12.5.3 and 13.1.2 (read 2026-11).
"""

import asyncio
import gzip
import hashlib
import time
from collections.abc import Awaitable, Callable, Hashable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

import brotli
import zstandard
from starlette.datastructures import Headers
from starlette.responses import Response

from rhumbline.api.hot.answer import HotAnswer, written
from rhumbline.api.hot.request import HotRequest
from rhumbline.api.hot.socket import BodyFile, body_file

Build = Callable[[], Awaitable[bytes]]
"""Makes the uncompressed body, without holding up the event loop."""

_SMALLEST = 1000
_MOST_NEGOTIATED = 64
_ZSTD_LEVEL = 9
_BROTLI_QUALITY = 5
_GZIP_LEVEL = 6


class Encoding(StrEnum):
    """The content codings offered, the preferred one first."""

    ZSTD = "zstd"
    BROTLI = "br"
    GZIP = "gzip"
    IDENTITY = "identity"


def choose_encoding(accept: str | None) -> Encoding:
    """Return the best coding that an ``Accept-Encoding`` header allows; the plain body where it allows none."""
    if not accept:
        return Encoding.IDENTITY
    weights: dict[str, float] = {}
    for item in accept.lower().split(","):
        name, *parameters = (part.strip() for part in item.split(";"))
        weights[name] = min((_weight(parameter) for parameter in parameters), default=1.0)
    anything = weights.get("*", 0.0)
    best, weight = Encoding.IDENTITY, 0.0
    for encoding in (Encoding.ZSTD, Encoding.BROTLI, Encoding.GZIP):
        offered = weights.get(encoding, anything)
        if offered > weight:
            best, weight = encoding, offered
    return Encoding.IDENTITY if weights.get(Encoding.IDENTITY, 0.0) > weight else best


def _weight(parameter: str) -> float:
    name, _, value = parameter.partition("=")
    if name.strip() != "q":
        return 1.0
    try:
        return max(0.0, min(1.0, float(value)))
    except ValueError:
        return 0.0


def names_etag(if_none_match: str | None, etag: str) -> bool:
    """Tell whether an ``If-None-Match`` header names the tag; a proxy may have made it a weak one on its way."""
    if not if_none_match:
        return False
    if if_none_match == etag:
        return True
    tags = {tag.strip().removeprefix("W/") for tag in if_none_match.split(",")}
    return etag in tags or "*" in tags


def compress(body: bytes, encoding: Encoding) -> bytes:
    """Compress a body; equal bodies give equal bytes."""
    match encoding:
        case Encoding.ZSTD:
            return zstandard.ZstdCompressor(level=_ZSTD_LEVEL).compress(body)
        case Encoding.BROTLI:
            return bytes(brotli.compress(body, quality=_BROTLI_QUALITY))
        case Encoding.GZIP:
            return gzip.compress(body, _GZIP_LEVEL, mtime=0)
        case Encoding.IDENTITY:
            return body


@dataclass(slots=True)
class _Body:
    """One built body and its compressed forms; a form is there once somebody asked for it."""

    version: Hashable
    built_at: float
    digest: str
    forms: dict[Encoding, bytes]
    files: dict[Encoding, BodyFile | None] = field(default_factory=dict)
    answers: dict[tuple[str | None, str | None], HotAnswer] = field(default_factory=dict)
    """Written responses by ``Accept-Encoding`` and ``If-None-Match`` as they came; they hold the forms, no copies."""

    def file(self, encoding: Encoding) -> BodyFile | None:
        """Return a form in a file, if it is large; every answer with it shares the file."""
        if encoding not in self.files:
            self.files[encoding] = body_file(self.forms[encoding])
        return self.files[encoding]

    def etag(self, encoding: Encoding) -> str:
        return f'"{self.digest}"' if encoding is Encoding.IDENTITY else f'"{self.digest}-{encoding}"'

    @property
    def size(self) -> int:
        files = sum(len(file.body) for file in self.files.values() if file is not None)
        return files + sum(len(form) for form in self.forms.values())


@dataclass(frozen=True, slots=True)
class TtlCache:
    """A body older than ``soft_s`` is answered and built again behind it; one older than ``hard_s`` is awaited."""

    soft_s: float
    hard_s: float


FOREVER = TtlCache(float("inf"), float("inf"))


@dataclass(slots=True)
class EncodedBodies:
    """The kept bodies, at most ``most`` and ``largest_bytes`` of them together; the longest unused ones go first."""

    most: int = 128
    largest_bytes: int = 32 * 1024 * 1024
    clock: Callable[[], float] = time.monotonic
    _kept: dict[Hashable, _Body] = field(default_factory=dict)
    _running: dict[Hashable, asyncio.Task[_Body]] = field(default_factory=dict)
    _one_at_a_time: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def answer(
        self,
        asked: Headers,
        key: Hashable,
        version: Hashable,
        build: Build,
        *,
        headers: Mapping[str, str],
        freshness: TtlCache = FOREVER,
    ) -> Response:
        """Answer with the body of ``key`` at ``version``, compressed as the client likes, or 304 if it has it."""
        body = await self._body(key, version, build, freshness)
        encoding = _coding(body, asked.get("accept-encoding"))
        has_it = names_etag(asked.get("if-none-match"), body.etag(encoding))
        if not has_it and encoding not in body.forms:
            async with self._one_at_a_time:
                if encoding not in body.forms:
                    body.forms[encoding] = await asyncio.to_thread(compress, body.forms[Encoding.IDENTITY], encoding)
            self._shrink(key)
        return _response(body, encoding, headers, has_it=has_it)

    def at_once(
        self,
        asked: HotRequest,
        key: Hashable,
        version: Hashable,
        build: Build,
        *,
        headers: Mapping[str, str],
        freshness: TtlCache = FOREVER,
    ) -> HotAnswer | None:
        """Return what ``answer`` would answer, None when something has to be built or compressed first."""
        body = self._kept.get(key)
        if body is None or body.version != version:
            return None
        age = self.clock() - body.built_at
        if age > freshness.hard_s:
            return None
        negotiated = asked.accept_encoding, asked.if_none_match
        found = body.answers.get(negotiated)
        if found is None:
            encoding = _coding(body, asked.accept_encoding)
            has_it = names_etag(asked.if_none_match, body.etag(encoding))
            if not has_it and encoding not in body.forms:
                return None
            if len(body.answers) >= _MOST_NEGOTIATED:
                body.answers.clear()
            file = None if has_it else body.file(encoding)
            found = body.answers[negotiated] = written(_response(body, encoding, headers, has_it=has_it), file)
            self._shrink(key)
        if age > freshness.soft_s:
            self._building(key, version, build)
        self._kept[key] = self._kept.pop(key)
        return found

    async def _body(self, key: Hashable, version: Hashable, build: Build, freshness: TtlCache) -> _Body:
        kept = self._kept.get(key)
        age = 0.0 if kept is None else self.clock() - kept.built_at
        if kept is None or kept.version != version or age > freshness.hard_s:
            # Shielded: whoever goes away does not take the body from the others who wait for it.
            kept = await asyncio.shield(self._building(key, version, build))
        elif age > freshness.soft_s:
            self._building(key, version, build)
        if key in self._kept:
            self._kept[key] = self._kept.pop(key)
        return kept

    def _building(self, key: Hashable, version: Hashable, build: Build) -> asyncio.Task[_Body]:
        task = self._running.get((key, version))
        if task is None:
            task = asyncio.create_task(self._built(key, version, build))
            self._running[key, version] = task
            task.add_done_callback(lambda done: self._ended((key, version), done))
        return task

    def _ended(self, name: Hashable, task: asyncio.Task[_Body]) -> None:
        del self._running[name]
        if not task.cancelled():
            # Those who wait are told; where nobody does, the old body goes on and the next request tries again.
            task.exception()

    async def _built(self, key: Hashable, version: Hashable, build: Build) -> _Body:
        async with self._one_at_a_time:
            started_at = self.clock()
            plain = await build()
            before = self._kept.get(key)
            digest = await asyncio.to_thread(lambda: hashlib.sha256(plain).hexdigest()[:32])
            files: dict[Encoding, BodyFile | None] = {}
            if before is not None and before.digest == digest:
                forms, files = before.forms, before.files
            else:
                wanted = (Encoding.IDENTITY,) if before is None else tuple(before.forms)
                forms = await asyncio.to_thread(lambda: {form: compress(plain, form) for form in wanted})
            body = _Body(version, started_at, digest, forms, files)
            self._kept[key] = body
            self._shrink(key)
            return body

    def _shrink(self, spared: Hashable) -> None:
        size = sum(body.size for body in self._kept.values())
        for key in [key for key in self._kept if key != spared]:
            if len(self._kept) <= self.most and size <= self.largest_bytes:
                return
            size -= self._kept.pop(key).size


def _coding(body: _Body, accept: str | None) -> Encoding:
    small = len(body.forms[Encoding.IDENTITY]) < _SMALLEST
    return Encoding.IDENTITY if small else choose_encoding(accept)


def _response(body: _Body, encoding: Encoding, headers: Mapping[str, str], *, has_it: bool) -> Response:
    common = {**headers, "etag": body.etag(encoding), "vary": "accept-encoding"}
    if has_it:
        return Response(status_code=304, headers=common)
    if encoding is not Encoding.IDENTITY:
        common["content-encoding"] = encoding
    return Response(body.forms[encoding], 200, common, "application/json")
