"""Clients of events, made from docs/guides/webhooks.md and docs/api.md alone; nothing of the service is imported."""

import asyncio
import base64
import contextlib
import hashlib
import hmac
import json
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import aiohttp
from aiohttp import web
from standardwebhooks import Webhook, WebhookVerificationError

_PREFIX = "whsec_"
_TOLERATED_S = 300
_READ_S = 60.0


def verifies(secret: str, headers: Mapping[str, str], body: bytes, now: float) -> bool:
    """Check a message by hand, as "Checking the signature" says."""
    message, sent_at = headers["webhook-id"], headers["webhook-timestamp"]
    if abs(now - int(sent_at)) > _TOLERATED_S:
        return False
    key = base64.b64decode(secret.removeprefix(_PREFIX))
    expected = base64.b64encode(hmac.digest(key, f"{message}.{sent_at}.".encode() + body, hashlib.sha256)).decode()
    return any(
        hmac.compare_digest(expected, signature.removeprefix("v1,"))
        for signature in headers["webhook-signature"].split(" ")
        if signature.startswith("v1,")
    )


@dataclass(frozen=True)
class HeardEvent:
    """An event as a client has it."""

    number: int
    type: str
    subject: str
    status: str
    at: float


def heard(event: Mapping[str, Any]) -> HeardEvent:
    data, now = event["data"], time.monotonic()
    return HeardEvent(event["number"], event["type"], data["transactionId"] or data["id"], data["status"], now)


@dataclass
class Receiver:
    """Takes messages, but refuses each while ``fails``; ``taken`` are those taken first, in order, by their message.

    ``refusal`` is set once one was refused.
    """

    url: str = ""
    secret: str = field(default="", repr=False)
    fails: bool = False
    refused: int = 0
    refusal: asyncio.Event = field(default_factory=asyncio.Event)
    repeated: int = 0
    unsigned: list[str] = field(default_factory=list)
    taken: dict[str, HeardEvent] = field(default_factory=dict)

    async def answer(self, request: web.Request) -> web.Response:
        body, headers = await request.read(), {name.lower(): value for name, value in request.headers.items()}
        by_hand = verifies(self.secret, headers, body, time.time())
        try:
            event = Webhook(self.secret).verify(body, headers)
        except WebhookVerificationError:
            event = None
        if event is None or not by_hand:
            self.unsigned.append(headers.get("webhook-id", ""))
            return web.Response(status=400)
        if self.fails:
            self.refused += 1
            self.refusal.set()
            return web.Response(status=503)
        message = headers["webhook-id"]
        self.repeated += message in self.taken
        self.taken.setdefault(message, heard(event))
        return web.Response(status=204)


@asynccontextmanager
async def running_receiver() -> AsyncIterator[Receiver]:
    receiver, app = Receiver(), web.Application()
    app.router.add_post("/hooks", receiver.answer)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.2)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    receiver.url = f"http://127.0.0.1:{runner.addresses[0][1]}/hooks"
    try:
        yield receiver
    finally:
        await runner.cleanup()


@dataclass
class StreamReader:
    """Reads `GET /v1/transactions/stream` and comes back with the last ID; ``came`` are events in order, once each."""

    url: str
    key: str = field(repr=False)
    ready: asyncio.Event = field(default_factory=asyncio.Event)
    last: str | None = None
    connected: int = 0
    repeated: int = 0
    gaps: int = 0
    came: list[HeardEvent] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)

    async def run(self, session: aiohttp.ClientSession) -> None:
        """Read until cancelled."""
        while True:
            with contextlib.suppress(aiohttp.ClientError, TimeoutError, OSError):
                await self._read(session)
            await asyncio.sleep(0.3)

    async def _read(self, session: aiohttp.ClientSession) -> None:
        headers = {"x-api-key": self.key} | ({} if self.last is None else {"last-event-id": self.last})
        # A comment comes every 15 seconds: a connection that brings none is gone.
        timeout = aiohttp.ClientTimeout(total=None, sock_read=_READ_S)
        async with session.get(f"{self.url}/v1/transactions/stream", headers=headers, timeout=timeout) as response:
            if response.status != 200:
                if response.status < 500:
                    self.refused.append(await response.text())
                return
            self.connected += 1
            block: dict[str, str] = {}
            async for line in response.content:
                text = line.decode().rstrip("\n")
                if text:
                    name, _, value = text.partition(": ")
                    block[name] = value
                elif block:
                    self._take(block)
                    block = {}

    def _take(self, block: Mapping[str, str]) -> None:
        name = block.get("event")
        self.gaps += name == "gap"
        if name is not None and name.startswith("transaction."):
            event = heard(json.loads(block["data"]))
            if self.came and event.number <= self.came[-1].number:
                self.repeated += 1
            else:
                self.came.append(event)
        if "id" in block:
            self.last = block["id"]
        if name == "ready":
            self.ready.set()
