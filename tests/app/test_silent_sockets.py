"""Strangers who hold connections open do not keep others out, however few files the process may open."""

import asyncio
from pathlib import Path

import aiohttp

from tests.app.service_process import serving

ASKED = b"GET /health HTTP/1.1\r\nhost: x\r\n\r\n"
SILENT = 400
OPEN_FILES = 200


async def silent(port: int, byte: bytes) -> tuple[bool, asyncio.StreamWriter]:
    """Ask once, send one byte that begins no request, and keep still; tell whether it was answered."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(ASKED)
        head = await reader.readuntil(b"\r\n\r\n")
        writer.write(byte)
        await writer.drain()
    except (ConnectionError, asyncio.IncompleteReadError):
        return False, writer
    return head.startswith(b"HTTP/1.1 200"), writer


async def test_silent_sockets_shut_nobody_out(tmp_path: Path, store_dsn: str) -> None:
    async with serving(tmp_path, store_dsn, open_files=OPEN_FILES) as process:
        held = [await silent(process.port, (b"\r", b"\r\n")[number % 2]) for number in range(SILENT)]
        assert sum(answered for answered, _ in held) == SILENT, "each was served when it came"
        for path, status in (("/v1/chains", 200), ("/health/ready", 200), ("/v1/transactions", 401)):
            async with (
                aiohttp.ClientSession() as session,
                session.get(f"http://127.0.0.1:{process.port}{path}") as answer,
            ):
                assert answer.status == status, await answer.text()
        for _, writer in held:
            writer.close()
    assert "Too many open files" not in process.log


async def outcome(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
    """Finish a request; return the status that it gets, nothing when its connection was not kept."""
    try:
        if writer.is_closing():
            return b""
        writer.write(b"host: x\r\n\r\n")
        return (await asyncio.wait_for(reader.readline(), 60))[9:12]
    except ConnectionError:
        return b""
    finally:
        writer.close()


async def test_requests_that_never_end_leave_files_for_the_rest(tmp_path: Path, store_dsn: str) -> None:
    """Such connections are in use; those beyond the bound are refused, and a client that is served goes on being so."""
    begin = b"GET /health HTTP/1.1\r\n"
    async with serving(tmp_path, store_dsn, open_files=OPEN_FILES, server="connections_per_address = 20") as process:
        mine = await asyncio.open_connection("127.0.0.1", process.port)
        mine[1].write(begin)
        # Whoever is answered after that finds it read.
        answered, asked = await silent(process.port, b"")
        assert answered
        asked.close()
        begun = []
        for _ in range(100):
            begun.append(await asyncio.open_connection("127.0.0.1", process.port))
            begun[-1][1].write(begin)
        statuses = [await outcome(*each) for each in begun]
        assert 0 < statuses.count(b"200") < 20
        assert set(statuses) <= {b"200", b"503", b""}
        assert await outcome(*mine) == b"200"
