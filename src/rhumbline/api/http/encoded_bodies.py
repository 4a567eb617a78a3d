"""Bodies that are encoded and compressed once and answered many times, with a strong ETag for each encoding.

A body is built when it is first requested and when its sources have changed, off the event loop and once for all
waiting requests; never per request.
"""

import asyncio
import hashlib
import time
from collections.abc import Awaitable, Callable, Hashable, Mapping
from dataclasses import dataclass, field

from starlette.datastructures import Headers
from starlette.responses import Response

from rhumbline.api.http.content_coding import Encoding, choose_encoding, compress, names_etag
from rhumbline.api.http.written_response import BodyFile, WrittenResponse, body_file, written

Build = Callable[[], Awaitable[bytes]]
"""Makes the uncompressed body, without blocking the event loop."""

_SMALLEST = 1000
_MOST_NEGOTIATED = 64


@dataclass(slots=True)
class _Body:
    """One built body and its compressed forms; each form is made on first use."""

    version: Hashable
    built_at: float
    digest: str
    forms: dict[Encoding, bytes]
    files: dict[Encoding, BodyFile | None] = field(default_factory=dict)
    answers: dict[tuple[str | None, str | None], WrittenResponse] = field(default_factory=dict)
    """Encoded responses by ``Accept-Encoding`` and ``If-None-Match`` as received; they refer to the forms."""

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
    """A body older than ``soft_s`` is answered and rebuilt in the background; one older than ``hard_s`` is awaited."""

    soft_s: float
    hard_s: float


FOREVER = TtlCache(float("inf"), float("inf"))


@dataclass(frozen=True, slots=True)
class BodyRequest:
    """A requested body: ``build`` makes it if the cached one is of another ``version`` or too old."""

    key: Hashable
    build: Build
    headers: Mapping[str, str]
    version: Callable[[], Hashable] = lambda: None
    freshness: TtlCache = FOREVER


@dataclass(slots=True)
class EncodedBodies:
    """The cached bodies, at most ``most`` and ``largest_bytes`` of them; the longest unused ones are dropped first."""

    most: int = 128
    largest_bytes: int = 32 * 1024 * 1024
    clock: Callable[[], float] = time.monotonic
    _kept: dict[Hashable, _Body] = field(default_factory=dict)
    _running: dict[Hashable, asyncio.Task[_Body]] = field(default_factory=dict)
    _one_at_a_time: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def answer(self, headers: Headers, request: BodyRequest) -> Response:
        """Answer with a body, compressed as the client likes, or 304 if it has it."""
        body = await self._body(request)
        encoding = _coding(body, headers.get("accept-encoding"))
        has_it = names_etag(headers.get("if-none-match"), body.etag(encoding))
        if not has_it and encoding not in body.forms:
            async with self._one_at_a_time:
                if encoding not in body.forms:
                    body.forms[encoding] = await asyncio.to_thread(compress, body.forms[Encoding.IDENTITY], encoding)
            self._shrink(request.key)
        return _response(body, encoding, request.headers, has_it=has_it)

    def at_once(
        self, accept_encoding: str | None, if_none_match: str | None, request: BodyRequest
    ) -> WrittenResponse | None:
        """Return what ``answer`` would answer, None when something has to be built or compressed first."""
        body, version = self._kept.get(request.key), request.version()
        if body is None or body.version != version:
            return None
        age = self.clock() - body.built_at
        if age > request.freshness.hard_s:
            return None
        found = body.answers.get((accept_encoding, if_none_match))
        if found is None:
            encoding = _coding(body, accept_encoding)
            has_it = names_etag(if_none_match, body.etag(encoding))
            if not has_it and encoding not in body.forms:
                return None
            if len(body.answers) >= _MOST_NEGOTIATED:
                body.answers.clear()
            file = None if has_it else body.file(encoding)
            found = written(_response(body, encoding, request.headers, has_it=has_it), file)
            body.answers[accept_encoding, if_none_match] = found
            self._shrink(request.key)
        if age > request.freshness.soft_s:
            self._building(request, version)
        self._kept[request.key] = self._kept.pop(request.key)
        return found

    async def _body(self, request: BodyRequest) -> _Body:
        key, version = request.key, request.version()
        kept = self._kept.get(key)
        age = 0.0 if kept is None else self.clock() - kept.built_at
        if kept is None or kept.version != version or age > request.freshness.hard_s:
            # Shielded: a cancelled request does not take the body from the others that wait for it.
            kept = await asyncio.shield(self._building(request, version))
        elif age > request.freshness.soft_s:
            self._building(request, version)
        if key in self._kept:
            self._kept[key] = self._kept.pop(key)
        return kept

    def _building(self, request: BodyRequest, version: Hashable) -> asyncio.Task[_Body]:
        name = (request.key, version)
        task = self._running.get(name)
        if task is None:
            task = self._running[name] = asyncio.create_task(self._built(request, version))
            task.add_done_callback(lambda done: self._ended(name, done))
        return task

    def _ended(self, name: Hashable, task: asyncio.Task[_Body]) -> None:
        del self._running[name]
        if not task.cancelled():
            # Waiting requests get the error; without any, the old body stays in use and the next request tries again.
            task.exception()

    async def _built(self, request: BodyRequest, version: Hashable) -> _Body:
        async with self._one_at_a_time:
            started_at = self.clock()
            plain = await request.build()
            before = self._kept.get(request.key)
            digest = await asyncio.to_thread(lambda: hashlib.sha256(plain).hexdigest()[:32])
            files: dict[Encoding, BodyFile | None] = {}
            if before is not None and before.digest == digest:
                forms, files = before.forms, before.files
            else:
                codings = (Encoding.IDENTITY,) if before is None else tuple(before.forms)
                forms = await asyncio.to_thread(lambda: {coding: compress(plain, coding) for coding in codings})
            body = _Body(version, started_at, digest, forms, files)
            self._kept[request.key] = body
            self._shrink(request.key)
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
