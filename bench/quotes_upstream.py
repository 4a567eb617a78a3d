"""The upstreams of the quote scenarios: one process, one small HTTP server without a framework.

Run with `python -m bench.quotes_upstream`; prints ``port <number>``. The first part of a path is an adapter's key; its
answer comes after that upstream's time for the amount that is asked. ``/standing`` tells how many connections wait for
an answer, and how many do not.
"""

import asyncio
import json
import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import cast

from bench.http_load import Server
from bench.http_peers import told_server
from bench.quotes_answers import Template, latency_s, templates
from rhumbline.app.running import run, until_signalled

_AMOUNT = re.compile(rb"[?&]amount(?:In|Decimals)?=(\d+)")
_LENGTH = re.compile(rb"content-length: *(\d+)", re.IGNORECASE)


@asynccontextmanager
async def upstreams(folder: Path) -> AsyncIterator[Server]:
    """Run the server below in a process of its own."""
    argv = [sys.executable, "-m", "bench.quotes_upstream"]
    async with told_server("upstreams", list(argv), folder / "upstreams.log") as server:
        yield server


class Connection(asyncio.Protocol):
    """One keep-alive connection, one request at a time, as clients without pipelining make them."""

    def __init__(self, all_open: "set[Connection]", answers: dict[str, Template]) -> None:
        self._open = all_open
        self._answers = answers
        self._read = b""
        self._timer: asyncio.TimerHandle | None = None

    @property
    def is_waiting(self) -> bool:
        """Tell whether somebody waits for an answer."""
        return self._timer is not None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # Every stream transport can write; uvloop's is no subclass of asyncio's.
        self._transport = cast(asyncio.Transport, transport)
        self._open.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self._open.discard(self)
        if self._timer is not None:
            self._timer.cancel()

    def data_received(self, data: bytes) -> None:
        self._read += data
        head, end, body = self._read.partition(b"\r\n\r\n")
        length = _LENGTH.search(head)
        if not end or len(body) < (int(length[1]) if length else 0):
            return
        self._read = b""
        target = head.split(b" ", 2)[1]
        if target == b"/standing":
            waiting = sum(each.is_waiting for each in self._open)
            self._say(json.dumps({"waiting": waiting, "idle": len(self._open) - waiting - 1}).encode())
        else:
            self._promise(target)

    def _promise(self, target: bytes) -> None:
        key, asked = target.split(b"/", 2)[1].decode(), _AMOUNT.search(target)
        assert asked is not None
        amount = int(asked[1])
        # Made now, so that it leaves on time.
        body = self._answers[key.rpartition("_")[0]].filled(amount)
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(latency_s(key, amount), partial(self._say, body))

    def _say(self, body: bytes) -> None:
        self._timer = None
        head = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n" % len(body)
        self._transport.write(head + body)


async def _serve() -> None:
    connections: set[Connection] = set()
    answers = dict(templates())
    server = await asyncio.get_running_loop().create_server(
        lambda: Connection(connections, answers), "127.0.0.1", 0, backlog=4096
    )
    print(f"port {server.sockets[0].getsockname()[1]}", flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    run(until_signalled(_serve()))
