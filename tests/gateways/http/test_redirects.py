"""Redirects are followed on the same origin, and what is sent is never sent again."""

import asyncio
import socket
from typing import Any

import pytest
from yarl import URL

from rhumbline.gateways.http.pool import Pool
from rhumbline.gateways.upstreams.upstream import Upstream, UpstreamGarbled, UpstreamRefused, open_upstream
from tests.gateways.http.rogue import Act, Rogue, rogue, says, whole


def redirect(location: str, status: int = 302) -> Act:
    return says(
        b"HTTP/1.1 %d Found\r\nlocation: %s\r\ncontent-length: 0\r\n\r\n" % (status, location.encode("latin-1"))
    )


async def test_redirects_in_a_circle() -> None:
    async with rogue(redirect("/s3cret/again")) as server, open_upstream("ROGUE", f"{server.url}/s3cret") as http:
        async with asyncio.timeout(20):
            with pytest.raises(UpstreamGarbled, match="redirects more than 3 times"):
                await http.get("/quote")
    assert len(server.asked) == 4


@pytest.mark.parametrize(
    "location",
    ["http://127.0.0.1:1/", "//127.0.0.2/", "https://127.0.0.1/", "http://user@evil.example/", "file:///etc/passwd",
     "", "http://[", "http://127.0.0.1:99999/", "javascript:0", "http://127.0.0.1[\xbc]@"],
)  # fmt: skip
async def test_redirects_elsewhere(location: str) -> None:
    async with rogue(redirect(location)) as server, open_upstream("ROGUE", server.url) as http:
        with pytest.raises(UpstreamGarbled, match="redirects to another host"):
            await http.get("/quote")
    assert len(server.asked) == 1


class Diverted(Pool):
    """Leads to a server of the test, whatever the name and the port."""

    def __init__(self, url: str, server: Rogue) -> None:
        super().__init__(URL(url), 1)
        self._server = URL(server.url)

    async def _addresses(self) -> list[tuple[int, int, int, str, tuple[Any, ...]]]:
        return [(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP, "", ("127.0.0.1", self._server.port))]


@pytest.mark.parametrize("location", ["http://upstream.example:80/there", "HTTP://Upstream.Example:/there", "/there"])
async def test_a_redirect_may_name_the_port_that_goes_without_saying(location: str) -> None:
    async def act(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await (redirect(location) if len(server.asked) == 1 else says(whole(b"1")))(reader, writer)

    async with rogue(act) as server, Diverted("http://upstream.example", server) as pool:
        assert await Upstream("ROGUE", "http://upstream.example", pool).get("/quote") == 1
    assert server.asked == ["GET /quote HTTP/1.1", "GET /there HTTP/1.1"]


async def test_what_is_sent_is_never_sent_again_elsewhere() -> None:
    async with rogue(redirect("/other", 307)) as server, open_upstream("ROGUE", server.url) as http:
        with pytest.raises(UpstreamRefused) as caught:
            await http.post("/build", {"a": 1})
    assert caught.value.status == 307
    assert len(server.asked) == 1
