"""The upstreams of the quote scenarios: one process, one small HTTP server without a framework.

Run with `python -m bench.quotes_upstream`; prints ``port <number>``. The first part of a path is an adapter's key; its
answer comes after that upstream's time for the amount that is asked. ``/cached`` tells how many connections wait for
an answer, and how many do not; ``/calls`` a call of each adapter, to be made again by others.
"""

import asyncio
import json
import re
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Generic, TypeVar, cast

from bench.http_load import Server
from bench.http_peers import server_with_port
from bench.quotes_answers import Template, latency_s, templates
from rhumbline.app.run import run, until_signalled

_AMOUNT = re.compile(rb"[?&]amount(?:In|Decimals)?=(\d+)")
_LENGTH = re.compile(rb"content-length: *(\d+)", re.IGNORECASE)
_OF_THE_CONNECTION = frozenset({"host", "connection", "content-length"})

A = TypeVar("A")


@dataclass(slots=True)
class Site(Generic[A]):
    """What all connections share: the answers, the open ones, and a call of each adapter (target, headers, amount)."""

    answers: A
    connections: "set[Connection[A]]" = field(default_factory=set)
    calls: dict[str, tuple[str, Mapping[str, str], int]] = field(default_factory=dict)


class Connection(asyncio.Protocol, Generic[A]):
    """One keep-alive connection, one request at a time, as clients without pipelining make them."""

    def __init__(self, site: Site[A]) -> None:
        self.site = site
        self._read = b""
        self._timer: asyncio.TimerHandle | None = None

    @property
    def is_waiting(self) -> bool:
        """Return whether a request waits for an answer."""
        return self._timer is not None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # Every stream transport can write; uvloop's is no subclass of asyncio's.
        self._transport = cast(asyncio.Transport, transport)
        self.site.connections.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self.site.connections.discard(self)
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
        if target == b"/cached":
            waiting = sum(each.is_waiting for each in self.site.connections)
            self.send(json.dumps({"waiting": waiting, "idle": len(self.site.connections) - waiting - 1}).encode())
        elif target == b"/calls":
            self.send(json.dumps(self.site.calls).encode())
        else:
            self.on_request(head, body)

    def on_request(self, head: bytes, body: bytes) -> None:
        """Answer a call of an adapter's."""
        raise NotImplementedError

    def question(self, head: bytes) -> tuple[str, int | None]:
        """Return the adapter, and the amount, None if there is none; store the first call of each."""
        target = head.split(b" ", 2)[1]
        key, amount = target.split(b"/", 2)[1].decode(), _AMOUNT.search(target)
        if amount is not None and key not in self.site.calls:
            self.site.calls[key] = target.decode(), headers_of(head), int(amount[1])
        return key, None if amount is None else int(amount[1])

    def send_in(self, seconds: float, body: bytes) -> None:
        """Answer after a while."""
        self._timer = asyncio.get_running_loop().call_later(seconds, partial(self.send, body))

    def close(self) -> None:
        """Answer nothing."""
        self._transport.close()

    def send(self, body: bytes) -> None:
        """Answer now."""
        self._timer = None
        head = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n" % len(body)
        self._transport.write(head + body)


class Made(Connection[Mapping[str, Template]]):
    """Answers from templates for every amount."""

    def on_request(self, head: bytes, body: bytes) -> None:
        """Make the answer at once, so that it leaves on time."""
        key, amount = self.question(head)
        assert amount is not None
        self.send_in(latency_s(key, amount), self.site.answers[key.rpartition("_")[0]].filled(amount))


def headers_of(head: bytes) -> Mapping[str, str]:
    """Return a request's headers without those of its connection."""
    lines = [line.decode("latin-1").partition(":") for line in head.split(b"\r\n")[1:]]
    return {name: value.strip() for name, _, value in lines if name.lower() not in _OF_THE_CONNECTION}


@asynccontextmanager
async def upstreams(folder: Path) -> AsyncIterator[Server]:
    """Run the server below in a process of its own."""
    argv = [sys.executable, "-m", "bench.quotes_upstream"]
    async with server_with_port("upstreams", list(argv), folder / "upstreams.log") as server:
        yield server


async def serve_upstreams(connection: Callable[[], Connection[Any]]) -> None:
    """Serve for ever on a free port, which is printed."""
    server = await asyncio.get_running_loop().create_server(connection, "127.0.0.1", 0, backlog=4096)
    print(f"port {server.sockets[0].getsockname()[1]}", flush=True)
    await server.serve_forever()


async def _serve() -> None:
    site: Site[Mapping[str, Template]] = Site(templates())
    await serve_upstreams(lambda: Made(site))


if __name__ == "__main__":
    run(until_signalled(_serve()))
