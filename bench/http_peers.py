"""The servers that ours is compared with: fastify from npm, fetched once, and nginx with static files."""

import asyncio
import os
import shutil
import socket
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

from bench.http_load import Server, pinned
from bench.tools import CACHE, tool
from rhumbline.gateways.processes.child import Child

FASTIFY = "fastify@5.12.8"
_NGINX = """
daemon off; worker_processes 1; pid {folder}/nginx.pid; error_log {folder}/nginx.log;
events {{ worker_connections 1024; }}
http {{
  access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000000; etag on; gzip off; gzip_static on;
  default_type application/json; open_file_cache max=100; large_client_header_buffers 8 32k;
  client_body_temp_path {folder}/t1; proxy_temp_path {folder}/t2; fastcgi_temp_path {folder}/t3;
  uwsgi_temp_path {folder}/t4; scgi_temp_path {folder}/t5;
  server {{ listen 127.0.0.1:{port}; root {folder}/static; }}
}}
"""


@asynccontextmanager
async def server_with_port(
    name: str, argv: list[str | os.PathLike[str]], log: Path, env: Mapping[str, str] | None = None, core: int = 0
) -> AsyncIterator[Server]:
    """Run a server on the servers' core, or another; it prints ``port <number>`` when it answers."""

    async def has_printed() -> bool:
        return _printed_port(log) is not None

    child = await Child.start(pinned(core, *argv), log_path=log, env=env, ready=has_printed, deadline_s=60)
    try:
        yield Server(name, f"http://127.0.0.1:{_printed_port(log)}", child.pid)
    finally:
        await child.stop()


@asynccontextmanager
async def fastify(folder: Path) -> AsyncIterator[Server]:
    """Run fastify over the files in a folder."""
    modules = await _fetched_fastify()
    script = Path(__file__).with_name("http_fastify.cjs")
    env = {**os.environ, "NODE_ENV": "production"}
    async with server_with_port("fastify", ["node", script, modules, folder], folder / "fastify.log", env) as server:
        yield server


@asynccontextmanager
async def nginx(folder: Path) -> AsyncIterator[Server]:
    """Run nginx over the files in ``static`` below a folder."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    config = folder / "nginx.conf"
    text = _NGINX.format(folder=folder, port=port)
    # As root it would give its worker to a user that may not read the folder.
    config.write_text(f"user root;{text}" if os.geteuid() == 0 else text)
    program = await tool("nginx")

    async def answers() -> bool:
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            return False
        writer.close()
        await writer.wait_closed()
        return True

    argv = pinned(0, program.program, "-c", config, "-p", folder, "-e", folder / "nginx.log")
    child = await Child.start(argv, log_path=folder / "nginx.out", env=program.env, ready=answers)
    try:
        yield Server("nginx", f"http://127.0.0.1:{port}", child.pid)
    finally:
        await child.stop()


def _printed_port(log: Path) -> int | None:
    for line in log.read_text().splitlines():
        if line.startswith("port "):
            return int(line.removeprefix("port "))
    return None


async def _fetched_fastify() -> Path:
    """Fetch the package unless it is there; install scripts do not run."""
    place = CACHE / FASTIFY
    if (place / "node_modules" / "fastify").is_dir():
        return place
    fresh = place.with_name(f"{place.name}.{os.getpid()}")
    fresh.mkdir(parents=True)
    npm = await asyncio.create_subprocess_exec(
        "npm", "install", "--silent", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", fresh, FASTIFY
    )
    if await npm.wait() != 0:
        shutil.rmtree(fresh)
        raise SystemExit(f"npm cannot fetch {FASTIFY}; it needs the network once")
    fresh.rename(place)
    return place
