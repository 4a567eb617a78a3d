"""Server-sent events: https://html.spec.whatwg.org/multipage/server-sent-events.html (read 2026-11).

A stream is one task. What a client leaves unread waits in its connection's buffer, beyond which nothing is written,
and after half a minute of that ``BoundedProtocol`` cuts it off.
"""

from collections import Counter
from collections.abc import AsyncGenerator, Iterator, Mapping
from contextlib import AbstractContextManager, aclosing, contextmanager
from types import MappingProxyType
from typing import Any

from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from rhumbline.api.http.headers import IS_HEAD
from rhumbline.domain.errors import Overloaded, RateLimited

MEDIA_TYPE = "text/event-stream"
# `x-accel-buffering` is nginx's: https://nginx.org/en/docs/http/ngx_http_proxy_module.html, proxy_buffering.
HEADERS: Mapping[str, str] = MappingProxyType({"cache-control": "no-store", "x-accel-buffering": "no"})
HEARTBEAT = b": still here\n\n"
HEARTBEAT_S = 15.0
RETRY = b"retry: 2000\n\n"
MOST = 4_000


def event(name: str, data: str, *, identifier: str | None = None, retry_s: int | None = None) -> bytes:
    """Write an event; ``data`` has no line breaks, as JSON that is written here."""
    mark = "" if identifier is None else f"id: {identifier}\n"
    retry = "" if retry_s is None else f"retry: {1000 * retry_s}\n"
    return f"{mark}event: {name}\ndata: {data}\n{retry}\n".encode()


def content_of_events(description: str, example: str) -> Mapping[str, Any]:
    """Return what the API's document says of a stream's body.

    The whole of it as a text: clients that are made of the document hand that out as it comes. OpenAPI 3.2 has
    ``itemSchema`` for the events; what makes clients of 3.1 does not know it.
    """
    return {MEDIA_TYPE: {"schema": {"type": "string", "description": description, "examples": [example]}}}


class StreamPlaces:
    """Counts the open streams of a process, and those of each requester. Everything happens on the event loop."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._has: Counter[str] = Counter()

    @property
    def open(self) -> int:
        return self._has.total()

    @contextmanager
    def taken(self, requester: str, most: int) -> Iterator[None]:
        """Occupy a place; raise RateLimited for a requester that has ``most``, Overloaded if there is none at all."""
        if self._has[requester] >= most:
            raise RateLimited(f"More than {most} streams are open: end one, or share it among your clients")
        if self.open >= self._most:
            raise Overloaded("This process has no place for another stream: try again shortly")
        self._has[requester] += 1
        try:
            yield
        finally:
            self._has[requester] -= 1
            if not self._has[requester]:
                del self._has[requester]


class EventStream(StreamingResponse):
    """Server-sent events; when it ends for any reason, its work ends, and then ``place`` is left. A HEAD has none."""

    media_type = MEDIA_TYPE

    def __init__(self, events: AsyncGenerator[bytes, None], place: AbstractContextManager[object]) -> None:
        super().__init__(events, headers=HEADERS)
        self._events = events
        self._place = place

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with self._place:
            async with aclosing(self._events):
                if scope.get(IS_HEAD):
                    self.body_iterator = _nothing()
                await super().__call__(scope, receive, send)


async def _nothing() -> AsyncGenerator[bytes, None]:
    for block in tuple[bytes, ...]():
        yield block
