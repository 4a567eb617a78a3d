"""Answers that are kept as bytes, and those who keep them."""

from collections.abc import Callable
from http import HTTPStatus
from typing import NamedTuple

from starlette.responses import Response

from rhumbline.api.hot.request import HotRequest
from rhumbline.api.hot.socket import BodyFile


class HotAnswer(NamedTuple):
    """An answer whose own headers are written already; what surrounds it adds the others."""

    status: int
    start: bytes
    """The status line."""
    fields: bytes
    """The header lines, each with its end."""
    body: bytes
    file: BodyFile | None = None
    """The same body in a file, if it is large."""


HotLookup = Callable[[HotRequest], HotAnswer | None]
"""Returns the answer that the path's endpoint would give now, None when only the endpoint can tell; never waits."""


def written(response: Response, file: BodyFile | None = None) -> HotAnswer:
    """Write an endpoint's response once, to be sent many times; ``file`` has its body."""
    status, phrase = response.status_code, HTTPStatus(response.status_code).phrase
    fields = b"".join([b"%b: %b\r\n" % field for field in response.raw_headers])
    return HotAnswer(status, b"HTTP/1.1 %d %b\r\n" % (status, phrase.encode()), fields, bytes(response.body), file)
