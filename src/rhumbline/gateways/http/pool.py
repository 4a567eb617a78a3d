"""The pool of connections to one upstream: bounded, kept for half a minute, one request per connection at a time."""

import asyncio
import math
import socket
import ssl
from base64 import b64encode
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from functools import cache
from typing import Any, TypeAlias

import aiohappyeyeballs
from yarl import URL

from rhumbline.gateways.http.connection import AcceptedAnswer, Connection, ConnectionFailed, Reply

_IDLE_S = 30.0
_GRAIN_S = 0.002
_ADDRESSES_S = 10.0
# RFC 8305, 8: how long the next address waits for the one before.
_NEXT_ADDRESS_S = 0.25
_ALWAYS = "accept: application/json\r\naccept-encoding: gzip, deflate\r\n"
Addresses: TypeAlias = "list[tuple[int, int, int, str, tuple[Any, ...]]]"
"""Where a name leads, as ``getaddrinfo`` says it."""
Find: TypeAlias = Callable[[str, int], Awaitable[Addresses]]
"""Looks up the addresses of a host and a port; raises OSError where there are none."""


async def looked_up(host: str, port: int) -> Addresses:
    found = await asyncio.get_running_loop().getaddrinfo(
        host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP, flags=socket.AI_ADDRCONFIG
    )
    return list(found)


class Pool:
    """The connections to the origin of a URL, bounded in number. Times are the event loop's."""

    def __init__(
        self, url: URL, connections: int, idle_s: float = _IDLE_S, *, find: Find = looked_up, agent: str = "rhumbline"
    ) -> None:
        """``url`` has a host, and may have a user and a password. Connections unused for ``idle_s`` are closed.

        Sockets are connected to what ``find`` returned for the host, and to nothing else. ``agent`` is who asks.
        """
        self._loop = asyncio.get_running_loop()
        self._idle_s = idle_s
        self._find = find
        self.origin = url.origin()
        self._host, self._port = url.raw_host or "", url.port or 0
        self._tls = _trusting() if url.scheme == "https" else None
        self._always = f" HTTP/1.1\r\nhost: {url.host_port_subcomponent}\r\n{_ALWAYS}user-agent: {agent}\r\n"
        self._user = ""
        if url.raw_user is not None:
            both = b64encode(f"{url.user}:{url.password or ''}".encode()).decode()
            self._user = f"authorization: Basic {both}\r\n"
        self._most = connections
        self._places = connections
        self._all: set[Connection] = set()
        self._idle: list[Connection] = []
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._sweep: asyncio.TimerHandle | None = None
        self._looking: asyncio.TimerHandle | None = None
        self._next_look = math.inf
        self._finding: asyncio.Task[Addresses] | None = None
        self._found_at = 0.0

    async def __aenter__(self) -> "Pool":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        for timer in (self._sweep, self._looking):
            if timer is not None:
                timer.cancel()
        if self._finding is not None:
            self._finding.cancel()
        for connection in list(self._all):
            connection.abort()
        # A closed transport calls ``connection_lost`` in the loop's next turn.
        await asyncio.sleep(0)

    @property
    def in_use(self) -> int:
        """How many connections are in the middle of a call, or are being made."""
        return self._most - self._places - len(self._idle)

    async def ask(
        self,
        method: str,
        target: str,
        headers: Mapping[str, str],
        body: bytes | None,
        accepted: AcceptedAnswer,
        deadline: float,
    ) -> Reply:
        """Ask for a target (path and query, as they leave) and return the answer, at the deadline at the latest.

        What may be asked again (GET) is, once, when a connection ends without a word: upstreams may close idle
        connections at any time. Raise TimeoutError, ConnectionFailed or OSError; ValueError for a header that cannot be
        sent.
        """
        request, may_repeat = self._written(method, target, headers, body), method == "GET"
        connection = self._kept() or await self._next(deadline)
        while True:
            answer = connection.ask(request, accepted, deadline)
            if deadline < self._next_look:
                self._look_at(deadline)
            try:
                return await answer
            except ConnectionFailed as error:
                if not (may_repeat and error.is_mute):
                    raise
                may_repeat = False
            finally:
                if answer.cancelled() or not answer.done():
                    # Nobody waits for it any more, and a late answer must not become the next request's.
                    connection.abort()
                if self._idle and self._waiting:
                    self._wake()
                if self._idle and self._sweep is None:
                    self._sweep = self._loop.call_later(self._idle_s, self._swept)
            connection = await self._next(deadline)

    def _look_at(self, deadline: float) -> None:
        """Look for calls whose time is over at the earliest deadline of all: they share one timer."""
        if self._looking is not None:
            self._looking.cancel()
        self._next_look = deadline
        self._looking = self._loop.call_at(deadline, self._look)

    def _look(self) -> None:
        self._looking, self._next_look = None, math.inf
        # The timer may be a little early, by its own clock's grain.
        now = self._loop.time() + _GRAIN_S
        open_calls = [each for each in self._all if each.is_asked]
        for connection in open_calls:
            if connection.deadline <= now:
                connection.give_up()
        later = [each.deadline for each in open_calls if each.deadline > now]
        if later:
            self._look_at(min(later))

    def _written(self, method: str, target: str, headers: Mapping[str, str], body: bytes | None) -> bytes:
        lines = "".join([f"{name}: {value}\r\n" for name, value in headers.items()])
        if lines.count("\n") != len(headers) or lines.count("\r") != len(headers) or "\0" in lines:
            name = next(name for name, value in headers.items() if {"\0", "\r", "\n"} & {*name, *value})
            raise ValueError(f"the header {name!r} cannot be sent")
        head = f"{method} {target}{self._always}{lines}{self._user}"
        if body is None:
            return f"{head}\r\n".encode()
        return f"{head}content-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n".encode() + body

    def _kept(self) -> Connection | None:
        while self._idle:
            connection = self._idle.pop()
            if connection.is_open:
                return connection
        return None

    async def _next(self, deadline: float) -> Connection:
        async with asyncio.timeout_at(deadline):
            while True:
                connection = self._kept()
                if connection is not None:
                    return connection
                if self._places:
                    return await self._made()
                await self._turn()

    async def _turn(self) -> None:
        waiting = self._loop.create_future()
        self._waiting.append(waiting)
        try:
            await waiting
        except asyncio.CancelledError:
            if waiting.done() and not waiting.cancelled():
                # Ours was the turn, and is the next one's.
                self._wake()
            raise

    def _wake(self) -> None:
        while self._waiting:
            waiting = self._waiting.popleft()
            if not waiting.done():
                waiting.set_result(None)
                return

    async def _made(self) -> Connection:
        self._places -= 1
        made: Connection | None = None
        try:
            made = await self._connected()
        finally:
            if made is not None and made.is_open:
                self._all.add(made)
            else:
                self._places += 1
                self._wake()
        return made

    async def _connected(self) -> Connection:
        sock = await aiohappyeyeballs.start_connection(await self._addresses(), happy_eyeballs_delay=_NEXT_ADDRESS_S)
        begun: Connection | None = None

        def begin() -> Connection:
            nonlocal begun
            begun = Connection(self._idle.append, self._ended)
            return begun

        try:
            _, made = await self._loop.create_connection(
                begin, sock=sock, ssl=self._tls, server_hostname=self._host.rstrip(".") if self._tls else None
            )
        except BaseException:
            if begun is None:
                sock.close()
            else:
                # The socket is the loop's, which closes it: its number must not become another's before that.
                begun.abort()
            raise
        return made

    async def _addresses(self) -> Addresses:
        """Look the host up, once for all who wait for it, and again after ten seconds."""
        if self._finding is None or (self._finding.done() and self._is_outdated(self._finding)):
            self._finding = self._loop.create_task(self._looked_up())
        return await asyncio.shield(self._finding)

    def _is_outdated(self, finding: "asyncio.Task[Addresses]") -> bool:
        return finding.exception() is not None or self._loop.time() > self._found_at + _ADDRESSES_S

    async def _looked_up(self) -> Addresses:
        found = await self._find(self._host, self._port)
        self._found_at = self._loop.time()
        return found

    def _ended(self, connection: Connection) -> None:
        if connection in self._all:
            self._all.discard(connection)
            self._places += 1
            if connection in self._idle:
                self._idle.remove(connection)
            self._wake()

    def _swept(self) -> None:
        before = self._loop.time() - self._idle_s
        for connection in [each for each in self._idle if each.idle_since <= before]:
            self._idle.remove(connection)
            connection.abort()
        self._sweep = self._loop.call_later(self._idle_s, self._swept) if self._idle else None


@cache
def _trusting() -> ssl.SSLContext:
    """Trust whom the machine trusts: read once for all upstreams, it takes time and memory that each pool would add."""
    return ssl.create_default_context()
