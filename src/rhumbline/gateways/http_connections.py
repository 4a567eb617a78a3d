"""Connections to upstreams: aiohttp's, with one request at a time, written and read without a session around it.

Names, TLS, pools, the parser of answers and unpacking are aiohttp's. Its session, which makes objects of a request and
an answer that serve every purpose, takes more time than all the rest of a call, and is not used. Stands on aiohttp
3.14 (connector, client_proto and client_reqrep of its source, read 2026-11-21); tests hold it there.

aiohttp keeps connections for the next call, and takes what arrives on one in between for the answer to that call: a
second answer of a confused upstream, or the 408 that some gateways write before they hang up. Here that ends the
connection.
"""

import asyncio
import re
from base64 import b64encode
from collections.abc import Mapping
from functools import partial
from typing import Any

import aiohttp
from aiohttp.client_proto import ResponseHandler
from aiohttp.connector import Connection
from aiohttp.http import HttpProcessingError, RawResponseMessage
from aiohttp.streams import StreamReader
from yarl import URL

_FIRST_FINAL = 200
_IDLE_S = 30.0
# The deadline of the whole call is the caller's.
_NO_TIMEOUT = aiohttp.ClientTimeout(total=None)
_ALWAYS = "accept: application/json\r\naccept-encoding: gzip, deflate\r\nuser-agent: rhumbline\r\n"
_UNFIT = re.compile(r"[\0\r\n]")


class AskedOnly(ResponseHandler):
    """A connection that hangs up when it is told something between two questions."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        """Begin without a question."""
        super().__init__(loop)
        self._is_asked = False

    def set_response_params(self, **params: Any) -> None:
        """Prepare for the answer to a question that is about to be written."""
        self._is_asked = True
        super().set_response_params(**params)

    def data_received(self, data: bytes) -> None:
        """Read on in an answer; anything else is none."""
        if data and not self._is_asked:
            self.force_close()
            self.close()
            return
        super().data_received(data)

    def feed_data(self, data: tuple[RawResponseMessage, StreamReader], size: int = 0) -> None:
        """Hand on the head of an answer, which ends with its body; "100 Continue" and its kind are no answers."""
        super().feed_data(data, size)
        message, body = data
        if message.code >= _FIRST_FINAL:
            body.on_eof(self._end)

    def _end(self) -> None:
        self._is_asked = False


class Reply:
    """An answer whose head is there: its status, its headers, and its body as it comes in, unpacked."""

    __slots__ = ("_connection", "body", "headers", "status")

    def __init__(self, message: RawResponseMessage, body: StreamReader, connection: Connection) -> None:
        """Take the connection over."""
        self.status: int = message.code
        self.headers: Mapping[str, str] = message.headers
        self.body = body
        self._connection = connection

    def end(self) -> None:
        """Give the connection back; without the whole body it is closed."""
        self._connection.release()


class Pool(aiohttp.TCPConnector):
    """At most so many connections to one upstream, of which idle ones end after half a minute."""

    def __init__(self, connections: int) -> None:
        """Begin without a connection."""
        super().__init__(limit=connections, keepalive_timeout=_IDLE_S)
        self._factory = partial(_connection, loop=asyncio.get_running_loop())
        self._places: dict[URL, aiohttp.ClientRequest] = {}

    @property
    def in_use(self) -> int:
        """How many connections are in the middle of a call."""
        return len(self._acquired)

    async def ask(self, method: str, url: URL, headers: Mapping[str, str], body: bytes | None) -> Reply:
        """Write a request and return its answer's head; ``end`` it.

        What may be asked again (GET) is, once, when the connection ends without an answer: upstreams may close idle
        connections at any time. Raise aiohttp's ClientError or OSError, ValueError for a header that cannot be sent.
        """
        request, may_repeat = _written(method, url, headers, body), method == "GET"
        while True:
            connection = await self.connect(self._place(url), [], _NO_TIMEOUT)
            try:
                return await _asked(connection, request)
            except (aiohttp.ServerDisconnectedError, aiohttp.ClientOSError):
                connection.close()
                if not may_repeat:
                    raise
                may_repeat = False
            except BaseException:
                connection.close()
                raise

    def _place(self, url: URL) -> aiohttp.ClientRequest:
        """Return what aiohttp connects by; there is one for each origin, and upstreams do not lead to others."""
        origin = url.origin()
        place = self._places.get(origin)
        if place is None:
            place = self._places[origin] = aiohttp.ClientRequest("GET", origin, loop=asyncio.get_running_loop())
        return place


def _connection(loop: asyncio.AbstractEventLoop) -> ResponseHandler:
    return AskedOnly(loop)


async def _asked(connection: Connection, request: bytes) -> Reply:
    protocol, transport = connection.protocol, connection.transport
    if protocol is None or transport is None:
        raise aiohttp.ServerDisconnectedError
    protocol.set_response_params(read_until_eof=True)
    transport.write(request)
    while True:
        try:
            message, body = await protocol.read()
        except HttpProcessingError:
            raise aiohttp.ClientPayloadError("no HTTP") from None
        if message.code >= _FIRST_FINAL:
            return Reply(message, body, connection)
        if message.upgrade:
            raise aiohttp.ClientPayloadError("another protocol")


def _written(method: str, url: URL, headers: Mapping[str, str], body: bytes | None) -> bytes:
    lines = [f"{method} {url.raw_path_qs} HTTP/1.1\r\nhost: {url.host_port_subcomponent}\r\n{_ALWAYS}"]
    for name, value in headers.items():
        if _UNFIT.search(name) or _UNFIT.search(value):
            raise ValueError(f"the header {name!r} cannot be sent")
        lines.append(f"{name}: {value}\r\n")
    if url.raw_user is not None:
        both = b64encode(f"{url.user}:{url.password or ''}".encode()).decode()
        lines.append(f"authorization: Basic {both}\r\n")
    if body is None:
        return "".join((*lines, "\r\n")).encode()
    length = f"content-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
    return "".join((*lines, length)).encode() + body
