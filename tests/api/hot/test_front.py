"""Hot requests are answered as the whole application answers them, header for header, whatever comes around them."""

import random
import ssl
from collections.abc import AsyncIterator
from dataclasses import replace
from ipaddress import ip_network

import aiohttp
import pytest
import structlog
from structlog.testing import capture_logs

from rhumbline.accounts.rate_limits import RateScope
from rhumbline.api.hot import front as hot_front
from rhumbline.api.hot.request import HotRequest
from rhumbline.api.server.listener import Tls
from rhumbline.catalog.index import TokenIndex
from rhumbline.domain.account import ApiClient, KeyScope, KeyTerms
from tests.api.api_service import ACME, BASE, ETH, KEY, SOLANA, TOKENS, UNKNOWN_KEY, UNLISTED, USDC, USDT
from tests.api.paired_services import PairedServices, paired_services, request
from tests.api.server.test_listener import certificate

__all__ = ["certificate"]
TOKENS_PATH, PRICES = "/v1/tokens", f"/v1/prices?tokens=1:{USDC},1:{USDT},1:NOPE"
TARGETS = (
    "/v1/chains",
    "/v1/chains?",
    "/v1/chains?chainTypes=EVM",
    "/v1/chains?chainTypes=TON",
    "/v1/chain%73",
    "/v1/tokens?chains=1,sol",
    "/v1/tokens?chains=nope",
    TOKENS_PATH,
    "/v1/tools",
    "/v1/tools?chains=1",
    PRICES,
    f"/v1/prices?chainId=1&token={UNLISTED}",
    f"/v1/prices?chainId=eth&token=usdc&note={'x' * 7000}",
    "/v1/prices?chainId=1&token=NOPE",
    "/v1/prices?tokens=8453",
    f"/v1/prices?tokens=sol:USDC,bas:{UNLISTED}",
    "/v1/prices",
    "/v1/token?chain=1&token=USDC",
    "/v1/health",
    "/v1/nothing",
    "/docs",
)
KEYS = (None, KEY, UNKNOWN_KEY, "no key", "")
CODINGS = (None, "zstd", "br, gzip", "gzip;q=0.5, br;q=0.2", "identity", "*", "zstd;q=0, *;q=0", "")
HOT = (TOKENS_PATH, PRICES, "/v1/chains", "/v1/tools?chains=1", "/v1/tokens?chains=1,sol")


@pytest.fixture
async def both() -> AsyncIterator[PairedServices]:
    async with paired_services() as served:
        yield served


async def test_many_requests_have_the_same_answers(both: PairedServices) -> None:
    chance = random.Random(20_261)
    tags = ["*", '"none"', ""]
    for turn in range(700):
        headers = {}
        key, coding = chance.choice(KEYS), chance.choice(CODINGS)
        if key is not None:
            headers["x-api-key"] = key
        if coding is not None:
            headers["accept-encoding"] = coding
        if chance.random() < 0.3:
            headers["if-none-match"] = chance.choice([tags[-1], "W/" + tags[-1], ", ".join(tags[-2:]), *tags[:2]])
        if chance.random() < 0.2:
            headers["Origin"] = "https://app.example"
        if chance.random() < 0.2:
            headers["X-Request-ID"] = chance.choice(["a-good-name", "a bad one", "x" * 65, ""])
        if chance.random() < 0.1:
            headers["connection"] = chance.choice(["keep-alive", "Keep-Alive", "te"])
        (reply,) = await both.tell(request(chance.choice(TARGETS if turn % 3 else HOT), headers))
        if "etag" in dict(reply.fields) and reply.field("etag") not in tags:
            tags.append(reply.field("etag"))
        if turn % 50 == 0:
            await both.refresh()
            both.watch.move(seconds=chance.choice([1, 20, 50]))
    assert both.plain.reached == 700
    assert both.hot.reached < 550
    assert await look(both)


async def look(both: PairedServices) -> bool:
    """Tell whether both have counted the same requests, and the same routes and statuses in their metrics."""
    counts = [await service.limiter.look(ApiClient(ACME, 1), RateScope.OTHER) for service in (both.hot, both.plain)]
    samples = []
    for service in (both.hot, both.plain):
        (family,) = [each for each in service.metrics.registry.collect() if each.name == "rhumbline_http_requests"]
        samples.append(
            {tuple(each.labels.values()): each.value for each in family.samples if each.name.endswith("_total")}
        )
    return counts[0] == counts[1] and samples[0] == samples[1] and bool(samples[0])


@pytest.mark.parametrize("target", HOT)
async def test_a_question_that_was_asked_before_does_not_reach_the_application(
    both: PairedServices, target: str
) -> None:
    asked = request(target, {"x-api-key": KEY, "accept-encoding": "zstd"})
    # The first begins the window, the second is new to the lookup.
    await both.tell(request("/v1/token?chain=1&token=USDC", {"x-api-key": KEY}))
    first = await both.tell(asked)
    await both.refresh()
    await both.tell(asked)
    reached = both.hot.reached
    for count in range(5):
        (reply,) = await both.tell(asked)
        assert reply.status == first[0].status == 200
        assert int(reply.field("x-ratelimit-remaining")) == 10**6 - 4 - count
    assert both.hot.reached == reached
    etag = dict(reply.fields).get("etag")
    if etag is not None:
        (same,) = await both.tell(request(target, {"accept-encoding": "zstd", "if-none-match": etag, "x-api-key": KEY}))
        assert (same.status, same.body, both.hot.reached) == (304, b"", reached)


@pytest.mark.parametrize("headers", [{}, {"x-api-key": KEY}, {"x-api-key": UNKNOWN_KEY}])
async def test_an_exhausted_limit_refuses_the_same_requests(headers: dict[str, str]) -> None:
    async with paired_services(limit=6) as both:
        for turn in range(3):
            replies = [(await both.tell(request("/v1/chains", headers)))[0] for _ in range(9)]
            assert [reply.status for reply in replies] == [200] * 6 + [429] * 3
            assert [reply.field("x-ratelimit-remaining") for reply in replies[:6]] == ["5", "4", "3", "2", "1", "0"]
            both.watch.move(hours=2, seconds=1)
            # The first begins the window, and what is refused is refused by the application.
            assert both.hot.reached == 4 * (turn + 1)
        assert await look(both)


async def test_a_key_that_is_not_known_any_more_is_asked_for(both: PairedServices) -> None:
    asked = request("/v1/chains", {"x-api-key": KEY})
    for _ in range(3):
        await both.tell(asked)
    for service in (both.hot, both.plain):
        service.known.clear()
        service.api_service.key_owner = ApiClient(key_invalid=True)
    (reply,) = await both.tell(asked)
    assert reply.field("x-api-key-status") == "invalid"
    for service in (both.hot, both.plain):
        service.known.clear()
        service.api_service.store_down = True
    (reply,) = await both.tell(asked)
    assert "x-api-key-status" not in dict(reply.fields)


async def test_other_lists_are_other_answers(both: PairedServices) -> None:
    asked = [request(target) for target in (TOKENS_PATH, "/v1/prices?chainId=1&token=USDC", "/v1/prices?tokens=1:T1")]
    for _ in range(3):
        before = [(await both.tell(each))[0] for each in asked]
    for service in (both.hot, both.plain):
        listed = [replace(TOKENS[0], symbol="T1"), *TOKENS[1:]]
        service.tokens.adopt(TokenIndex.of((ETH, BASE, SOLANA), listed), None)
    after = [(await both.tell(each))[0] for each in asked]
    assert [reply.body for reply in before] != [reply.body for reply in after]
    assert before[0].field("etag") != after[0].field("etag")
    assert USDC.encode() in after[2].body


async def test_what_breaks_is_answered_by_the_application(
    both: PairedServices, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = request("/v1/chains", {"x-api-key": KEY})
    for _ in range(2):
        await both.tell(asked)

    def broken(key: str | None) -> ApiClient | None:
        raise RuntimeError("a fault of ours")

    hot_answer = hot_front.HotFront.answer

    def answer(front: hot_front.HotFront, asked: HotRequest, *rest: object, secure: bool) -> None:
        monkeypatch.setattr(hot_front.HotFront, "answer", hot_answer)
        broken(asked.key)

    monkeypatch.setattr(hot_front.HotFront, "answer", answer)
    with capture_logs() as logs:
        (reply,) = await both.tell(asked)
    assert reply.status == 200
    assert [line["event"] for line in logs if line["log_level"] == "error"] == ["a hot request failed"]


async def test_every_request_has_its_line_and_its_own_name(both: PairedServices) -> None:
    asked = request("/v1/chains?chainTypes=EVM", {"x-api-key": KEY})
    with capture_logs(processors=[structlog.contextvars.merge_contextvars]) as logs:
        names = [(await both.hot.tell(asked, 1))[0].name for _ in range(300)]
    assert both.hot.reached == 1
    assert [line["request_id"] for line in logs] == names
    assert len(set(names)) == 300
    for line in logs:
        assert {name: line[name] for name in ("event", "log_level", "method", "path", "status")} == {
            "event": "request", "log_level": "info", "method": "GET", "path": "/v1/chains", "status": 200,
        }  # fmt: skip
        assert (type(line["status"]), type(line["ms"])) == (int, float)
        assert (line["client"], line["key"], line["integrator"]) == ("127.0.0.1", 1, ACME.name)
        assert set(line) == {
            "event", "log_level", "method", "path", "status", "ms", "request_id", "client", "key", "integrator",
        }  # fmt: skip


async def test_over_tls(certificate: Tls) -> None:
    trust = ssl.create_default_context(cafile=str(certificate.certificate))
    async with paired_services(tls=certificate) as both, aiohttp.ClientSession(auto_decompress=False) as session:
        answers = []
        for port in (both.hot.port, both.plain.port):
            for _ in range(3):
                async with session.get(f"https://127.0.0.1:{port}{TOKENS_PATH}", ssl=trust) as response:
                    body = await response.read()
                    answers.append((response.headers["strict-transport-security"], len(body), hash(body)))
        assert both.hot.reached == 1
        assert len(set(answers)) == 1


async def test_a_trusted_proxys_word_counts() -> None:
    async with paired_services(trusted_proxies=["127.0.0.1"]) as both:
        for forwarded in (
            {"x-forwarded-for": "203.0.113.1"},
            {"x-forwarded-for": "203.0.113.1, 127.0.0.1", "x-forwarded-proto": "https"},
            {"x-forwarded-for": "[2001:db8:1:2::7]:443", "x-forwarded-proto": " HTTPS"},
            {"x-forwarded-for": "", "x-forwarded-proto": "gopher"},
            {"x-forwarded-proto": "http"},
            {},
        ):
            for _ in range(3):
                await both.tell(request("/v1/chains", forwarded))
        assert both.plain.reached == 18
        assert both.hot.reached == 3
    async with paired_services(trusted_proxies=["10.0.0.0/8"]) as both:
        for host in ("203.0.113.1", "203.0.113.2"):
            (reply,) = await both.tell(request("/v1/chains", {"x-forwarded-for": host}))
        assert reply.field("x-ratelimit-remaining") == str(10**6 - 2)


PAGE = "https://app.example"
RESTRICTED = (
    KeyTerms(frozenset({KeyScope.QUOTES}), (PAGE,), (), in_browsers=True),
    KeyTerms(frozenset({KeyScope.TRACKING})),
    KeyTerms(networks=(ip_network("203.0.113.0/24"),)),
    KeyTerms(networks=(ip_network("127.0.0.0/8"),)),
)


@pytest.mark.parametrize("terms", RESTRICTED)
async def test_a_restricted_key_has_the_same_answers(both: PairedServices, terms: KeyTerms) -> None:
    """Hot or not: refused from elsewhere, also after the very same bytes were answered, and counted alike."""
    for service in (both.hot, both.plain):
        service.api_service.key_owner = ApiClient(ACME, 1, terms=terms)
    chance = random.Random(20_262)
    statuses = set()
    for turn in range(150):
        headers = {"x-api-key": KEY}
        if origin := chance.choice((PAGE, PAGE, None, "https://evil.example")):
            headers["origin"] = origin
        (reply,) = await both.tell(request(HOT[turn % len(HOT)], headers))
        statuses.add(reply.status)
        if reply.status == 200 and terms.origins:
            assert headers.get("origin") == PAGE
        if turn % 50 == 0:
            await both.refresh()
    is_inside = terms is not RESTRICTED[2]
    assert statuses == ({403} if not is_inside else {200, 403} if terms.origins else {200})
    assert (both.hot.reached < 100) == is_inside, "where it may, it is as quick as any other"
    assert await look(both) or not is_inside
