"""Responses that are written once and sent many times."""

from http import HTTPStatus
from typing import NamedTuple

from starlette.responses import Response


class WrittenResponse(NamedTuple):
    """A response whose own headers are bytes already; what surrounds it adds the others."""

    status: int
    start: bytes
    """The status line."""
    fields: bytes
    """The header lines, each with its end."""
    body: bytes


def written(response: Response) -> WrittenResponse:
    """Write an endpoint's response."""
    status, phrase = response.status_code, HTTPStatus(response.status_code).phrase
    fields = b"".join([b"%b: %b\r\n" % field for field in response.raw_headers])
    return WrittenResponse(status, b"HTTP/1.1 %d %b\r\n" % (status, phrase.encode()), fields, bytes(response.body))
