"""Hot requests on a connection: in pieces, many at once, among others, and with clients that do not behave."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rhumbline.api.hot.protocol import MOST_AT_ONCE
from rhumbline.api.server import listener as serving
from tests.api.api_service import KEY, UNKNOWN_KEY, USDC, USDT
from tests.api.paired_services import PairedServices, Reply, paired_services, read_replies, request

TOKENS_PATH, PRICES = "/v1/tokens", f"/v1/prices?tokens=1:{USDC},1:{USDT},1:NOPE"


@pytest.fixture
async def both() -> AsyncIterator[PairedServices]:
    async with paired_services() as served:
        yield served


CONVERSATION = (
    request("/v1/chains"),
    request(PRICES, {"x-api-key": KEY}),
    request("/v1/chains", {"x-api-key": UNKNOWN_KEY}, "HEAD").replace(b"HEAD", b"GET"),
    b"\r\n" + request("/v1/token?chain=1&token=USDC"),
    request("/v1/tools?chains=1", {"content-length": "3"}) + b"abc",
    request("/v1/tools?chains=1", {"transfer-encoding": "chunked"}) + b"3\r\nabc\r\n0\r\n\r\n",
    request("/v1/tokens?chains=1,sol", {"accept-encoding": "br"}),
    request("/v1/chains", {"x-api-key": KEY}, "POST"),
    request("/v1/quotes"),
    request("/v1/chains", {"x-request-id": "mine"}),
)


@pytest.fixture(scope="module")
async def warm() -> AsyncIterator[PairedServices]:
    async with paired_services() as served:
        for each in CONVERSATION:
            for _ in range(3):
                await served.tell(each)
        yield served


@settings(max_examples=60, deadline=None)
@given(data=st.data())
async def test_what_arrives_in_pieces_and_at_once_is_answered_in_order(
    warm: PairedServices, data: st.DataObject
) -> None:
    asked = data.draw(st.lists(st.sampled_from(CONVERSATION), min_size=1, max_size=30))
    together = b"".join(asked)
    parts = data.draw(st.lists(st.integers(0, len(together)), max_size=6).map(sorted))
    replies = await warm.tell(together, len(asked), parts)
    assert len(replies) == len(asked)


async def test_one_read_answers_so_many_and_gives_way_to_others(both: PairedServices) -> None:
    await both.tell(request("/v1/chains"))
    await both.tell(request("/v1/chains"))
    reached = both.hot.reached
    for _ in range(3):
        await both.tell(request("/v1/chains") * (MOST_AT_ONCE + 5), MOST_AT_ONCE + 5)
    assert both.hot.reached == reached + 15


async def test_two_requests_in_one_piece_are_two(both: PairedServices) -> None:
    asked = request("/v1/chains") + request("/v1/tools")
    for _ in range(4):
        await both.tell(asked, 2)
        await both.tell(b"\r\n" + asked[:-1], 1, [9])
    assert both.hot.reached == 2


@pytest.mark.parametrize(
    ("data", "replies"),
    [
        (b"GET /v1/chains HTTP/1.0\r\n\r\n", 1),
        (b"GET /v1/chains HTTP/1.0\r\nconnection: keep-alive\r\n\r\n", 1),
        (request("/v1/chains", {"connection": "close"}) + request("/v1/chains"), 2),
        (request("/v1/chains", {"connection": "close, te"}), 1),
        (request("/v1/chains", {"connection": "upgrade", "upgrade": "websocket"}), 1),
        (request("/v1/chains", {"expect": "100-continue"}), 1),
        (request("http://rhumbline.example/v1/chains"), 1),
        (request("/v1/chains#part"), 1),
        (request("/v1/chains?x=%zz&x=\xff"), 1),
        (request("/v1/chains\xff"), 1),
        (request("/v1/chains", {"x-api-key": KEY, "X-Api-Key": UNKNOWN_KEY}), 1),
        (request("/v1/chains", {"if-none-match": "*", "If-None-Match": "x"}), 1),
        (request("/v1/chains", {"accept-encoding": "gzip", "Accept-Encoding": "br"}), 1),
        (request("/v1/chains", {"x-forwarded-for": "203.0.113.1", "x-forwarded-proto": "https"}), 1),
        (request("/v1/chains") + b"rubbish\r\n\r\n", 2),
        (request("/v1/chains") + request("/v1/chains?" + "x" * 17_000), 2),
        (request("/v1/chains", {"a": "x" * 33_000}), 1),
        (b"\r\n\r\n" + request("/v1/chains") + b"\r\n", 1),
        (request("/v1/chains").replace(b"GET", b"get"), 1),
        (b"GET /v1/chains HTTP/1.1\r\n\r\n", 1),
    ],
)
async def test_what_is_unusual(warm: PairedServices, data: bytes, replies: int) -> None:
    for _ in range(2):
        found = await without_time(warm, data, replies)
        assert found


async def without_time(both: PairedServices, data: bytes, replies: int) -> list[Reply]:
    """Tell both; refusals of the protocol are dated by the true clock, and differ in that."""
    hot, plain = await both.hot.tell(data, replies), await both.plain.tell(data, replies)
    for one, other in zip(hot, plain, strict=True):
        if one.status in (400, 414, 431):
            assert (one.status, [name for name, _ in one.fields]) == (other.status, [name for name, _ in other.fields])
        else:
            assert replace(one, name="") == replace(other, name="")
    return hot


async def test_a_client_that_does_not_read_gets_everything_in_the_end(both: PairedServices) -> None:
    asked = request(TOKENS_PATH, {"accept-encoding": "identity"})
    (whole,) = await both.tell(asked)
    await both.tell(asked)
    assert len(whole.body) > 500_000
    reader, writer = await asyncio.open_connection("127.0.0.1", both.hot.port, limit=4096)
    reached = both.hot.reached
    for _ in range(40):
        writer.write(asked)
        await asyncio.sleep(0.001)
    writer.write(request("/v1/tools"))
    await asyncio.sleep(0.1)
    async with asyncio.timeout(20):
        replies = await read_replies(reader, 41)
    writer.close()
    assert [reply.body == whole.body for reply in replies] == [True] * 40 + [False]
    assert [reply.status for reply in replies] == [200] * 41
    # While it did not read, its requests had to wait as usual: nothing piles up in this process.
    assert both.hot.reached > reached + 1


async def test_a_client_that_goes_away_while_it_is_sent_a_body(both: PairedServices) -> None:
    asked = request(TOKENS_PATH)
    for _ in range(2):
        (whole,) = await both.tell(asked)
    for _ in range(5):
        _, writer = await asyncio.open_connection("127.0.0.1", both.hot.port)
        writer.write(asked * 3)
        await asyncio.sleep(0.005)
        writer.transport.abort()
    (reply,) = await both.hot.tell(asked, 1)
    assert (reply.status, reply.body) == (200, whole.body)


async def test_a_quiet_connection_is_closed_after_hot_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "_KEEP_ALIVE_S", 0.3)
    async with paired_services() as both:
        await both.hot.tell(request("/v1/chains"), 1)
        reader, writer = await asyncio.open_connection("127.0.0.1", both.hot.port)
        for _ in range(3):
            writer.write(request("/v1/chains"))
            await read_replies(reader, 1)
            await asyncio.sleep(0.05)
        assert await asyncio.wait_for(reader.read(), 60) == b""
        writer.close()
        assert both.hot.reached == 1


async def test_the_end_of_the_service_ends_connections_that_only_had_hot_answers() -> None:
    async with paired_services() as both:
        await both.hot.tell(request("/v1/chains"), 1)
        reader, writer = await asyncio.open_connection("127.0.0.1", both.hot.port)
        writer.write(request("/v1/chains"))
        await read_replies(reader, 1)
    assert await asyncio.wait_for(reader.read(), 60) == b""
    writer.close()
