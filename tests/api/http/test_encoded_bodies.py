import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from decimal import Decimal
from typing import Any

import aiohttp
import brotli
import pytest
from starlette.datastructures import Headers

from rhumbline.api.http.encoded_bodies import BodyRequest, EncodedBodies, TtlCache
from rhumbline.api.server.application import create_app
from rhumbline.catalog.index import TokenIndex
from rhumbline.domain.price import PriceSnapshot, PriceTier
from rhumbline.domain.token import Token
from rhumbline.gateways.evm.address import checksummed
from tests.api.api_service import BASE, ETH, NOW, SOLANA, TOKENS, ApiService, services
from tests.api.conftest import served
from tests.api.http.test_content_coding import UNPACK

MANY = tuple(
    Token(1, checksummed(number.to_bytes(20)), f"T{number}", 18, f"Token {number}") for number in range(1, 12_001)
)


@dataclass
class Answer:
    status: int
    headers: Mapping[str, str]
    raw: bytes

    @property
    def plain(self) -> bytes:
        coding = self.headers.get("content-encoding")
        return UNPACK[coding](self.raw) if coding else self.raw

    @property
    def json(self) -> Any:
        return json.loads(self.plain)


@dataclass
class Service:
    url: str
    session: aiohttp.ClientSession
    tokens: Any
    prices: dict[tuple[int, str], PriceSnapshot]

    async def get(self, path: str, accept: str | None = None, **headers: str) -> Answer:
        asked = {**headers, **({"accept-encoding": accept} if accept is not None else {})}
        async with self.session.get(self.url + path, headers=asked) as response:
            return Answer(response.status, response.headers, await response.read())


@pytest.fixture(scope="module")
async def service() -> AsyncIterator[Service]:
    """A service of its own with 12,000 tokens and prices that a test may change."""
    prices: dict[tuple[int, str], PriceSnapshot] = {}
    about = services(ApiService(), {})
    about.tokens.adopt(TokenIndex.of((ETH, BASE, SOLANA), (*TOKENS, *MANY)), NOW)
    about = replace(about, prices=lambda chain_id, token: prices.get((chain_id, token)))
    async with (
        aiohttp.ClientSession(auto_decompress=False, skip_auto_headers=["accept-encoding"]) as session,
        served(create_app(about)) as (url, _),
    ):
        yield Service(url, session, about.tokens, prices)


@pytest.mark.parametrize("path", ["/v1/tokens", "/v1/tokens?chains=1", "/v1/chains", "/v1/tokenlists/1.json"])
async def test_one_body_in_four_encodings_each_with_its_own_tag(service: Service, path: str) -> None:
    answers = {coding: await service.get(path, coding) for coding in ("identity", "zstd", "br", "gzip")}
    plain = answers.pop("identity")
    assert "content-encoding" not in plain.headers
    for coding, answer in answers.items():
        assert answer.headers["content-encoding"] == coding
        assert answer.plain == plain.raw
        assert len(answer.raw) < len(plain.raw)
        assert int(answer.headers["content-length"]) == len(answer.raw)
        assert answer.headers["vary"].lower() == "accept-encoding"
        assert "max-age" in answer.headers["cache-control"]
        assert answer.headers["content-type"] == "application/json"
    tags = {answer.headers["etag"] for answer in (plain, *answers.values())}
    assert len(tags) == 4
    assert all(tag.startswith('"') and tag.endswith('"') for tag in tags)


@pytest.mark.parametrize("coding", ["identity", "zstd", "br", "gzip"])
@pytest.mark.parametrize("path", ["/v1/tokens", "/v1/chains", "/v1/tools", "/v1/tokenlists/1.json"])
async def test_who_has_it_already_is_told_so(service: Service, path: str, coding: str) -> None:
    first = await service.get(path, coding)
    tag = first.headers["etag"]
    for named in (tag, f"W/{tag}", f'"other", {tag}', "*"):
        again = await service.get(path, coding, **{"if-none-match": named})
        assert (again.status, again.raw) == (304, b"")
        assert again.headers["etag"] == tag
        assert again.headers["cache-control"] == first.headers["cache-control"]
        assert again.headers["vary"].lower() == "accept-encoding"
        assert "content-type" not in again.headers
        assert again.headers["access-control-allow-origin"] == "*"
    for other in ('"other"', tag.strip('"'), ""):
        assert (await service.get(path, coding, **{"if-none-match": other})).status == 200


async def test_another_encodings_tag_is_not_this_ones(service: Service) -> None:
    tag = (await service.get("/v1/tokens", "br")).headers["etag"]
    assert (await service.get("/v1/tokens", "gzip", **{"if-none-match": tag})).status == 200


async def test_a_small_body_is_not_compressed(service: Service) -> None:
    answer = await service.get("/v1/tools", "gzip, br, zstd")
    assert "content-encoding" not in answer.headers
    assert answer.headers["vary"].lower() == "accept-encoding"


async def test_all_tokens_are_there_and_filters_have_bodies_of_their_own(service: Service) -> None:
    whole = (await service.get("/v1/tokens", "zstd")).json
    assert [len(tokens) for tokens in whole.values()] == [12_005, 1, 2]
    assert (await service.get("/v1/tokens?chains=8453,1", "zstd")).json == {key: whole[key] for key in ("1", "8453")}
    same = [await service.get(path) for path in ("/v1/tokens?chains=base,1", "/v1/tokens?chainTypes=EVM")]
    assert same[0].headers["etag"] == same[1].headers["etag"]
    assert (await service.get("/v1/tokens?chainTypes=SVM")).json == {key: whole[key] for key in (str(SOLANA.id),)}


async def test_a_changed_catalogue_is_answered_at_once_with_another_tag(service: Service) -> None:
    before = await service.get("/v1/tokens", "br")
    listed = await service.get("/v1/tokenlists/1.json", "br")
    added = Token(1, checksummed((99_999).to_bytes(20)), "NEWEST", 18, "Newest")
    service.tokens.adopt(TokenIndex.of((ETH, BASE, SOLANA), (*TOKENS, *MANY, added)), NOW + timedelta(hours=1))
    after = await service.get("/v1/tokens", "br", **{"if-none-match": before.headers["etag"]})
    assert after.status == 200
    assert after.headers["etag"] != before.headers["etag"]
    assert after.json["1"][-1]["symbol"] == "NEWEST"
    newer = await service.get("/v1/tokenlists/1.json", "br")
    versions = [tuple(answer.json["version"].values()) for answer in (listed, newer)]
    assert versions[0] < versions[1]
    assert newer.json["timestamp"] == "2026-03-04T06:06:07.089Z"


async def test_head_has_the_tag_and_no_body(service: Service) -> None:
    got = await service.get("/v1/tokens", "br")
    async with service.session.head(service.url + "/v1/tokens", headers={"accept-encoding": "br"}) as head:
        assert (head.status, await head.read()) == (200, b"")
        assert head.headers["etag"] == got.headers["etag"]


async def test_a_fault_is_no_kept_body(service: Service) -> None:
    answer = await service.get("/v1/tokens?chains=777", "br")
    assert (answer.status, answer.json["code"]) == (400, "VALIDATION_ERROR")
    assert "etag" not in answer.headers


@dataclass
class Bench:
    """Bodies under a clock that the test moves, and how often they were built."""

    now: float = 0.0
    built: int = 0
    body: bytes = b"x" * 5000
    fails: bool = False

    def __post_init__(self) -> None:
        self.bodies = EncodedBodies(most=3, largest_bytes=30_000, clock=lambda: self.now)

    async def build(self) -> bytes:
        self.built += 1
        await asyncio.sleep(0.01)
        if self.fails:
            raise OSError("cannot be built")
        return self.body

    async def ask(self, key: str = "a", version: int = 0, accept: str = "") -> bytes:
        wanted = BodyRequest(key, self.build, {}, lambda: version, TtlCache(15, 60))
        answer = await self.bodies.answer(Headers({"accept-encoding": accept}), wanted)
        return bytes(answer.body)

    async def settles(self) -> None:
        for _ in range(1000):
            if not self.bodies._running:
                return
            await asyncio.sleep(0.01)
        raise AssertionError("a body is never built")


async def test_a_body_is_built_once_for_all_who_wait() -> None:
    bench = Bench()
    answers = await asyncio.gather(*(bench.ask(accept="br") for _ in range(50)))
    assert bench.built == 1
    assert set(map(brotli.decompress, answers)) == {bench.body}


async def test_who_goes_away_does_not_take_it_from_the_others() -> None:
    bench = Bench()
    first, second = asyncio.create_task(bench.ask()), asyncio.create_task(bench.ask())
    await asyncio.sleep(0)
    first.cancel()
    assert await second == bench.body
    assert bench.built == 1


async def test_an_aging_body_is_answered_and_built_behind() -> None:
    bench = Bench()
    old = await bench.ask()
    bench.body, bench.now = b"y" * 5000, 14.0
    assert await bench.ask() == old
    assert bench.built == 1
    bench.now = 16.0
    assert await bench.ask() == old
    await bench.settles()
    assert (await bench.ask(), bench.built) == (bench.body, 2)


async def test_an_old_body_and_another_version_are_awaited() -> None:
    bench = Bench()
    await bench.ask()
    bench.body, bench.now = b"y" * 5000, 61.0
    assert await bench.ask() == bench.body
    bench.body = b"z" * 5000
    assert await bench.ask(version=1) == bench.body
    assert bench.built == 3


async def test_a_failed_build_leaves_the_old_body() -> None:
    bench = Bench()
    old = await bench.ask()
    bench.fails, bench.now = True, 20.0
    assert await bench.ask() == old
    await bench.settles()
    assert await bench.ask() == old
    await bench.settles()
    with pytest.raises(OSError, match="cannot be built"):
        await bench.ask("other")
    bench.fails = False
    assert await bench.ask("other") == bench.body


async def test_what_is_kept_is_bounded_in_number_and_size() -> None:
    bench = Bench()
    for key in ("a", "b", "c", "a", "d"):
        await bench.ask(key)
    assert set(bench.bodies._kept) == {"c", "a", "d"}
    bench.body = b"x" * 22_000
    await bench.ask("e")
    assert set(bench.bodies._kept) == {"d", "e"}
    bench.body = b"x" * 50_000
    assert await bench.ask("f") == bench.body
    assert set(bench.bodies._kept) == {"f"}


async def test_prices_are_in_the_bodies(service: Service) -> None:
    token = MANY[5]
    service.prices[1, token.address] = PriceSnapshot(
        1, token.address, Decimal("3.50"), "pool", NOW, False, PriceTier.HOT, False
    )
    service.tokens.adopt(TokenIndex.of((ETH, BASE, SOLANA), (*TOKENS, *MANY)), NOW)
    rows = (await service.get("/v1/tokens?chains=1", "zstd")).json["1"]
    (row,) = [row for row in rows if row["address"] == token.address]
    assert (row["priceUSD"], row["priceSource"], row["priceStale"]) == ("3.5", "pool", False)


async def test_a_list_of_a_chain_follows_the_schema(service: Service) -> None:
    document = (await service.get("/v1/tokenlists/1.json", "gzip")).json
    assert len(document["tokens"]) == 10_000
    assert set(document) == {"name", "timestamp", "version", "tokens"}
    assert all(token["chainId"] == 1 for token in document["tokens"])
