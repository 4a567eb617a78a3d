"""What keeps a service from being served."""

import asyncio
import os
import re
import socket
from pathlib import Path

from rhumbline.app.first_settings import Answers, written
from tests.app.service_process import COMMAND
from tests.app.test_cli import failed, rhumbline


def test_a_taken_port(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        failed(rhumbline(tmp_path, "serve", "--port", port), 1, f"server.port: {port}")
    assert not (tmp_path / ".rhumbline").exists(), "nothing was begun"


def test_plain_http_to_the_world_must_be_asked_for(tmp_path: Path) -> None:
    failed(rhumbline(tmp_path, "serve", "--host", "0.0.0.0", "--port", "0"), 1, "server.host: 0.0.0.0 is reachable")


async def test_serve_says_which_file_it_looked_for(tmp_path: Path, store_dsn: str) -> None:
    """And what it runs with, as when it was started in the wrong folder."""
    said = await until_ready(tmp_path, store_dsn)
    assert f"looked_for={tmp_path}/rhumbline.toml" in said
    assert "rhumbline init writes one; without [[chains]] nothing can be quoted" in said
    assert "store=configured" in said


async def test_serve_says_which_file_it_reads(tmp_path: Path, store_dsn: str) -> None:
    (tmp_path / "rhumbline.toml").write_text(written(Answers()))
    said = await until_ready(tmp_path, store_dsn)
    assert f"file={tmp_path}/rhumbline.toml" in said
    assert "looked_for" not in said
    assert "no_chain_served" in said


async def until_ready(folder: Path, dsn: str) -> str:
    """Start the service in a folder; return what it said until it was ready."""
    variables = {"RHUMBLINE_STORE__DSN": dsn, "RHUMBLINE_SERVER__PORT": "0", "RHUMBLINE_PRICES__SOURCES": "[]"}
    serve = await asyncio.create_subprocess_exec(
        *(COMMAND, "serve"), cwd=folder, env={**os.environ, **variables}, stderr=asyncio.subprocess.PIPE
    )
    assert serve.stderr is not None
    said = ""
    async with asyncio.timeout(120):
        while "ready" not in said and (line := await serve.stderr.readline()):
            said += line.decode()
    serve.terminate()
    await serve.communicate()
    return re.sub(r"\x1b\[[0-9;]*m", "", said)
