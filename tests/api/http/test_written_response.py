"""Large bodies that go from a file to the socket."""

import asyncio
import os
import socket
from collections.abc import AsyncIterator
from typing import cast

import pytest

from rhumbline.api.http.written_response import SMALLEST_FILE, DirectSocket, body_file


@pytest.fixture
async def line() -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter, socket.socket]]:
    """A connection: its reader and writer, and the other end as it is."""
    ours, theirs = socket.socketpair()
    reader, writer = await asyncio.open_connection(sock=ours)
    theirs.setblocking(False)
    yield reader, writer, theirs
    writer.close()
    theirs.close()


@pytest.mark.parametrize("waiting", [0, 100, 3_000_000])
@pytest.mark.parametrize("size", [SMALLEST_FILE, 1_000_000, 5_000_000])
async def test_a_file_follows_what_was_written_before(
    line: tuple[asyncio.StreamReader, asyncio.StreamWriter, socket.socket], size: int, waiting: int
) -> None:
    _, writer, theirs = line
    before, body = os.urandom(waiting), os.urandom(size)
    file = body_file(body)
    assert file is not None
    transport = cast(asyncio.Transport, writer.transport)
    direct = DirectSocket(transport)
    transport.write(before)
    # Now the socket has room, while the transport still has what comes first.
    found = bytearray(theirs.recv(100_000)) if waiting else bytearray()
    direct.send(b"head", file)
    direct.send(b"again", file)
    transport.write(b"end")
    expected = before + b"head" + body + b"again" + body + b"end"
    loop = asyncio.get_running_loop()
    async with asyncio.timeout(20):
        while len(found) < len(expected):
            found += await loop.sock_recv(theirs, 1 << 20)
    direct.close()
    assert bytes(found) == expected


async def test_a_file_for_one_that_has_gone_breaks_nothing(
    line: tuple[asyncio.StreamReader, asyncio.StreamWriter, socket.socket],
) -> None:
    reader, writer, theirs = line
    file = body_file(os.urandom(1_000_000))
    assert file is not None
    transport = cast(asyncio.Transport, writer.transport)
    direct = DirectSocket(transport)
    theirs.close()
    for _ in range(3):
        direct.send(b"head", file)
    direct.close()
    with pytest.raises(ConnectionError):
        await reader.read()


def test_small_bodies_need_no_file_and_a_file_is_closed_with_its_last_user() -> None:
    assert body_file(b"x" * (SMALLEST_FILE - 1)) is None
    file = body_file(b"x" * SMALLEST_FILE)
    assert file is not None
    descriptor = file.fd
    os.fstat(descriptor)
    del file
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(descriptor)
