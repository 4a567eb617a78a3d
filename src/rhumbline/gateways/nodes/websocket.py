"""JSON-RPC over a websocket to one node: calls and notifications.

Errors name the chain, never the URL: an operator's endpoint may carry a key.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field

import aiohttp

from rhumbline.domain.errors import NodeUnavailable
from rhumbline.gateways.http.connection_errors import in_words
from rhumbline.gateways.http.strict_json import Json, read_json, write_json
from rhumbline.gateways.nodes.json_rpc import result_of

LARGEST_MESSAGE_BYTES = 64 * 1024
"""A header has some 2 KB, and tens of KB on chains with validators in it."""
_CLOSE_S = 1.0
_BREATH_S = 0.01

Listener = Callable[[Mapping[str, Json]], None]
"""Receives the node's notifications."""


@dataclass(frozen=True, slots=True)
class RpcSocket:
    """A node's websocket; ``name`` is the chain's key, for errors; ``answer_s`` bounds connecting and each answer."""

    url: str = field(repr=False)
    name: str = "chain"
    answer_s: float = 10.0

    @asynccontextmanager
    async def connected(self, listener: Listener) -> AsyncIterator["SocketConnection"]:
        """Connect for as long as the context lasts; raise NodeUnavailable. No redirect is followed."""
        async with AsyncExitStack() as stack:
            try:
                async with asyncio.timeout(self.answer_s):
                    # Its own session: one of many requests would have a place less for them.
                    session = await stack.enter_async_context(
                        aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar(), middlewares=(_no_redirect,))
                    )
                    opening = session.ws_connect(
                        self.url,
                        timeout=aiohttp.ClientWSTimeout(ws_close=_CLOSE_S),
                        max_msg_size=LARGEST_MESSAGE_BYTES,
                    )
                    socket = await stack.enter_async_context(opening)
            except aiohttp.WSServerHandshakeError as error:
                what = f"what answers there is no websocket, HTTP {error.status}"
                raise NodeUnavailable(f"{self.name}: the node's websocket cannot be opened ({what})") from None
            except (aiohttp.ClientError, OSError, ValueError) as error:
                # Without its cause, whose text may hold the URL.
                raise NodeUnavailable(f"{self.name}: the node's websocket cannot be opened ({_words(error)})") from None
            yield SocketConnection(self, socket, listener)


class SocketConnection:
    """One connection, read by one task at a time."""

    __slots__ = ("_last_id", "_listener", "_of", "_socket")

    def __init__(self, of: RpcSocket, socket: aiohttp.ClientWebSocketResponse, listener: Listener) -> None:
        """Take an open socket; ``listener`` is called with each message that is no answer."""
        self._of = of
        self._socket = socket
        self._listener = listener
        self._last_id = 0

    async def ask(self, method: str, params: Sequence[object] = ()) -> object:
        """Make one call and return its ``result``; raise NodeRefused or NodeUnavailable."""
        self._last_id += 1
        call = {"jsonrpc": "2.0", "id": self._last_id, "method": method, "params": list(params)}
        try:
            async with asyncio.timeout(self._of.answer_s):
                await self._socket.send_str(write_json(call).decode())
                while True:
                    message = await self._receive()
                    if type(number := message.get("id")) is int and number == self._last_id:
                        return result_of(message, self._of.name, self._of.url)
                    await self._hear(message)
        except (aiohttp.ClientError, OSError) as error:
            raise NodeUnavailable(f"{self._of.name}: the node's socket does not answer ({_words(error)})") from None

    async def listen(self, seconds: float) -> bool:
        """Receive one message; return whether one came within so many seconds. Raise NodeUnavailable."""
        try:
            async with asyncio.timeout(seconds):
                message = await self._receive()
        except TimeoutError:
            return False
        await self._hear(message)
        return True

    async def _hear(self, message: Mapping[str, Json]) -> None:
        self._listener(message)
        # A node that sends more than can be read waits; nothing else does.
        await asyncio.sleep(_BREATH_S)

    async def _receive(self) -> Mapping[str, Json]:
        message = await self._socket.receive()
        if message.type is aiohttp.WSMsgType.ERROR:
            bound = f"or more than {LARGEST_MESSAGE_BYTES} bytes"
            raise NodeUnavailable(f"{self._of.name}: the node's websocket sent an invalid message, {bound}")
        if message.type is not aiohttp.WSMsgType.TEXT and message.type is not aiohttp.WSMsgType.BINARY:
            raise NodeUnavailable(f"{self._of.name}: the node closed its socket")
        try:
            document = read_json(message.data.encode() if isinstance(message.data, str) else message.data)
        except ValueError as error:
            raise NodeUnavailable(f"{self._of.name}: the node's websocket sent invalid JSON ({error})") from None
        if not isinstance(document, dict):
            raise NodeUnavailable(f"{self._of.name}: the node's websocket sent something other than JSON-RPC")
        return document


def _words(error: Exception) -> str:
    """Say why there is no connection; aiohttp wraps what the operating system and TLS say."""
    if isinstance(error, aiohttp.ServerDisconnectedError):
        return "it hung up without an answer"
    if isinstance(error, aiohttp.ClientConnectorCertificateError):
        return in_words(error.certificate_error)
    return in_words(error.os_error if isinstance(error, aiohttp.ClientConnectorError) else error)


async def _no_redirect(request: aiohttp.ClientRequest, handler: aiohttp.ClientHandlerType) -> aiohttp.ClientResponse:
    """Refuse to be led elsewhere: the URL's key would go there too."""
    response = await handler(request)
    if 300 <= response.status < 400:
        response.close()
        raise aiohttp.WSServerHandshakeError(response.request_info, (), status=response.status)
    return response
