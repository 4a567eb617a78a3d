"""Responses that are written once and sent many times."""

from http import HTTPStatus
from typing import NamedTuple

from starlette.responses import Response

from rhumbline.api.http.body_file import BodyFile


class WrittenResponse(NamedTuple):
    """A response whose own headers are bytes already; what surrounds it adds the others."""

    status: int
    start: bytes
    """The status line."""
    fields: bytes
    """The header lines, each with its end."""
    body: bytes
    file: BodyFile | None = None
    """The same body in a file, if it is large."""


def written(response: Response, file: BodyFile | None = None) -> WrittenResponse:
    """Write an endpoint's response; ``file`` has its body."""
    status, phrase = response.status_code, HTTPStatus(response.status_code).phrase
    fields = b"".join([b"%b: %b\r\n" % field for field in response.raw_headers])
    start = b"HTTP/1.1 %d %b\r\n" % (status, phrase.encode())
    return WrittenResponse(status, start, fields, bytes(response.body), file)
