"""What leaves for an upstream, to the byte, and when a connection is used again."""

import asyncio
import base64
import gc
from dataclasses import replace
from operator import attrgetter

import pytest
from yarl import URL

from rhumbline.gateways.http.connection import Connection
from rhumbline.gateways.http.pool import Pool
from rhumbline.gateways.upstreams.upstream import Upstream, UpstreamSilent, open_upstream
from tests.gateways.http.rogue import Act, asked, rogue, says, whole
from tests.loopback import talking


async def heard(url_of: str, **headers: str) -> tuple[str, list[str], str]:
    """The first line, the headers in order, and the body of one call, as they arrive."""
    found: asyncio.Future[tuple[str, list[str], str]] = asyncio.get_running_loop().create_future()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")[:-2]
        length = next((int(line.split(": ")[1]) for line in lines if line.startswith("content-length")), 0)
        found.set_result((first, lines, (await reader.readexactly(length)).decode()))
        writer.write(whole(b"1"))
        writer.close()

    async with (
        talking(serve) as port,
        open_upstream("UPSTREAM", url_of.format(port=port), headers=headers, query={"k": "a b&c"}) as http,
    ):
        if "post" in url_of:
            await http.post("/x", {"a": [1, "é"]}, [("b", "1"), ("b", "2")])
        else:
            await http.get("/x", {"b": "ü/?#"})
        first, lines, body = await found
        return first, [line.replace(str(port), "PORT") for line in lines], body


ALWAYS = ["accept: application/json", "accept-encoding: gzip, deflate", "user-agent: rhumbline"]


async def test_a_question() -> None:
    assert await heard("http://127.0.0.1:{port}/api/", key="s3cret") == (
        "GET /api/x?b=%C3%BC/?%23&k=a+b%26c HTTP/1.1",
        ["host: 127.0.0.1:PORT", *ALWAYS, "key: s3cret"],
        "",
    )


async def test_a_body() -> None:
    assert await heard("http://localhost:{port}/post") == (
        "POST /post/x?b=1&b=2&k=a+b%26c HTTP/1.1",
        ["host: localhost:PORT", *ALWAYS, "content-type: application/json", "content-length: 18"],
        '{"a":[1,"\\u00e9"]}',
    )


async def test_a_user_in_the_address() -> None:
    first, lines, _ = await heard("http://us%40er:p%3Ass@127.0.0.1:{port}")
    assert first.startswith("GET /x?")
    assert lines[-1] == "authorization: Basic " + base64.b64encode(b"us@er:p:ss").decode()


@pytest.mark.parametrize(("name", "value"), [("a", "b\r\nc: d"), ("a\r\nb", "c"), ("a", "b\nc"), ("a", "b\0")])
async def test_headers_that_would_be_several(name: str, value: str) -> None:
    async with rogue(says(whole(b"1"))) as server, open_upstream("UPSTREAM", server.url, headers={name: value}) as http:
        with pytest.raises(ValueError, match="cannot be sent"):
            await http.get("/x")
    assert server.asked == []


async def test_connections_are_used_again() -> None:
    async with asked(says(whole(b"1"))) as (http, server):
        for _ in range(5):
            assert await http.get("/x") == 1
        assert (server.connections, http.pool.in_use) == (1, 0)
        await asyncio.gather(*(http.get("/x") for _ in range(5)))
        assert server.connections == 5


@pytest.mark.parametrize(
    "answer",
    [
        whole(b"1", b"connection: close"),
        b"HTTP/1.0 200 OK\r\ncontent-type: application/json\r\ncontent-length: 1\r\n\r\n1",
        b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n1",
    ],
    ids=["close", "HTTP/1.0", "no length"],
)
async def test_connections_that_end_with_their_answer(answer: bytes) -> None:
    async with asked(says(answer, then_close=True)) as (http, server):
        for _ in range(3):
            assert await http.get("/x") == 1
        assert server.connections == 3


async def test_a_connection_that_is_to_end_is_not_used_again() -> None:
    async with asked(says(whole(b"1", b"connection: close"))) as (http, server):
        for _ in range(3):
            assert await http.get("/x") == 1
        assert server.connections == 3


async def test_a_connection_that_has_ended_leaves_nothing_to_the_garbage_collector() -> None:
    gc.collect()
    gc.disable()
    try:
        async with asked(says(whole(b"1", b"connection: close"))) as (http, _):
            assert await http.get("/x") == 1
        # Other pools of this process may have theirs.
        lost = attrgetter("_lost.__self__")
        assert not [each for each in gc.get_objects() if type(each) is Connection and lost(each) is http.pool]
    finally:
        gc.enable()


async def test_a_connection_that_is_idle_for_long_is_closed() -> None:
    async with rogue(says(whole(b"1"))) as server, Pool(URL(server.url), 2, idle_s=0.2) as pool:
        http = Upstream("UPSTREAM", server.url, pool)
        for _ in range(6):
            assert await http.get("/x") == 1
            await asyncio.sleep(0.05)
        assert (server.connections, server.connected) == (1, 1)
        async with asyncio.timeout(20):
            await server.is_left_alone()
        assert (await http.get("/x"), server.connections, pool.in_use) == (1, 2, 0)


async def test_a_pool_has_no_more_connections_than_it_may() -> None:
    async def act(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        most.append(server.connected)
        await asyncio.sleep(0.01)
        writer.write(whole(b"1"))

    most: list[int] = []
    async with rogue(act) as server, open_upstream("UPSTREAM", server.url, connections=3) as http:
        assert await asyncio.gather(*(http.get("/x") for _ in range(20))) == [1] * 20
    assert max(most) == 3


def hangs_up_on_the_second_of_a_connection() -> Act:
    # Kept themselves: what is gone may give its ID to the next.
    known: set[asyncio.StreamWriter] = set()

    async def act(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if writer in known:
            writer.transport.abort()
            return
        known.add(writer)
        writer.write(whole(b"1"))

    return act


async def test_a_question_on_a_connection_that_is_gone_is_asked_again() -> None:
    async with asked(hangs_up_on_the_second_of_a_connection()) as (http, server):
        assert [await http.get("/x"), await http.get("/x")] == [1, 1]
        assert (len(server.asked), server.connections) == (3, 2)


async def test_a_question_whose_answer_has_begun_is_not_asked_again() -> None:
    async with asked(says(b"HTTP/1.1 200 OK\r\n", then_close=True)) as (http, server):
        with pytest.raises(UpstreamSilent, match="cannot be reached"):
            await http.get("/x")
        assert len(server.asked) == 1


async def test_what_is_sent_is_not_sent_again() -> None:
    async with asked(hangs_up_on_the_second_of_a_connection()) as (http, server):
        assert await http.get("/x") == 1
        with pytest.raises(UpstreamSilent, match="cannot be reached"):
            await http.post("/x", {})
        assert len(server.asked) == 2


async def test_a_question_is_asked_again_only_once() -> None:
    async with asked(says(then_close=True)) as (http, server):
        with pytest.raises(UpstreamSilent, match="cannot be reached"):
            await http.get("/x")
        assert len(server.asked) == 2


async def test_answers_that_are_not_yet_the_answer_are_passed_over() -> None:
    early = b"HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n"
    async with asked(says(early, early + whole(b"1"))) as (http, server):
        assert [await http.get("/x"), await http.get("/x")] == [1, 1]
        assert server.connections == 1


async def test_a_call_that_is_given_up_frees_its_place() -> None:
    async with asked(says(), timeout_s=30) as (http, server):
        call = asyncio.create_task(http.get("/x"))
        async with asyncio.timeout(20):
            await server.questioned.wait()
        assert http.pool.in_use == 1
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        assert http.pool.in_use == 0
        async with asyncio.timeout(20):
            await server.is_left_alone()


async def test_nobody_there() -> None:
    async with rogue(says()) as server:
        url = server.url
    async with open_upstream("UPSTREAM", url) as http:
        with pytest.raises(UpstreamSilent) as caught:
            await http.get("/x")
    assert url.rpartition(":")[2] not in str(caught.value)


async def test_each_call_has_its_own_deadline() -> None:
    ended: list[float] = []

    async def ask(timeout_s: float) -> None:
        with pytest.raises(UpstreamSilent, match=f"did not answer within {timeout_s:g} s"):
            await http.get("/x", timeout_s=timeout_s)
        ended.append(timeout_s)

    async with asked(says()) as (http, server), asyncio.timeout(20):
        await asyncio.gather(*(ask(timeout_s) for timeout_s in (0.4, 0.1, 0.3, 0.2)))
        assert (ended, http.pool.in_use) == ([0.1, 0.2, 0.3, 0.4], 0)
        await server.is_left_alone()


async def test_who_is_given_up_while_waiting_takes_no_place() -> None:
    answers = asyncio.Event()

    async def act(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await answers.wait()
        writer.write(whole(b"1"))

    async with rogue(act) as server, open_upstream("UPSTREAM", server.url, connections=1) as http:
        calls = [asyncio.create_task(http.get(f"/{number}")) for number in range(4)]
        async with asyncio.timeout(20):
            await server.questioned.wait()
            calls[1].cancel()
            with pytest.raises(UpstreamSilent, match="did not answer"):
                await http.get("/late", timeout_s=0.05)
            answers.set()
            assert await asyncio.gather(calls[0], *calls[2:]) == [1, 1, 1]
        assert (server.connections, http.pool.in_use) == (1, 0)
        assert [line.split()[1] for line in server.asked] == ["/0", "/2", "/3"]


async def test_who_is_given_up_when_its_turn_comes_passes_it_on() -> None:
    async def first() -> None:
        assert await http.get("/0") == 1
        # Its turn has come, and it does not know yet.
        waiting[0].cancel()

    async with rogue(says(whole(b"1"))) as server, open_upstream("UPSTREAM", server.url, connections=1) as http:
        going = asyncio.create_task(first())
        await asyncio.sleep(0)
        waiting = [asyncio.create_task(http.get(f"/{number}")) for number in (1, 2)]
        await going
        assert await waiting[1] == 1
        assert waiting[0].cancelled()
        assert [line.split()[1] for line in server.asked] == ["/0", "/2"]


async def test_a_place_whose_connection_cannot_be_made_is_free_again() -> None:
    async with rogue(says()) as server:
        url = server.url
    async with open_upstream("UPSTREAM", url, connections=2) as http:
        for _ in range(5):
            with pytest.raises(UpstreamSilent, match=r"cannot be reached \(ConnectionRefusedError\)"):
                await http.get("/x")
        assert http.pool.in_use == 0


async def test_a_name_that_nobody_has() -> None:
    async with open_upstream("UPSTREAM", "http://upstream.invalid/s3cret") as http:
        ends = await asyncio.gather(*(http.get("/x") for _ in range(3)), return_exceptions=True)
        assert [str(end) for end in ends] == ["UPSTREAM cannot be reached (gaierror)"] * 3
        assert http.pool.in_use == 0


async def test_what_is_unasked_for_while_idle_closes_the_connection() -> None:
    said = asyncio.Event()

    async def act(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(whole(b"1"))
        if len(server.asked) == 1:
            await writer.drain()
            await asyncio.sleep(0.05)
            writer.write(b"HTTP/1.1 408 Request Timeout\r\ncontent-length: 0\r\n\r\n")
            said.set()

    async with asked(act) as (http, server), asyncio.timeout(20):
        assert await http.get("/x") == 1
        await said.wait()
        await server.is_left_alone()
        assert http.pool.in_use == 0
        assert (await http.get("/x"), server.connections) == (1, 2)


async def test_a_pool_leads_to_one_place() -> None:
    async with rogue(says(whole(b"1"))) as server, open_upstream("UPSTREAM", server.url) as http:
        assert await replace(http, url=server.url + "/v2").get("/x") == 1
        with pytest.raises(ValueError, match="the pool of UPSTREAM leads to another host"):
            replace(http, url="http://127.0.0.2:1")
