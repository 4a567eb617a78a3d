"""JSON over HTTP, against a server that does what upstreams do on bad days."""

import asyncio
import gzip
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from decimal import Decimal
from email.utils import format_datetime

import pytest
from aiohttp import web
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.devnet.hosts import hosted
from rhumbline.gateways.http.strict_json import read_json
from rhumbline.gateways.upstreams.upstream import (
    Upstream,
    UpstreamError,
    UpstreamGarbled,
    UpstreamRefused,
    UpstreamSilent,
    open_upstream,
)
from tests.pricing.exchange import NOW

SECRET = "s3cr3t-key"


@dataclass
class Host:
    """Answers with what the test put there."""

    body: bytes = b'{"ok": true}'
    status: int = 200
    headers: dict[str, str] = field(default_factory=lambda: {"content-type": "application/json"})
    seen: list[web.Request] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)
    hang: bool = False
    gone: asyncio.Event = field(default_factory=asyncio.Event)
    full: asyncio.Event = field(default_factory=asyncio.Event)

    async def answer(self, request: web.Request) -> web.StreamResponse:
        self.seen.append(request)
        self.bodies.append(await request.read())
        if len(self.seen) == 32:
            self.full.set()
        if request.path == "/hop":
            return web.Response(status=302, headers={"location": request.query["to"]})
        if request.path == "/endless":
            return await self._pour(request)
        if self.hang:
            try:
                await asyncio.sleep(60)
            finally:
                self.gone.set()
        return web.Response(body=self.body, status=self.status, headers=self.headers)

    async def _pour(self, request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"content-type": "application/json"})
        await response.prepare(request)
        try:
            while True:
                await response.write(b"[" * 65536)
        finally:
            self.gone.set()


@pytest.fixture
def host() -> Host:
    return Host()


@pytest.fixture
async def upstream(host: Host) -> AsyncIterator[Upstream]:
    app = web.Application(handler_args={"handler_cancellation": True})
    app.router.add_route("*", "/{name:.*}", host.answer)
    async with (
        hosted(app) as url,
        open_upstream(
            "acme", url, headers={"x-api-key": SECRET}, query={"key": SECRET}, timeout_s=2.0, largest_bytes=1_000_000
        ) as opened,
    ):
        yield opened


def says(host: Host, text: str | bytes, kind: str | None = "application/json", status: int = 200, **more: str) -> None:
    host.body, host.status = text.encode() if isinstance(text, str) else text, status
    host.headers = {name.replace("_", "-"): value for name, value in more.items()}
    if kind is not None:
        host.headers["content-type"] = kind


async def failure(upstream: Upstream, path: str = "/a") -> UpstreamError:
    with pytest.raises(UpstreamError) as caught:
        await upstream.get(path)
    assert SECRET not in str(caught.value)
    assert "127.0.0.1" not in str(caught.value)
    return caught.value


async def test_a_question_carries_what_it_shall(upstream: Upstream, host: Host) -> None:
    assert await upstream.get("/a/b:c,d", {"x": "1 &2"}) == {"ok": True}
    assert await upstream.post("/p", {"amount": 2**200}) == {"ok": True}
    got, posted = host.seen
    assert (got.path, got.query["x"], got.query["key"]) == ("/a/b:c,d", "1 &2", SECRET)
    assert (got.headers["x-api-key"], got.headers["user-agent"]) == (SECRET, "rhumbline")
    assert (posted.method, posted.content_type) == ("POST", "application/json")
    assert host.bodies[1] == b'{"amount":%d}' % 2**200


async def test_secrets_are_in_no_repr(upstream: Upstream) -> None:
    assert "acme" in repr(upstream)
    assert SECRET not in repr(upstream)
    assert "127.0.0.1" not in repr(upstream)


async def test_numbers_are_exact(upstream: Upstream, host: Host) -> None:
    says(host, '{"a": 123456789012345678901234567890, "b": 0.1, "c": 1e2, "d": 1.10}')
    answer = await upstream.get("/a")
    assert isinstance(answer, dict)
    assert answer == {
        "a": 123456789012345678901234567890,
        "b": Decimal("0.1"),
        "c": Decimal("1e2"),
        "d": Decimal("1.1"),
    }
    assert [type(value) for value in answer.values()] == [int, Decimal, Decimal, Decimal]


@pytest.mark.parametrize("kind", ["application/json; charset=utf-8", "application/problem+json", "text/plain", None])
async def test_kinds_that_may_be_json(upstream: Upstream, host: Host, kind: str | None) -> None:
    says(host, "[1]", kind)
    assert await upstream.get("/a") == [1]


@pytest.mark.parametrize(
    ("body", "kind", "why"),
    [
        ("<html></html>", "text/html", "answered text/html, not JSON"),
        ('{"a":1}', "text/html", "answered text/html, not JSON"),
        ("<html></html>", "text/plain", "answered no sound JSON (not JSON)"),
        ("", "application/json", "answered no sound JSON (not JSON)"),
        ("\xff", "application/json", "answered no sound JSON (not JSON)"),
        ('{"a":1,"a":2}', "application/json", "answered no sound JSON (a key is there twice)"),
        ('{"a":{"b":1,"b":1}}', "application/json", "answered no sound JSON (a key is there twice)"),
        ('{"a":NaN}', "application/json", "answered no sound JSON (NaN is no number)"),
        ("[-Infinity]", "application/json", "answered no sound JSON (-Infinity is no number)"),
        ("[1e999999999]", "application/json", "answered no sound JSON (a number is too long)"),
        ("[0." + "1" * 500 + "]", "application/json", "answered no sound JSON (a number is too long)"),
        ("[" + "9" * 5000 + "]", "application/json", "answered no sound JSON (a number is too long)"),
        ("[" * 200_000, "application/json", "answered no sound JSON (nested too deeply, or cut off)"),
        ('{"a":' * 65 + "1" + "}" * 65, "application/json", "answered no sound JSON (nested too deeply, or cut off)"),
        ('["]",' * 65 + "1" + "]" * 65, "application/json", "answered no sound JSON (nested too deeply, or cut off)"),
        (b"1" * 1_000_001, "application/json", "answered more than 1000000 bytes"),
    ],
)
async def test_answers_that_are_none(upstream: Upstream, host: Host, body: str | bytes, kind: str, why: str) -> None:
    says(host, body.encode("latin-1") if isinstance(body, str) else body, kind)
    error = await failure(upstream)
    assert (type(error), str(error)) == (UpstreamGarbled, f"acme {why}")


async def test_a_packed_answer_is_bounded_unpacked(upstream: Upstream, host: Host) -> None:
    says(host, gzip.compress(b" " * 3_000_000), content_encoding="gzip")
    assert str(await failure(upstream)) == "acme answered more than 1000000 bytes"
    says(host, gzip.compress(b'{"a":1}'), content_encoding="gzip")
    assert await upstream.get("/a") == {"a": 1}


async def test_an_endless_answer_is_left(upstream: Upstream, host: Host) -> None:
    assert str(await failure(upstream, "/endless")) == "acme answered more than 1000000 bytes"
    await asyncio.wait_for(host.gone.wait(), 60)


async def test_a_refusal_keeps_its_body_and_its_wait(upstream: Upstream, host: Host) -> None:
    says(host, '{"code": 7}', status=429, retry_after="12")
    error = await failure(upstream)
    assert isinstance(error, UpstreamRefused)
    assert (error.status, error.body, error.retry_after_s, str(error)) == (
        429,
        {"code": 7},
        12.0,
        "acme answered HTTP 429",
    )
    says(host, "<html>", "text/html", status=503)
    error = await failure(upstream)
    assert isinstance(error, UpstreamRefused)
    assert (error.status, error.body, error.retry_after_s) == (503, None, None)


@pytest.mark.parametrize(
    ("text", "wait"),
    [("0", 0.0), ("120", 120.0), ("9" * 30, 3600.0), ("-5", None), ("soon", None), ("", None), ("1.5", None)],
)
async def test_waits(upstream: Upstream, host: Host, text: str, wait: float | None) -> None:
    says(host, "{}", status=429, retry_after=text)
    assert (await failure(upstream)).retry_after_s == wait


async def test_a_wait_until_a_moment(upstream: Upstream, host: Host) -> None:
    says(host, "{}", status=503, retry_after="Wed, 04 Mar 2026 05:07:07 GMT")
    fixed = Upstream("acme", upstream.url, upstream.pool, clock=lambda: NOW)
    assert (await failure(fixed)).retry_after_s == 60.0
    says(host, "{}", status=503, retry_after=format_datetime(NOW.replace(year=2020)))
    assert (await failure(fixed)).retry_after_s == 0.0


async def test_redirects_stay_on_the_host(upstream: Upstream, host: Host) -> None:
    assert await upstream.get("/hop", {"to": "/there"}) == {"ok": True}
    before = len(host.seen)
    for foreign in ("http://localhost:1/x", "https://127.0.0.1/", "//example.org/", "http://[", ""):
        with pytest.raises(UpstreamGarbled, match="redirects to another host"):
            await upstream.get("/hop", {"to": foreign})
    assert len(host.seen) == before + 5
    with pytest.raises(UpstreamGarbled, match="more than 3 times"):
        await upstream.get("/hop", {"to": "/hop?to=%2Fhop%3Fto%3D%252Fhop%253Fto%253D%25252Fhop%25253Fto%25253Dx"})
    with pytest.raises(UpstreamRefused):
        await upstream.post("/hop", {}, {"to": "/there"})


async def test_a_deadline_ends_the_call_on_both_sides(upstream: Upstream, host: Host) -> None:
    host.hang = True
    with pytest.raises(UpstreamSilent, match=r"acme did not answer within 0\.05 s"):
        await upstream.get("/a", timeout_s=0.05)
    await asyncio.wait_for(host.gone.wait(), 60)


async def test_cancelling_leaves_no_connection(upstream: Upstream, host: Host) -> None:
    host.hang = True
    calls = [asyncio.create_task(upstream.get("/a")) for _ in range(40)]
    await asyncio.wait_for(host.full.wait(), 60)
    for call in calls:
        call.cancel()
    assert all(isinstance(end, asyncio.CancelledError) for end in await asyncio.gather(*calls, return_exceptions=True))
    await asyncio.wait_for(host.gone.wait(), 60)
    host.hang = False
    assert await upstream.get("/a") == {"ok": True}


async def test_nobody_there() -> None:
    async with open_upstream("acme", f"http://127.0.0.1:1/{SECRET}") as upstream:
        assert str(await failure(upstream)) == "acme cannot be reached (ConnectionRefusedError)"
        assert isinstance(await failure(upstream), UpstreamSilent)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**300), 2**300) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@pytest.mark.parametrize("text", ["[" * 64 + "]" * 64, '["' + "[{" * 500 + '\\"[", {}]', "[{}" + ",[[]]" * 500 + "]"])
def test_nesting_that_is_fine(text: str) -> None:
    assert read_json(text.encode()) == json.loads(text)


@given(json_values)
def test_what_is_written_is_read(value: object) -> None:
    assert read_json(json.dumps(value).encode()) == value


@given(st.binary(max_size=200))
def test_bytes_are_read_as_the_parser_reads_them_or_refused(body: bytes) -> None:
    try:
        document = read_json(body)
    except ValueError:
        return
    assert document == json.loads(body, parse_float=Decimal)
