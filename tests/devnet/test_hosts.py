"""Hosts of the sandbox and of tests end without leaving anything to the garbage collector."""

import asyncio
import gc
import socket
import warnings

import pytest

from tests.loopback import talking


@pytest.mark.parametrize("turns", range(5))
async def test_who_comes_as_a_host_closes_is_left_by_it(turns: int) -> None:
    """Accepting takes a few turns of the event loop; the host may close at any of them."""

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.close()

    with warnings.catch_warnings(record=True) as told, socket.socket() as client:
        warnings.simplefilter("always")
        async with talking(talk) as port:
            client.connect(("127.0.0.1", port))
            for _ in range(turns):
                await asyncio.sleep(0)
        await asyncio.sleep(0.01)
        gc.collect()
    assert [str(each.message) for each in told] == []
