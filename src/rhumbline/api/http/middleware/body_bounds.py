"""Bounds request bodies, and ignores them for methods without a body."""

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rhumbline.api.http.errors import BodyTooLarge

LARGEST_BODY = 256 * 1024
_WITHOUT_BODY = frozenset({"GET", "HEAD", "OPTIONS", "DELETE"})


class BoundedBodies:
    """Reads a body before the application does, up to the limit; one beyond it raises BodyTooLarge.

    A declared length is judged before a byte is read. GET and its like see an empty body.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        declared = headers.get("content-length", "")
        if declared.isascii() and declared.isdigit() and (len(declared) > 18 or int(declared) > LARGEST_BODY):
            raise _too_large()
        ignored = scope["method"] in _WITHOUT_BODY
        body = b""
        if "transfer-encoding" in headers or (declared and not ignored):
            read = await _read(receive)
            if read is None:
                return
            body = b"" if ignored else read
        await self._app(scope, _replaying(body, receive), send)


async def _read(receive: Receive) -> bytes | None:
    """Collect a body up to the limit; None when the client went away."""
    parts: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return None
        part = message.get("body", b"")
        size += len(part)
        if size > LARGEST_BODY:
            raise _too_large()
        parts.append(part)
        if not message.get("more_body", False):
            return b"".join(parts)


def _replaying(body: bytes, receive: Receive) -> Receive:
    replayed = False

    async def replay() -> Message:
        nonlocal replayed
        if replayed:
            return await receive()
        replayed = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay


def _too_large() -> BodyTooLarge:
    return BodyTooLarge(f"The request's body is larger than {LARGEST_BODY} bytes: send less")
