"""Upstreams that cost little: what an emulator answered is answered again for some seconds, after an upstream's time.

Run with `python -m load.replay <key>=<url>…`, each the URL of an emulator. Prints one JSON object: each key's port.
An emulator computes each answer from pools, which takes longer than the service takes for all of its quote; the same
question is asked of it once in `KEPT_S` seconds. A price source answers at once, everything else after 50 to 800 ms.
"""

import asyncio
import json
import math
import random
import re
import sys
import time
from dataclasses import dataclass, field
from functools import partial
from typing import cast

import aiohttp
from yarl import URL

from rhumbline.app.run import run, until_signalled

KEPT_S = 10.0
FASTEST_S, SLOWEST_S = 0.050, 0.800
AT_ONCE = ("DEFILLAMA",)
"""What is answered without a delay: prices are not awaited by quotes."""
_MOST_KEPT = 20_000
_LENGTH = re.compile(rb"content-length: *(\d+)", re.IGNORECASE)
_OF_THE_CONNECTION = frozenset({"host", "connection", "content-length", "accept-encoding"})


@dataclass(slots=True)
class Memory:
    """What one emulator answered, by request line and body, and when: whole answers, as they are sent."""

    key: str
    url: str
    session: aiohttp.ClientSession
    answers: dict[tuple[bytes, bytes], tuple[float, bytes]] = field(default_factory=dict)
    asked: dict[tuple[bytes, bytes], "asyncio.Task[bytes]"] = field(default_factory=dict)
    replayed: int = 0

    async def answer(self, head: bytes, body: bytes) -> bytes:
        """Return the kept answer, or the emulator's; who asks meanwhile waits for the same one."""
        question = head.split(b"\r\n", 1)[0], body
        at, known = self.answers.get(question, (0.0, b""))
        if time.monotonic() - at < KEPT_S:
            self.replayed += 1
            return known
        if question not in self.asked:
            self.asked[question] = asyncio.create_task(self._learn(question, head))
        return await asyncio.shield(self.asked[question])

    async def _learn(self, question: tuple[bytes, bytes], head: bytes) -> bytes:
        try:
            method, target, _ = question[0].decode().split(" ", 2)
            async with self.session.request(
                method, URL(self.url + target, encoded=True), data=question[1] or None, headers=_headers(head)
            ) as response:
                body = await response.read()
                kind = response.headers.get("content-type", "application/json")
                lines = f"HTTP/1.1 {response.status} -\r\ncontent-type: {kind}\r\ncontent-length: {len(body)}\r\n\r\n"
            whole = lines.encode() + body
            if len(self.answers) >= _MOST_KEPT:
                self.answers.clear()
            self.answers[question] = time.monotonic(), whole
            return whole
        finally:
            del self.asked[question]


def _headers(head: bytes) -> dict[str, str]:
    lines = [line.decode("latin-1").partition(":") for line in head.split(b"\r\n")[1:]]
    return {name: value.strip() for name, _, value in lines if name.lower() not in _OF_THE_CONNECTION}


class Connection(asyncio.Protocol):
    """One keep-alive connection, one request at a time, as clients without pipelining make them."""

    def __init__(self, memory: Memory, dice: random.Random) -> None:
        self._memory, self._dice, self._read = memory, dice, b""
        self._answering: asyncio.Task[None] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # Every stream transport can write; uvloop's is no subclass of asyncio's.
        self._transport = cast(asyncio.Transport, transport)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._answering is not None:
            self._answering.cancel()

    def data_received(self, data: bytes) -> None:
        self._read += data
        head, end, body = self._read.partition(b"\r\n\r\n")
        length = _LENGTH.search(head)
        if end and len(body) >= (int(length[1]) if length else 0):
            self._read = b""
            self._answering = asyncio.create_task(self._answer(head, body))

    async def _answer(self, head: bytes, body: bytes) -> None:
        until = asyncio.get_running_loop().time() + self._delay_s()
        try:
            answer = await self._memory.answer(head, body)
        except aiohttp.ClientError:
            self._transport.close()
            return
        await asyncio.sleep(until - asyncio.get_running_loop().time())
        self._transport.write(answer)

    def _delay_s(self) -> float:
        """Return how long an upstream takes: logarithms evenly spread, as in `make bench`."""
        if self._memory.key in AT_ONCE:
            return 0.0
        return FASTEST_S * math.exp(self._dice.random() * math.log(SLOWEST_S / FASTEST_S))


async def _serve(emulators: dict[str, str]) -> None:
    loop, dice = asyncio.get_running_loop(), random.Random(20_261_128)
    async with aiohttp.ClientSession(auto_decompress=False) as session:
        memories = [Memory(key, url, session) for key, url in emulators.items()]
        servers = [
            await loop.create_server(partial(Connection, memory, dice), "127.0.0.1", 0, backlog=4096)
            for memory in memories
        ]
        ports = [server.sockets[0].getsockname()[1] for server in servers]
        print(json.dumps(dict(zip(emulators, ports, strict=True))), flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    run(until_signalled(_serve(dict(each.split("=", 1) for each in sys.argv[1:]))))
