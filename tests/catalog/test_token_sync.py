import asyncio
import hashlib
from collections.abc import Callable, Sequence

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.catalog.store import stored_lists
from rhumbline.catalog.token_sync import Outcome, SyncSettings, TokenSync, list_url_fault, shown_url
from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.domain.errors import StoreUnavailable
from rhumbline.domain.token import Token
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.http.list_download import Bounds
from rhumbline.gateways.postgres.engine import create_engine
from tests.catalog.conftest import CHAINS, ETH, FAKE, NOW, OTHER, USDC, ListHost, entry, list_host, token_list
from tests.clocks import Clock

REAL = Token(1, USDC, "USDC", 6, "USD Coin")
Start = Callable[..., "ApiService"]


class ApiService:
    """A catalogue and its sync, as one process of the service has them."""

    def __init__(
        self,
        http: HttpClient,
        engine: AsyncEngine,
        clock: Clock,
        urls: Sequence[str],
        fixed: Sequence[Token],
    ) -> None:
        self.catalog = TokenCatalog(CHAINS, fixed, {})
        settings = SyncSettings(urls, Bounds(2_000_000, 5), refresh_s=3600, retry_s=300, look_s=0.02)
        self.sync = TokenSync(self.catalog, CHAINS, fixed, http, engine, clock, settings)

    def symbols(self) -> list[str]:
        return [token.symbol for token in self.catalog.listed(1)]

    async def lists(self, symbol: str) -> None:
        """Wait until the catalogue lists a token."""
        for _ in range(1000):
            if symbol in self.symbols():
                return
            await asyncio.sleep(0.01)
        raise AssertionError(f"{symbol} is never listed")


@pytest.fixture
def start(http: HttpClient, store_engine: AsyncEngine, clock: Clock) -> Start:
    def started(*urls: str, fixed: Sequence[Token] = (REAL,)) -> ApiService:
        return ApiService(http, store_engine, clock, urls, fixed)

    return started


async def test_a_list_is_fetched_kept_and_merged(start: Start, host: ListHost, store_engine: AsyncEngine) -> None:
    host.serves(token_list(entry(OTHER, "DAI"), version="2.1.0"))
    api_service = start(host.url)
    report = await api_service.sync.sync()
    assert [(item.list, item.outcome, item.version, item.fault) for item in report.lists] == [
        (host.url, Outcome.UPDATED, "2.1.0", None)
    ]
    assert (report.tokens, report.failed) == (len(api_service.catalog), False)
    assert api_service.symbols() == ["ETH", "USDC", "DAI"]
    kept = (await stored_lists(store_engine, [host.url]))[host.url]
    assert kept.digest == hashlib.sha256(host.body).digest()
    assert (kept.stored_at, api_service.catalog.as_of, api_service.catalog.version) == (NOW, NOW, 1)


async def test_the_same_list_is_not_sent_nor_adopted_again(start: Start, host: ListHost, clock: Clock) -> None:
    host.serves(token_list(entry(OTHER, "DAI")))
    api_service = start(host.url)
    await api_service.sync.sync()
    clock.move(seconds=10)
    report = await api_service.sync.sync()
    assert report.lists[0].outcome is Outcome.UNCHANGED
    assert host.asked == [None, f'"{hashlib.sha256(host.body).hexdigest()}"']
    host.tagged = False
    assert (await api_service.sync.sync()).lists[0].outcome is Outcome.UNCHANGED
    assert (api_service.catalog.version, api_service.catalog.as_of) == (1, NOW)


async def test_a_new_process_begins_with_the_kept_copy(start: Start, host: ListHost) -> None:
    host.serves(token_list(entry(OTHER, "DAI")))
    await start(host.url).sync.sync()
    host.status = 503
    api_service = start(host.url)
    assert api_service.symbols() == ["ETH", "USDC"]
    await api_service.sync.load()
    assert api_service.symbols() == ["ETH", "USDC", "DAI"]


def _page(host: ListHost) -> None:
    host.body, host.kind = b"<!doctype html><title>Moved</title>", "text/html"


def _page_as_json(host: ListHost) -> None:
    host.body = b"<!doctype html><title>Moved</title>"


def _endless(host: ListHost) -> None:
    host.endless = True


def _older(host: ListHost) -> None:
    host.serves(token_list(entry(FAKE, "OLD"), version="1.9.9"))


def _earlier(host: ListHost) -> None:
    host.serves(token_list(entry(FAKE, "OLD"), version="2.0.0", timestamp="2025-01-01T00:00:00Z"))


def _cut(host: ListHost) -> None:
    host.body = host.body[:-10]


def _other_schema(host: ListHost) -> None:
    host.serves({"tokens": {"1": [entry(FAKE, "OLD")]}})


def _empty(host: ListHost) -> None:
    host.serves(token_list())


def _gone(host: ListHost) -> None:
    host.status, host.tagged = 404, False


def _elsewhere(host: ListHost) -> None:
    host.location = "https://elsewhere.example/list.json"


@pytest.mark.parametrize(
    ("turns_bad", "fault"),
    [
        (_page, "answered text/html, not JSON"),
        (_page_as_json, "is no token list"),
        (_endless, "is larger than 2000000 bytes"),
        (_older, "is version 1.9.9, older than the kept one (2.0.0)"),
        (_earlier, "is version 2.0.0, older than the kept one (2.0.0)"),
        (_cut, "is no token list"),
        (_other_schema, "is no token list: name"),
        (_empty, "is no token list: tokens"),
        (_gone, "answered HTTP 404"),
        (_elsewhere, "redirects to another host (elsewhere.example)"),
    ],
)
async def test_whatever_a_host_answers_the_last_good_copy_goes_on(
    start: Start, host: ListHost, store_engine: AsyncEngine, turns_bad: Callable[[ListHost], None], fault: str
) -> None:
    host.serves(token_list(entry(OTHER, "DAI"), version="2.0.0"))
    api_service = start(host.url)
    await api_service.sync.sync()
    good = (await stored_lists(store_engine, [host.url]))[host.url]
    turns_bad(host)
    report = await api_service.sync.sync()
    assert (report.lists[0].outcome, report.lists[0].version) == (Outcome.KEPT, "2.0.0")
    assert fault in (report.lists[0].fault or "")
    assert report.failed
    assert api_service.symbols() == ["ETH", "USDC", "DAI"]
    assert (await stored_lists(store_engine, [host.url]))[host.url] == good
    fresh = start(host.url)
    await fresh.sync.load()
    assert fresh.symbols() == ["ETH", "USDC", "DAI"]


async def test_a_list_that_never_was_good_is_missing(start: Start, host: ListHost) -> None:
    _page(host)
    api_service = start(host.url)
    report = await api_service.sync.sync()
    assert (report.lists[0].outcome, report.lists[0].version) == (Outcome.MISSING, None)
    assert api_service.symbols() == ["ETH", "USDC"]


async def test_an_older_version_is_taken_when_asked_for(start: Start, host: ListHost) -> None:
    host.serves(token_list(entry(OTHER, "DAI"), version="9.0.0"))
    api_service = start(host.url)
    await api_service.sync.sync()
    _older(host)
    report = await api_service.sync.sync(accept_older=True)
    assert (report.lists[0].outcome, report.lists[0].version) == (Outcome.UPDATED, "1.9.9")
    assert api_service.symbols() == ["ETH", "USDC", "OLD"]


async def test_trust_goes_down_the_lists(start: Start, host: ListHost) -> None:
    async with list_host() as second:
        host.serves(token_list(entry(OTHER, "DAI"), entry(USDC, "SCAM", decimals=18)))
        second.serves(token_list(entry(FAKE, "DAI"), entry(OTHER, "XXX"), entry("0x" + "11" * 20, "UЅDС")))
        api_service = start(host.url, second.url)
        await api_service.sync.sync()
        for _ in range(2):
            found = {name: api_service.catalog.find(ETH, name) for name in ("USDC", "DAI", "UЅDС", "SCAM", "XXX")}
            assert found["USDC"] == found["UЅDС"] == REAL
            assert found["DAI"] is not None
            assert found["DAI"].address == OTHER
            assert (found["SCAM"], found["XXX"]) == (None, None)
            # The trusted list's host failing must not let the next one move up.
            host.status, host.tagged = 500, False
            await api_service.sync.sync()


async def test_what_is_due_is_asked_for_once_by_all_processes(start: Start, host: ListHost, clock: Clock) -> None:
    host.serves(token_list(entry(OTHER, "DAI")))
    first, second = start(host.url), start(host.url)
    await first.sync.sync(due_only=True)
    report = await second.sync.sync(due_only=True)
    assert (report.lists, second.symbols(), len(host.asked)) == ((), ["ETH", "USDC", "DAI"], 1)
    clock.move(seconds=3601)
    await second.sync.sync(due_only=True)
    await first.sync.sync(due_only=True)
    assert len(host.asked) == 2


async def test_after_a_fault_a_host_is_left_in_peace_for_a_while(start: Start, host: ListHost, clock: Clock) -> None:
    host.status = 503
    api_service = start(host.url)
    for _ in range(3):
        await api_service.sync.sync(due_only=True)
    assert len(host.asked) == 1
    clock.move(seconds=301)
    host.status = 200
    host.serves(token_list(entry(OTHER, "DAI")))
    await api_service.sync.sync(due_only=True)
    assert api_service.symbols() == ["ETH", "USDC", "DAI"]


async def test_a_running_process_takes_over_what_another_fetched(start: Start, host: ListHost) -> None:
    host.serves(token_list(entry(OTHER, "DAI")))
    api_service = start(host.url)
    running = asyncio.create_task(api_service.sync.run())
    try:
        await api_service.lists("DAI")
        host.serves(token_list(entry(FAKE, "NEW"), version="1.0.1"))
        await start(host.url).sync.sync()
        await api_service.lists("NEW")
        assert api_service.symbols() == ["ETH", "USDC", "NEW"]
        assert len(host.asked) == 2
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


async def test_without_a_store_what_is_there_goes_on(http: HttpClient, clock: Clock, host: ListHost) -> None:
    engine = create_engine("postgresql://nobody@127.0.0.1:1/none")
    api_service = ApiService(http, engine, clock, [host.url], (REAL,))
    with pytest.raises(StoreUnavailable):
        await api_service.sync.sync()
    running = asyncio.create_task(api_service.sync.run())
    await asyncio.sleep(0.1)
    assert not running.done()
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    assert api_service.symbols() == ["ETH", "USDC"]
    await engine.dispose()


async def test_ten_thousand_tokens_are_taken_over(start: Start, host: ListHost) -> None:
    host.serves(token_list(*(entry(f"0x{number:040x}", f"T{number}") for number in range(1, 10_001))))
    api_service = start(host.url)
    report = await api_service.sync.sync()
    assert (report.lists[0].outcome, report.tokens) == (Outcome.UPDATED, 10_003)
    last = api_service.catalog.find(ETH, "t10000")
    assert last is not None
    assert int(last.address, 16) == 10_000


@pytest.mark.parametrize(
    ("url", "fine"),
    [
        ("https://lists.example/tokens.json", True),
        ("http://127.0.0.1:8000/tokens.json", True),
        ("http://localhost/tokens.json", True),
        ("http://lists.example/tokens.json", False),
        ("https://user:secret@lists.example/", False),
        ("file:///etc/passwd", False),
        ("ipfs://Qm", False),
        ("https:///path", False),
        ("https://lists.example:8443/x", True),
        ("https://lists.example:99999/x", False),
        ("https://lists.example:port/x", False),
        ("https://[::1/x", False),
        ("tokens.json", False),
    ],
)
def test_a_lists_address(url: str, fine: bool) -> None:
    assert (list_url_fault(url) is None) == fine


def test_an_address_is_shown_without_secrets() -> None:
    assert shown_url("https://user:secret@lists.example:444/a.json?key=secret#x") == "https://lists.example:444/a.json"


async def test_without_lists_there_is_nothing_to_keep(store_engine: AsyncEngine) -> None:
    assert await stored_lists(store_engine, []) == {}
