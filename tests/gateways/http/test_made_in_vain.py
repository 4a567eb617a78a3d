"""A connection that nobody wants any more when it is made: its socket is closed once, by whom it belongs to."""

import asyncio
import ssl
from pathlib import Path

import pytest
from yarl import URL

from rhumbline.gateways.http import pool as http_pool
from rhumbline.gateways.http.connection import Connection
from rhumbline.gateways.http.pool import Pool
from rhumbline.gateways.upstreams.upstream import Upstream, UpstreamSilent
from tests.gateways.http.rogue import rogue, says, whole
from tests.gateways.http.test_tls import HERE, papers


@pytest.mark.parametrize("moment", ["__init__", "connection_made"])
@pytest.mark.parametrize("tls", [False, True], ids=["plain", "tls"])
async def test_who_is_given_up_at_that_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: str, tls: bool
) -> None:
    """TLS takes its leave, which takes a while: a socket closed meanwhile leaves its number to the next connection."""
    own = papers(tmp_path, HERE, 2) if tls else None
    original = getattr(Connection, moment)

    def given_up(connection: Connection, *values: object) -> None:
        original(connection, *values)
        call.cancel()

    async with (
        rogue(says(whole(b"1")), own.context() if own else None) as server,
        Pool(URL(server.url), 3) as pool,
        asyncio.timeout(60),
    ):
        if own:
            monkeypatch.setattr(pool, "_tls", ssl.create_default_context(cafile=own.certificate))
        http = Upstream("EXAMPLE", server.url, pool, timeout_s=20)
        for _ in range(3):
            with monkeypatch.context() as patch:
                patch.setattr(Connection, moment, given_up)
                call = asyncio.create_task(http.get("/x"))
                with pytest.raises(asyncio.CancelledError):
                    await call
            assert await asyncio.gather(*(http.get("/x") for _ in range(3))) == [1, 1, 1]
            assert pool.in_use == 0
            for connection in list(pool._all):
                connection.abort()
            await server.is_left_alone()


async def test_a_socket_that_nobody_took_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> Connection:
        raise OSError("no memory")

    async with rogue(says(whole(b"1"))) as server, Pool(URL(server.url), 1) as pool, asyncio.timeout(60):
        monkeypatch.setattr(http_pool, "Connection", fails)
        with pytest.raises(UpstreamSilent, match="cannot be reached"):
            await Upstream("EXAMPLE", server.url, pool).get("/x")
        assert pool.in_use == 0
        await server.is_left_alone()
