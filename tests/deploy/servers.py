"""What a deployment consists of, as processes that are killed and started again."""

import asyncio
import os
import pwd
import shutil
import signal
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import aiohttp
import asyncpg

from bench.tools import Tool, ToolMissing, tool
from rhumbline.gateways.postgres.installation import NEWEST, installation, packages
from rhumbline.gateways.processes.child import Child
from tests.e2e.real_servers import debians_postgres, free_port
from tests.patience import PATIENCE_S, until
from tests.redis_fixture import program

Ready = Callable[[], Awaitable[bool]]


@dataclass
class Part:
    """A process of a deployment. It starts where and with what it has at first, as often as it is killed."""

    name: str
    words: Sequence[str | Path]
    folder: Path
    ready: Ready
    env: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    user: int | None = None
    cwd: Path | None = None
    """Where it runs, if not in the folder of its log."""
    ends_by: signal.Signals = signal.SIGTERM
    starts: int = 0
    child: Child | None = None

    @property
    def log(self) -> str:
        """Of the last start."""
        return (self.folder / f"{self.name}.{self.starts}.log").read_text("utf-8", "replace")

    async def start(self) -> None:
        self.starts += 1
        log = self.folder / f"{self.name}.{self.starts}.log"
        self.child = await Child.start(
            self.words, log_path=log, cwd=self.cwd or self.folder, env=self.env, user=self.user, ready=self.ready,
            deadline_s=PATIENCE_S,
        )  # fmt: skip

    async def kill(self) -> None:
        """As the kernel kills; what it has started ends with it."""
        assert self.child is not None, self.name
        os.kill(self.child.pid, signal.SIGKILL)
        await until(self._ended)

    async def stop(self) -> int:
        """As an operator ends it; return its exit status."""
        assert self.child is not None, self.name
        if self.child.alive:
            os.kill(self.child.pid, self.ends_by)
        await until(self._ended)
        await self.child.stop()
        return self.child.exit_status or 0

    async def _ended(self) -> bool:
        return self.child is None or not self.child.alive

    async def end(self) -> None:
        """Whatever it does."""
        if self.child is not None:
            await self.child.stop()


async def status(url: str) -> int:
    """Of a GET; 0 where nobody answers."""
    try:
        async with aiohttp.ClientSession() as session, session.get(url) as response:
            return response.status
    except (OSError, aiohttp.ClientError):
        return 0


def answers(url: str) -> Ready:
    async def ready() -> bool:
        return await status(url) == 200

    return ready


@asynccontextmanager
async def postgres(password: str, owner: str = "rhumbline") -> AsyncIterator[tuple[Part, str]]:
    """A cluster of Debian's PostgreSQL, or of the embedded one where it is not there, and the DSN of its owner.

    Over TCP it asks for the password, on the socket in its folder for none.
    """
    debians = debians_postgres()
    # The server refuses to run as root, and its folder has to be reached by its user.
    uid = pwd.getpwnam("postgres" if debians else "nobody").pw_uid if os.geteuid() == 0 else os.geteuid()
    folder = Path(tempfile.mkdtemp(prefix="rl-pg-"))
    if debians is None:
        own = installation(NEWEST, uid, packages())
        initdb, server = own.initdb, own.postgres
    else:
        initdb, server = debians / "initdb", debians / "postgres"
    data, secret, port = folder / "data", folder / "password", free_port()
    secret.write_text(password, "utf-8")
    for path in (folder, secret):
        os.chown(path, uid, -1)
    words: list[str | Path] = [initdb, "-D", data, "-U", owner, "--auth=scram-sha-256", "--auth-local=trust"]
    words += ["--no-sync", f"--pwfile={secret}"]
    quiet = asyncio.subprocess.DEVNULL
    made = await asyncio.create_subprocess_exec(*words, cwd=folder, preexec_fn=partial(os.setuid, uid), stdout=quiet)
    assert await made.wait() == 0
    dsn = f"postgresql://{owner}:{password}@127.0.0.1:{port}/{owner}"

    async def ready() -> bool:
        try:
            connection = await asyncpg.connect(f"{dsn.removesuffix(owner)}postgres")
            if not await connection.fetchval("SELECT 1 FROM pg_database WHERE datname = $1", owner):
                await connection.execute(f"CREATE DATABASE {owner}")
            await connection.close()
        except (OSError, asyncpg.CannotConnectNowError):
            return False
        return True

    words = [server, "-D", data, "-h", "127.0.0.1", "-p", str(port), "-k", folder, "-c", "fsync=off"]
    # As Debian stops it: it ends sessions, instead of waiting for them.
    part = Part("postgres", words, folder, ready, user=uid, ends_by=signal.SIGINT)
    try:
        yield part, dsn
    finally:
        await part.end()
        shutil.rmtree(folder)


async def debians_valkey() -> Tool:
    """Debian's Valkey, or Redis where it has none (Debian 12): the machine's own, or out of the packages."""
    try:
        return await tool("valkey-server")
    except ToolMissing:
        return await tool("redis-server")


def valkey(folder: Path, words: Sequence[str], port: int, password: str = "", server: Tool | None = None) -> Part:
    """With the words of compose.yaml, or as Debian's package starts it, on a port of its own; the tests' by default."""

    async def ready() -> bool:
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            return False
        for command in (*([f"AUTH {password}"] if password else []), "PING"):
            writer.write(f"{command}\r\n".encode())
            said = await reader.readline()
        writer.close()
        return said == b"+PONG\r\n"

    name, *options = words
    assert name == "valkey-server"
    server = server or Tool(program(), dict(os.environ))
    run: list[str | Path] = [server.program, *options, "--port", str(port), "--bind", "127.0.0.1"]
    return Part("valkey", run, folder, ready, server.env)
