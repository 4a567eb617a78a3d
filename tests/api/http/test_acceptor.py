"""Connections beyond the bound are answered before anything is read."""

import asyncio

from rhumbline.api.http.connections import Bounds, Places
from rhumbline.api.server.application import create_app
from rhumbline.api.server.listener import reserve, serve
from tests.api.api_service import ApiService, services
from tests.api.http.test_connections import idle
from tests.api.paired_services import read_replies, request


async def test_those_beyond_the_bound_are_answered_and_places_come_back() -> None:
    listener, told = reserve("127.0.0.1", 0), list[Places]()
    port = listener.getsockname()[1]
    app = create_app(services(ApiService(), {}))
    running = asyncio.create_task(serve(app, listener, bounds=Bounds(99, 2), opened=told.append, grace_s=1))
    begun = []
    for _ in range(2):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(request("/v1/tools")[:-2])
        begun.append((reader, writer))
    # What was sent has to be read before these count as in use.
    for _ in range(3000):
        if told and told[0].open == 2 and not any(idle(place) for place in told[0].all()):
            break
        await asyncio.sleep(0.01)
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    refusal = await asyncio.wait_for(reader.read(), 60)
    assert refusal.startswith(b"HTTP/1.1 503 ")
    assert b"\r\nretry-after: " in refusal
    writer.close()
    begun[0][1].write(b"\r\n")
    assert [reply.status for reply in await read_replies(begun[0][0], 1)] == [200]
    # The first is idle now, and makes place.
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(request("/v1/tools"))
    assert [reply.status for reply in await read_replies(reader, 1)] == [200]
    assert (told[0].open, told[0].closed_idle, dict(told[0].refused)) == (2, 1, {"all": 0, "address": 1})
    writer.close()
    begun[0][1].close()
    begun[1][1].close()
    for _ in range(3000):
        if told[0].open == 0:
            break
        await asyncio.sleep(0.01)
    assert told[0].open == 0
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
