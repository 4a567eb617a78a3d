"""WalletConnect's relay, as far as two clients need it: mailboxes by topic, which see nothing but sealed messages.

Source: https://specs.walletconnect.com/2.0/specs/servers/relay/relay-server-rpc (read 2026-11-27), and what the
client sends beyond that: `wc_proposeSession` and `wc_approveSession`, which publish and subscribe at once. Clients sign
in by a JWT of their own key, as the same specifications have it.
"""

import asyncio
import json
import secrets
from base64 import urlsafe_b64decode
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from time import time
from typing import Any

from aiohttp import WSMsgType, web
from solders.pubkey import Pubkey
from solders.signature import Signature

from rhumbline.devnet.hosts import hosted

PROJECT = "0123456789abcdef0123456789abcdef"
_BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_PROPOSE, _PROPOSED, _SETTLE = 1100, 1101, 1102


@dataclass(eq=False)
class _Client:
    socket: web.WebSocketResponse
    subscriptions: dict[str, str] = field(default_factory=dict)


@dataclass
class WalletRelay:
    """``published`` lists topics and tags; ``deaf`` takes no connection, ``mute`` connects and answers nothing."""

    url: str = ""
    deaf: bool = False
    mute: bool = False
    published: list[tuple[str, int]] = field(default_factory=list)
    projects: list[str] = field(default_factory=list)
    _clients: set[_Client] = field(default_factory=set)
    _boxes: dict[str, list[dict[str, Any]]] = field(default_factory=lambda: defaultdict(list))

    async def connect(self, request: web.Request) -> web.WebSocketResponse:
        if self.deaf:
            raise web.HTTPServiceUnavailable
        if not _signed_in(request.query.get("auth", ""), self.url) or request.query.get("projectId") != PROJECT:
            raise web.HTTPUnauthorized
        self.projects.append(request.query["projectId"])
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        client = _Client(socket)
        self._clients.add(client)
        try:
            async for message in socket:
                if message.type is WSMsgType.TEXT and not self.mute:
                    await self._heard(client, json.loads(message.data))
        finally:
            self._clients.discard(client)
        return socket

    async def drop(self) -> None:
        """Break every connection, and take no new one."""
        self.deaf = True
        for client in list(self._clients):
            await client.socket.close()

    async def _heard(self, client: _Client, asked: dict[str, Any]) -> None:
        if "method" not in asked:
            return
        params = asked.get("params", {})
        method = asked["method"].partition("_")[2]
        result: object = True
        waiting: list[str] = []
        if method == "publish":
            await self._publish(params["topic"], params["message"], params["tag"], client)
        elif method == "subscribe":
            result, waiting = self._subscribe(client, params["topic"]), [params["topic"]]
        elif method == "batchSubscribe":
            result, waiting = [self._subscribe(client, topic) for topic in params["topics"]], params["topics"]
        elif method == "batchFetchMessages":
            result = {"messages": [m for topic in params["topics"] for m in self._boxes[topic]], "hasMore": False}
        elif method == "unsubscribe":
            client.subscriptions.pop(params["topic"], None)
        elif method == "proposeSession":
            self._subscribe(client, params["pairingTopic"])
            await self._publish(params["pairingTopic"], params["sessionProposal"], _PROPOSE, client)
        elif method == "approveSession":
            self._subscribe(client, params["sessionTopic"])
            await self._publish(params["pairingTopic"], params["sessionProposalResponse"], _PROPOSED, client)
            await self._publish(params["sessionTopic"], params["sessionSettlementRequest"], _SETTLE, client)
        else:
            raise AssertionError(f"the relay has no {asked['method']}")
        await client.socket.send_json({"id": asked["id"], "jsonrpc": "2.0", "result": result})
        for topic in waiting:
            for message in self._boxes[topic]:
                await self._deliver(client, message)

    def _subscribe(self, client: _Client, topic: str) -> str:
        return client.subscriptions.setdefault(topic, secrets.token_hex(32))

    async def _publish(self, topic: str, message: str, tag: int, by: _Client) -> None:
        """Deliver to everybody but who publishes: the client takes what comes back for another's word."""
        assert len(topic) == 64
        self.published.append((topic, tag))
        kept = {"topic": topic, "message": message, "publishedAt": int(time() * 1000), "tag": tag}
        self._boxes[topic].append(kept)
        for client in list(self._clients):
            if client is not by and topic in client.subscriptions:
                await self._deliver(client, kept)

    async def _deliver(self, client: _Client, message: dict[str, Any]) -> None:
        data = {"id": client.subscriptions[message["topic"]], "data": message}
        if not client.socket.closed:
            number = secrets.randbits(48)
            await client.socket.send_json(
                {"id": number, "jsonrpc": "2.0", "method": "irn_subscription", "params": data}
            )


def _signed_in(token: str, audience: str) -> bool:
    """Whether a client has signed its JWT by the key that it names."""
    try:
        head, body, proof = token.split(".")
        claims = json.loads(_decoded(body))
        key = _key_of(claims["iss"])
        signature = Signature.from_bytes(_decoded(proof))
    except (ValueError, KeyError):
        return False
    signed = signature.verify(Pubkey.from_bytes(key), f"{head}.{body}".encode())
    return signed and claims["aud"] == audience and claims["exp"] > time() >= claims["iat"] - 60


def _decoded(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _key_of(did: str) -> bytes:
    number = 0
    for letter in did.removeprefix("did:key:z"):
        number = number * 58 + _BASE58.index(letter)
    written = number.to_bytes(34)
    if written[:2] != bytes.fromhex("ed01"):
        raise ValueError("no key of ed25519")
    return written[2:]


@asynccontextmanager
async def running_relay() -> AsyncIterator[WalletRelay]:
    """Run it until the block ends."""
    relay = WalletRelay()
    app = web.Application()
    app.router.add_get("/", relay.connect)
    async with hosted(app) as url:
        relay.url = url.replace("http://", "ws://")
        yield relay
        await asyncio.gather(*(client.socket.close() for client in list(relay._clients)))
