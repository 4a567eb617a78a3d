"""Responses that are encoded once and sent many times.

Large bodies go from the system's page cache to the socket: nothing copies them for each client.
"""

import os
import socket
import weakref
from asyncio import Transport
from contextlib import suppress
from http import HTTPStatus
from typing import NamedTuple

from starlette.responses import Response

SMALLEST_FILE = 64 * 1024
_IS_POSSIBLE = hasattr(os, "memfd_create") and hasattr(os, "sendfile") and hasattr(socket, "MSG_MORE")


class BodyFile:
    """A body in an anonymous file, which is closed with its last user; sockets that still send it keep its pages."""

    __slots__ = ("__weakref__", "body", "fd")

    def __init__(self, body: bytes) -> None:
        """Write the file; raise OSError when the system has no room for it."""
        self.body = body
        self.fd = os.memfd_create("body", os.MFD_CLOEXEC)
        weakref.finalize(self, os.close, self.fd)
        left = memoryview(body)
        while left:
            left = left[os.write(self.fd, left) :]


def body_file(body: bytes) -> BodyFile | None:
    """Return a file of a large body; None for a small one, and where the system does not offer it."""
    if len(body) < SMALLEST_FILE or not _IS_POSSIBLE:
        return None
    with suppress(OSError):
        return BodyFile(body)
    return None


class DirectSocket:
    """What can be done with the socket below a plain transport, but not through the transport."""

    __slots__ = ("_socket", "_transport")

    def __init__(self, transport: Transport) -> None:
        """Take a descriptor of our own, so that neither side can close the other's; it is to be closed as well."""
        self._transport = transport
        self._socket: socket.socket | None = None
        with suppress(OSError):
            self._socket = transport.get_extra_info("socket").dup()

    def send(self, head: bytes, file: BodyFile) -> None:
        """Send a response; what the socket does not take at once is the transport's, and so are all errors."""
        sent = done = 0
        if self._socket is not None and self._transport.get_write_buffer_size() == 0:
            with suppress(OSError):
                sent = self._socket.send(head, socket.MSG_MORE)
                if sent == len(head):
                    done = os.sendfile(self._socket.fileno(), file.fd, 0, len(file.body))
        if done < len(file.body):
            self._transport.writelines([head[sent:], memoryview(file.body)[done:]])

    def close(self) -> None:
        if self._socket is not None:
            self._socket.close()


class WrittenResponse(NamedTuple):
    """A response whose own headers are already encoded; middleware adds the others."""

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
