"""Our own PostgreSQL server, if no DSN is configured: a child process on a Unix socket, without TCP.

The first process that opens a data folder owns the server: it runs while its owner does. Others that open the same
folder meanwhile use the owner's server, at the same DSN. When the owner leaves, or dies, one of them starts the server
again; so does the owner when the server itself dies. Connections break then, the DSN stays. Committed data survives
all of it: `fsync` is on, unless the caller can do without.
"""

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import MappingProxyType
from urllib.parse import quote

import asyncpg
import structlog

from rhumbline.gateways.postgres import cluster as files
from rhumbline.gateways.postgres.cluster import PORT, Cluster
from rhumbline.gateways.postgres.failures import DATABASE_ERRORS, StoreError
from rhumbline.gateways.postgres.installation import NEWEST, Installation, installation, packages
from rhumbline.gateways.processes.child import Child, ChildError

NAME = "rhumbline"
# A path that leads into the working directory even where the folders above it are closed to the server's user: the
# working directory is opened by us and inherited. https://man7.org/linux/man-pages/man5/proc_pid_cwd.5.html, 2026-11.
_HERE = "/proc/self/cwd"
_ENVIRONMENT = MappingProxyType({"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC"})
# Set at every start rather than once in postgresql.conf, so that a new version of ours brings its own.
_OPTIONS = (
    "listen_addresses=",
    "unix_socket_permissions=0700",
    "wal_level=minimal",
    "max_wal_senders=0",
    "jit=off",
    "timezone=UTC",
    "log_timezone=UTC",
    "log_checkpoints=off",
    "cluster_name=rhumbline",
)
_DURABILITY = ("fsync", "full_page_writes", "synchronous_commit")
_INITDB_OPTIONS = ("--locale=C", "--encoding=UTF8", "--auth=trust")
_STOP_S = 10.0
_LOOK_AGAIN_S = 0.2
_LONGEST_PAUSE_S = 5.0
_CONNECT_S = 5.0
Ready = Callable[[], Awaitable[bool]]


@asynccontextmanager
async def embedded_postgres(data_dir: Path, patience_s: float = 60.0, *, durable: bool = True) -> AsyncIterator[str]:
    """Have a server on the cluster in `data_dir`, made if need be, and yield the DSN of its database.

    Close all connections before leaving. A server that starts or stops is waited for `patience_s` seconds. What is not
    ``durable`` may be lost with the machine: nothing waits for its disk. Raises StoreError; nothing of ours is left
    running then.
    """
    server = _Server(files.open_cluster(data_dir), packages(), patience_s, durable)
    try:
        await server.open()
        keeping = asyncio.create_task(server.keep())
        try:
            yield server.dsn
        finally:
            keeping.cancel()
            with suppress(asyncio.CancelledError):
                await keeping
    finally:
        await server.close()


@dataclass(slots=True)
class _Server:
    """The server as this process sees it; `lock` is set while this process owns it or is about to."""

    cluster: Cluster
    binaries: Path
    patience_s: float
    durable: bool
    socket: Path | None = None
    lock: int | None = None
    child: Child | None = field(default=None, repr=False)

    @property
    def dsn(self) -> str:
        """The address of our database; it needs no password: only the server's user and root can enter the folder."""
        return f"postgresql://{NAME}@/{NAME}?host={quote(str(self.socket), safe='/')}&port={PORT}"

    async def open(self) -> None:
        """Start the server, or wait until the one of another process answers."""
        until = time.monotonic() + self.patience_s
        while True:
            if self._take_lock():
                self.socket = None
                await self._start()
                return
            self.socket = files.noted_socket(self.cluster)
            if self.socket is not None and await self._answers(NAME):
                return
            if time.monotonic() > until:
                raise StoreError(
                    f"store.data_dir: {self.cluster.home} is in use by a process whose server does not answer "
                    "(in another container, perhaps); end that process, or choose another folder"
                )
            await asyncio.sleep(_LOOK_AGAIN_S / 4)

    async def keep(self) -> None:
        """For ever: start the server again when it has died, ours or that of an owner who is gone."""
        log = structlog.get_logger(__name__)
        pause = _LOOK_AGAIN_S
        while True:
            await asyncio.sleep(pause)
            if self.child is not None and self.child.alive:
                continue
            try:
                if not self._take_lock():
                    continue
                if self.child is not None:
                    log.error("store_server_died", status=self.child.exit_status, output=self.child.log_tail())
                await self._start()
            except Exception as error:
                # Whatever it was: to give up here would leave the store dead for good.
                pause = min(pause * 2, _LONGEST_PAUSE_S)
                log.error("store_server_not_started", reason=str(error), next_try_s=pause)
            else:
                pause = _LOOK_AGAIN_S
                log.info("store_server_started", data_dir=str(self.cluster.home))

    async def close(self) -> None:
        try:
            if self.child is not None:
                await self.child.stop(_STOP_S)
                self.child = None
        finally:
            if self.lock is not None:
                if self.socket is not None:
                    files.remove_socket(self.socket)
                os.close(self.lock)
                self.lock = None

    def _take_lock(self) -> bool:
        if self.lock is None:
            self.lock = files.take_lock(self.cluster)
        return self.lock is not None

    async def _start(self) -> None:
        """With the lock: wait for what is left of the last server, then start ours and make our database."""
        if self.child is not None:
            await self.child.stop(0.0)
            self.child = None
        await self._wait_for_the_last_one()
        socket = files.prepare_socket(self.cluster, self.socket)
        self.socket = socket
        files.remove_leftovers(self.cluster, socket)
        if not self.cluster.data.exists():
            await self._initialise()
        programs = self._programs(files.version(self.cluster))
        # A small store has no use for the worker processes of asynchronous reads, which version 18 brought.
        newer = ("io_method=sync",) if programs.version >= 18 else ()
        durability = [f"{name}={'on' if self.durable else 'off'}" for name in _DURABILITY]
        options = [word for option in (*_OPTIONS, *durability, *newer) for word in ("-c", option)]
        argv = [programs.postgres, "-D", _HERE, "-p", str(PORT), "-k", socket, *options]
        self.child = await self._run(argv, self.cluster.data, partial(self._answers, "postgres"))
        await self._make_database()

    async def _wait_for_the_last_one(self) -> None:
        """Let a killed owner's server end, which takes a moment; two on one cluster would destroy it."""
        until = time.monotonic() + self.patience_s
        while processes := files.server_processes(self.cluster):
            if time.monotonic() > until:
                raise StoreError(
                    f"store.data_dir: a PostgreSQL server that is not ours (process {processes[0]}) works on "
                    f"{self.cluster.data}; stop it, or choose another folder"
                )
            await asyncio.sleep(_LOOK_AGAIN_S / 10)

    async def _initialise(self) -> None:
        """Make the cluster, whole or not at all. Only its owner can reach the socket, so nobody needs a password."""
        if not files.has_name(self.cluster.uid):
            raise StoreError(
                f"store: the user {self.cluster.uid} has no name, which PostgreSQL needs to make its files; "
                "add it to /etc/passwd, or set store.dsn"
            )
        folder = files.new_data(self.cluster)
        initdb = self._programs(NEWEST).initdb
        hasty = () if self.durable else ("--no-sync",)
        maker = await self._run([initdb, "-D", _HERE, "-U", NAME, *_INITDB_OPTIONS, *hasty], folder)
        try:
            status = await _ended(maker)
        finally:
            await maker.stop(0.0)
        if status != 0:
            raise StoreError(f"store.data_dir: no cluster could be made: {maker.log_tail()}")
        files.keep_new(self.cluster, folder)

    async def _run(self, argv: Sequence[str | Path], folder: Path, ready: Ready | None = None) -> Child:
        files.prepare_log(self.cluster)
        try:
            return await Child.start(
                argv,
                cwd=folder,
                env=_ENVIRONMENT,
                log_path=self.cluster.log,
                user=self.cluster.uid,
                ready=ready,
                deadline_s=self.patience_s,
                # A fast shutdown: connections are closed, the last checkpoint is written.
                stop_signal=signal.SIGINT,
                orphan_grace_s=_STOP_S,
            )
        except ChildError as error:
            raise StoreError(f"store.data_dir: the embedded PostgreSQL does not start: {error}") from error

    async def _answers(self, database: str) -> bool:
        try:
            connection = await self._connect(database)
        except DATABASE_ERRORS:
            return False
        await connection.close()
        return True

    async def _make_database(self) -> None:
        try:
            connection = await self._connect("postgres")
            try:
                if not await connection.fetchval("SELECT 1 FROM pg_database WHERE datname = $1", NAME):
                    await connection.execute(f"CREATE DATABASE {NAME}")
            finally:
                await connection.close()
        except DATABASE_ERRORS as error:
            raise StoreError(f"store.data_dir: the embedded PostgreSQL does not serve: {error}") from error

    async def _connect(self, database: str) -> "asyncpg.Connection[asyncpg.Record]":
        return await asyncpg.connect(host=str(self.socket), port=PORT, user=NAME, database=database, timeout=_CONNECT_S)

    def _programs(self, version: int) -> Installation:
        return installation(version, self.cluster.uid, self.binaries)


async def _ended(child: Child) -> int | None:
    while True:
        if not child.alive:
            return child.exit_status
        await asyncio.sleep(_LOOK_AGAIN_S / 10)
