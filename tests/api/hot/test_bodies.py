"""Kept bodies that are answered at once: never older than their freshness, never another query's, and bounded."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field

from starlette.requests import Request

from rhumbline.api.hot.bodies import LONGEST_QUERY, MOST_QUERIES, HotBodies
from rhumbline.api.hot.request import HotRequest
from rhumbline.api.http.content_coding import Encoding
from rhumbline.api.http.encoded_bodies import EncodedBodies, TtlCache
from rhumbline.api.http.written_response import WrittenResponse


@dataclass
class Shelf:
    """Bodies under a clock that the test moves."""

    now: float = 0.0
    version: int = 0
    body: bytes = b"x" * 200_000
    built: int = 0
    bodies: EncodedBodies = field(init=False)
    hot: HotBodies = field(init=False)

    def __post_init__(self) -> None:
        self.bodies = EncodedBodies(most=50, clock=lambda: self.now)
        self.hot = HotBodies(self.bodies, {"cache-control": "private"}, lambda: self.version, TtlCache(15, 60))

    async def build(self) -> bytes:
        self.built += 1
        return self.body

    async def ask(self, query: bytes = b"", **headers: str) -> Mapping[str, str]:
        raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
        request = Request({"type": "http", "query_string": query, "headers": raw})
        response = await self.hot.answer(request, ("body", query), self.build)
        return {**response.headers, "body": str(len(response.body)), "status": str(response.status_code)}

    def find(self, query: bytes = b"", coding: str | None = None, tag: str | None = None) -> WrittenResponse | None:
        return self.hot.find(HotRequest("/v1/tokens", query, accept_encoding=coding, if_none_match=tag))


async def test_only_what_is_there_is_answered_at_once() -> None:
    shelf = Shelf()
    assert shelf.find() is None
    told = await shelf.ask()
    plain = shelf.find()
    assert plain is not None
    assert (plain.status, plain.body) == (200, shelf.body)
    assert plain.fields.decode().splitlines() == [
        f"{name}: {told[name]}" for name in ("cache-control", "etag", "vary", "content-length", "content-type")
    ]
    assert shelf.find(coding="br") is None
    assert shelf.find(b"other") is None
    same = shelf.find(tag=told["etag"])
    assert same is not None
    assert (same.status, same.body, same.file) == (304, b"", None)
    await shelf.ask(accept_encoding="br")
    packed = shelf.find(coding="br")
    assert packed is not None
    assert b"content-encoding: br\r\n" in packed.fields


async def test_an_aging_body_is_answered_and_an_old_one_is_not() -> None:
    shelf = Shelf()
    await shelf.ask()
    shelf.body = b"y" * 200_000
    shelf.now = 15.0
    assert shelf.find() is not None
    assert shelf.built == 1
    shelf.now = 15.1
    old = shelf.find()
    assert old is not None
    assert old.body == b"x" * 200_000
    for _ in range(1000):
        if not shelf.bodies._running:
            break
        await asyncio.sleep(0.01)
    fresh = shelf.find()
    assert fresh is not None
    assert (fresh.body, shelf.built) == (shelf.body, 2)
    shelf.now = 75.2
    assert shelf.find() is None


async def test_another_version_is_not_answered_at_once() -> None:
    shelf = Shelf()
    await shelf.ask()
    shelf.version = 1
    assert shelf.find() is None
    shelf.body = b"z" * 3000
    await shelf.ask()
    found = shelf.find()
    assert found is not None
    assert found.body == shelf.body


async def test_queries_and_negotiations_are_bounded() -> None:
    shelf = Shelf(body=b"{}")
    for number in range(MOST_QUERIES + 2):
        await shelf.ask(b"a=%d" % number)
    assert len(shelf.hot._requests) == MOST_QUERIES
    await shelf.ask(b"a" * (LONGEST_QUERY + 1))
    assert shelf.find(b"a" * (LONGEST_QUERY + 1)) is None
    last = b"a=%d" % (MOST_QUERIES + 1)
    for number in range(200):
        assert shelf.find(last, tag=f'"{number}"') is not None
    assert all(len(body.answers) <= 64 for body in shelf.bodies._kept.values())


async def test_answers_with_the_same_body_share_a_file() -> None:
    shelf = Shelf()
    await shelf.ask()
    one, other = shelf.find(), shelf.find(tag='"another"')
    assert one is not None
    assert other is not None
    assert one.file is other.file is not None
    assert shelf.bodies._kept["body", b""].size == 2 * len(shelf.body)
    assert Encoding.IDENTITY in shelf.bodies._kept["body", b""].files
