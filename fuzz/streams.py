"""What arrives in pieces: HTTP answers on a connection, messages of nodes' websockets, and what our client receives."""

import asyncio
import gzip
import hmac
import json
from base64 import b64encode
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from hashlib import sha256
from random import Random
from typing import Any, cast
from unittest.mock import patch

import aiohttp

from fuzz.decoder import Decoder
from fuzz.inbound import Wire
from fuzz.mutations import altered_body, altered_bytes
from rhumbline.domain.errors import NodeRefused, NodeUnavailable
from rhumbline.gateways.http.client import AnyAnswer, HttpClient
from rhumbline.gateways.http.connection import Connection, ConnectionFailed
from rhumbline.gateways.nodes.evm.heads import EvmHeads
from rhumbline.gateways.nodes.heads import Heads
from rhumbline.gateways.nodes.svm.heads import SvmHeads
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from rhumbline.gateways.nodes.websocket import Listener, RpcSocket, SocketConnection
from rhumbline_client.errors import InvalidSignature, UnexpectedAnswer
from rhumbline_client.events import EventDecoder
from rhumbline_client.webhooks import verify

_LARGEST = 1 << 20
_SECRET = "whsec_" + b64encode(b"s" * 24).decode()
_AT = 1_800_000_000


def _answers() -> tuple[tuple[bytes, ...], ...]:
    body = json.dumps({"result": "0x1", "data": ["x" * 50] * 20}).encode()
    packed = gzip.compress(body)
    head = b'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\netag: W/"a"\r\nretry-after: 3\r\n'
    return (
        (head + b"content-length: %d\r\n\r\n" % len(body), body),
        (head + b"content-encoding: gzip\r\ncontent-length: %d\r\n\r\n" % len(packed) + packed,),
        (head + b"transfer-encoding: chunked\r\n\r\n", b"%x\r\n%b\r\n0\r\nx: y\r\n\r\n" % (len(body), body)),
        (b"HTTP/1.1 100 Continue\r\n\r\n" + head + b"content-length: %d\r\n\r\n" % len(body) + body,),
        (b"HTTP/1.1 302 Found\r\nlocation: /x\r\ncontent-length: 0\r\n\r\n",),
        (b"HTTP/1.0 200 OK\r\n\r\n" + body,),
    )


def _altered_pieces(rng: Random, pieces: Sequence[bytes], others: Sequence[Sequence[bytes]]) -> tuple[bytes, ...]:
    whole = altered_bytes(rng, b"".join(pieces), [b"".join(each) for each in others])
    cut = rng.randrange(len(whole) + 1)
    return (whole,) if rng.randrange(2) else (whole[:cut], whole[cut:])


async def _read_answer(pieces: Sequence[bytes]) -> Any:
    """Give a connection these pieces, and hang up."""
    connection, wire = Connection(lambda _: None, lambda _: None), Wire()
    connection.connection_made(wire)
    answer = connection.ask(b"", AnyAnswer(_LARGEST), asyncio.get_running_loop().time() + 60)
    for piece in pieces:
        if not wire.closed:
            connection.data_received(piece)
    connection.connection_lost(None)
    reply = await answer
    assert reply.body is None or len(reply.body) <= _LARGEST, "more than was allowed"
    return reply


class _Socket:
    """A node's socket that sends what it is told to, whatever it is asked."""

    def __init__(self, messages: Sequence[bytes]) -> None:
        self.left = list(messages)

    async def send_str(self, _: str) -> None:
        pass

    async def receive(self) -> aiohttp.WSMessage:
        if not self.left:
            return aiohttp.WSMessage(aiohttp.WSMsgType.CLOSED, None, None)
        return aiohttp.WSMessage(aiohttp.WSMsgType.BINARY, self.left.pop(0), None)


class _Slots(SvmHeads):
    """Heads of Solana beside a node that is at a slot of its own."""

    async def _newest(self, connection: SocketConnection) -> int:
        return 16


def _heads(made: Callable[[RpcSocket], Heads]) -> Any:
    async def read(messages: Sequence[bytes]) -> Any:
        socket = _Socket(messages)

        @asynccontextmanager
        async def connected(of: RpcSocket, listener: Listener) -> AsyncIterator[SocketConnection]:
            yield SocketConnection(of, cast(aiohttp.ClientWebSocketResponse, socket), listener)

        with patch.object(RpcSocket, "connected", connected):
            heads = made(RpcSocket("ws://127.0.0.1:1", "chain", 60.0))
            await heads.listen(lambda: bool(socket.left))
            return heads.announces

    return read


def _altered_messages(rng: Random, messages: Sequence[bytes], _: Sequence[Any]) -> tuple[bytes, ...]:
    changed = list(messages)
    place = rng.randrange(len(changed))
    changed[place] = altered_body(rng, changed[place], messages)
    return tuple(changed)


def _messages(*documents: object) -> tuple[bytes, ...]:
    return tuple(json.dumps({"jsonrpc": "2.0", **cast(dict[str, object], each)}).encode() for each in documents)


def _webhooks() -> tuple[bytes, ...]:
    return (b'{"type": "webhook.test", "timestamp": "2026-11-27T00:00:00Z", "data": {}}',)


def _verify(body: bytes) -> Any:
    """A signed message, whatever it says; and the same with a signature that may be anything."""
    signature = b64encode(hmac.digest(b"s" * 24, b"msg_1.%d." % _AT + body, sha256)).decode()
    headers = {"webhook-id": "msg_1", "webhook-timestamp": str(_AT), "webhook-signature": f"v1,{signature}"}
    for name in ("webhook-timestamp", "webhook-signature", "webhook-id"):
        try:
            verify({**headers, name: body.decode("latin-1")}, body, _SECRET, at=_AT)
        except (InvalidSignature, UnexpectedAnswer):
            continue
        assert body.decode("latin-1") == headers[name], f"accepted with another {name}"
    return verify(headers, body, _SECRET, at=_AT)


def _events(body: bytes) -> Any:
    """Whole, and in pieces: the same events."""
    at_once = EventDecoder().feed(body)
    decoder = EventDecoder()
    pieces = [event for at in range(0, len(body), 7) for event in decoder.feed(body[at : at + 7])]
    assert pieces == at_once, "pieces of a stream make other events than the whole"
    return at_once


def streams() -> list[Decoder]:
    """The decoders, each with what it is documented to raise."""
    evm = _messages(
        {"id": 1, "result": "0x1"}, {"id": 2, "result": "0xabc"}, {"id": 3, "result": "0xf"},
        {"method": "eth_subscription", "params": {"subscription": "0xabc", "result": {"number": "0x10"}}},
        {"method": "eth_subscription", "params": {"subscription": "0xabc", "result": {"number": "0x11"}}},
    )  # fmt: skip
    slots = {
        "method": "slotNotification",
        "params": {"subscription": 0, "result": {"slot": 17, "parent": 1, "root": 0}},
    }
    svm = _messages({"id": 1, "result": 0}, slots, slots)
    nobody = SvmRpc("http://127.0.0.1:1", HttpClient(), "sol")
    node = (NodeUnavailable, NodeRefused)
    events = b'id: 5\nevent: quote\ndata: {"a": 1}\ndata: more\n\n: comment\r\n\r\ndata: x\n\nretry: 5\n\n'
    return [
        Decoder("HTTP answers", _answers(), _altered_pieces, _read_answer, (ConnectionFailed,)),
        Decoder("websockets", (evm,), _altered_messages, _heads(lambda socket: EvmHeads(socket, 1)), node),
        Decoder("websockets of Solana", (svm,), _altered_messages, _heads(lambda socket: _Slots(socket, nobody)), node),
        Decoder("webhooks at the client", _webhooks(), altered_body, _verify, (InvalidSignature, UnexpectedAnswer)),
        Decoder("event streams at the client", (events,), altered_bytes, _events, (UnexpectedAnswer,)),
    ]
