"""The operator's own servers: PostgreSQL and Redis on TCP with passwords, from Debian's packages where they are there.

Where they are not, the embedded PostgreSQL and the Valkey that the other tests use stand in, and `kind` says so.
"""

import asyncio
import os
import pwd
import shutil
import socket
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import asyncpg

from rhumbline.gateways.postgres.embedded import embedded_postgres
from rhumbline.gateways.processes.child import Child
from tests.redis_fixture import program

PASSWORD = "the-operators-own"


@dataclass(frozen=True)
class Server:
    """``kind`` is whose programs run; ``address`` what goes into the settings, a secret."""

    kind: str
    address: str


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def debians_postgres() -> Path | None:
    """The programs of the newest PostgreSQL from Debian's packages that the store can work with."""
    found = {int(path.parents[1].name): path.parent for path in Path("/usr/lib/postgresql").glob("[0-9]*/bin/postgres")}
    return found[max(found)] if found and max(found) >= 15 else None


@asynccontextmanager
async def real_postgres() -> AsyncIterator[Server]:
    programs = debians_postgres()
    folder = Path(tempfile.mkdtemp(prefix="rl-pg-"))
    try:
        if programs is None:
            async with embedded_postgres(folder) as dsn:
                yield Server("embedded", dsn)
            return
        # The server refuses to run as root.
        uid = pwd.getpwnam("postgres").pw_uid if os.geteuid() == 0 else os.geteuid()
        data, secret, port = folder / "data", folder / "password", free_port()
        secret.write_text(PASSWORD)
        for path in (folder, secret):
            os.chown(path, uid, -1)
        made = await asyncio.create_subprocess_exec(
            *(programs / "initdb", "-D", data, "-U", "operator", "--auth=scram-sha-256", "--no-sync"),
            *("--pwfile", secret),
            cwd=folder,
            preexec_fn=partial(os.setuid, uid),
            stdout=asyncio.subprocess.DEVNULL,
        )
        assert await made.wait() == 0
        dsn = f"postgresql://operator:{PASSWORD}@127.0.0.1:{port}"

        async def answers() -> bool:
            try:
                connection = await asyncpg.connect(f"{dsn}/postgres")
            except (OSError, asyncpg.PostgresError):
                return False
            await connection.execute("CREATE DATABASE rhumbline")
            await connection.close()
            return True

        running = await Child.start(
            [programs / "postgres", "-D", data, "-h", "127.0.0.1", "-p", str(port), "-k", folder],
            log_path=folder / "log", cwd=folder, user=uid, ready=answers,
        )  # fmt: skip
        try:
            yield Server("Debian's", f"{dsn}/rhumbline")
        finally:
            await running.stop()
    finally:
        shutil.rmtree(folder)


@asynccontextmanager
async def real_redis() -> AsyncIterator[Server]:
    installed = shutil.which("redis-server") or shutil.which("valkey-server")
    port = free_port()
    url = f"redis://:{PASSWORD}@127.0.0.1:{port}/0"

    async def answers() -> bool:
        try:
            return await redis_says(url, "PING") == b"+PONG"
        except OSError:
            return False

    with tempfile.TemporaryDirectory(prefix="rl-redis-") as folder:
        words = ["--port", str(port), "--bind", "127.0.0.1", "--requirepass", PASSWORD, "--save", ""]
        running = await Child.start(
            [installed or program(), *words], log_path=Path(folder, "log"), cwd=Path(folder), ready=answers
        )
        try:
            yield Server("embedded" if installed is None else "Debian's", url)
        finally:
            await running.stop()


async def redis_says(url: str, *words: str) -> bytes:
    """Sign in, send one command, and return the first line of its reply."""
    port = int(url.rpartition(":")[2].partition("/")[0])
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        for command in (("AUTH", PASSWORD), words):
            parts = "".join(f"${len(word)}\r\n{word}\r\n" for word in command)
            writer.write(f"*{len(command)}\r\n{parts}".encode())
            said = await reader.readline()
        return said.rstrip()
    finally:
        writer.close()
