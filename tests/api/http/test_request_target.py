"""A request says once and plainly which host it is for, and its path is read segment by segment."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.api.http.request_target import decoded_path, host_fault
from tests.api.conftest import Client
from tests.api.paired_services import PairedServices, paired_services, read_replies

TARGET = "/v1/chains"


@pytest.fixture(scope="module")
async def both() -> AsyncIterator[PairedServices]:
    async with paired_services() as served:
        yield served


async def statuses(both: PairedServices, data: bytes) -> set[int]:
    """What both services answer, asked twice: the second time one of them may know the bytes."""
    found = set()
    for port in (both.hot.port, both.plain.port):
        for _ in range(2):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(data)
            async with asyncio.timeout(20):
                found |= {reply.status for reply in await read_replies(reader, 1)}
            writer.close()
    return found


@pytest.mark.parametrize(
    ("lines", "status"),
    [
        ("host: x\r\n", 200),
        ("Host: rhumbline.example:8700\r\n", 200),
        ("host: 127.0.0.1:1 \r\n", 200),
        ("host: [2001:db8::1]:8700\r\n", 200),
        ("host: xn--bcher-kva.example\r\n", 200),
        ("", 400),
        ("host:\r\n", 400),
        ("host: \r\n", 400),
        ("host: x\r\nhost: x\r\n", 400),
        ("host: x\r\nHOST: y\r\n", 400),
        ("host: x, y\r\n", 400),
        ("host: x,y\r\n", 400),
        ("host: a b\r\n", 400),
        ("host: a/b\r\n", 400),
        ("host: user@x\r\n", 400),
        ("host: http://x\r\n", 400),
        ("host: x:port\r\n", 400),
        ("host: x:1:2\r\n", 400),
        ("host: [::1\r\n", 400),
        ("host: ::1\r\n", 400),
        ("host: x%zz\r\n", 400),
        ("host: \xfc\r\n", 400),
    ],
)
async def test_the_host(both: PairedServices, lines: str, status: int) -> None:
    for path in (TARGET, "/health", "/nowhere"):
        expected = 404 if status == 200 and path == "/nowhere" else status
        data = f"GET {path} HTTP/1.1\r\n{lines}\r\n".encode("latin-1")
        assert await statuses(both, data) == {expected}


@pytest.mark.parametrize(("lines", "status"), [("", 200), ("host: x\r\n", 200), ("host: x\r\nhost: x\r\n", 400)])
async def test_http_1_0_may_lack_it(both: PairedServices, lines: str, status: int) -> None:
    assert await statuses(both, f"GET {TARGET} HTTP/1.0\r\n{lines}\r\n".encode()) == {status}


async def test_a_request_with_a_bad_host_behind_a_good_one_is_refused_in_its_turn(both: PairedServices) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", both.hot.port)
    writer.write(b"GET /v1/tools HTTP/1.1\r\nhost: x\r\n\r\nGET /v1/tools HTTP/1.1\r\n\r\n")
    assert [reply.status for reply in await read_replies(reader, 3)] == [200, 400]
    writer.close()


@pytest.mark.parametrize("path", ["/v1%2fchains", "/v1%2Fchains", "%2fv1/chains", "/v1/transactions%2f0xab"])
async def test_an_encoded_slash_is_no_slash(client: Client, path: str) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", client.port)
    writer.write(f"GET {path} HTTP/1.1\r\nhost: x\r\n\r\n".encode())
    (reply,) = await read_replies(reader, 1)
    assert reply.status == (400 if path.startswith("%") else 404)
    writer.close()


async def test_other_escapes_mean_what_they_stand_for(client: Client) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", client.port)
    writer.write(b"GET /v1/%63hains HTTP/1.1\r\nhost: x\r\n\r\n")
    (reply,) = await read_replies(reader, 1)
    assert reply.status == 200
    writer.close()


@given(st.lists(st.text(st.characters(codec="ascii", exclude_characters="/%"), max_size=5), min_size=1, max_size=5))
def test_decoding_adds_no_segment(segments: list[str]) -> None:
    raw = "/".join(segment.replace("a", "%2f").replace("b", "%2F").replace("c", "%41") for segment in segments)
    assert decoded_path(raw).count("/") == raw.count("/")


@given(st.binary(max_size=8))
def test_no_blank_comma_or_slash_is_in_a_host(text: bytes) -> None:
    if any(character in text.rstrip(b" \t") for character in b" \t,/@?#\r\n"):
        assert host_fault([(b"host", text)], "1.1") is not None
