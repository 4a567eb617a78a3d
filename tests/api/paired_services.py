"""Two services that live the same life: one may answer hot requests before its application, the other never does."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import partial
from hashlib import sha256
from unittest.mock import patch

from starlette.types import ASGIApp, Receive, Scope, Send

from rhumbline.accounts.counters import Limiter, LocalCounters
from rhumbline.accounts.rate_limits import Tiers
from rhumbline.api.hot.front import HotApp
from rhumbline.api.http.encoded_bodies import EncodedBodies
from rhumbline.api.metrics.service_metrics import ServiceMetrics
from rhumbline.api.server import application
from rhumbline.api.server.application import create_app
from rhumbline.api.server.listener import Tls, reserve, serve
from rhumbline.catalog.chains import ChainCatalog
from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.domain.account import ApiClient
from rhumbline.domain.price import PriceKey, PriceQuote
from rhumbline.domain.rate import Limit
from rhumbline.domain.token import Token
from rhumbline.pricing.book import PriceBook
from rhumbline.pricing.throttled_source import ThrottledSource
from tests.api.api_service import BASE, ETH, KEY, SOLANA, TOKENS, ApiService, services
from tests.api.limited_service import Watch

MANY = 2_500
ONCE = frozenset({"date", "x-request-id"})
"""Headers that differ between any two answers."""


@dataclass(frozen=True)
class Reply:
    """A response as it came; ``fields`` are its headers in lower case, sorted, without those that always differ."""

    status: int
    fields: tuple[tuple[str, str], ...]
    body: bytes
    name: str
    is_dated: bool

    def field(self, name: str) -> str:
        return dict(self.fields)[name]


class Counted:
    """Counts the requests that reach the application."""

    def __init__(self, app: ASGIApp, service: "PairedService") -> None:
        self.app = app
        self.service = service

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.service.reached += 1
        await self.app(scope, receive, send)


class MadePrices:
    """A price source in memory."""

    name, batch_size, interval_s = "made", 100, 0.0

    def __init__(self, watch: Watch) -> None:
        self.watch = watch

    def covers(self, chain_id: int, /) -> bool:
        return True

    async def prices(self, tokens: Sequence[PriceKey], /) -> Mapping[PriceKey, PriceQuote]:
        return {token: PriceQuote(Decimal(len(token[1])), Decimal(10**9), self.watch()) for token in tokens}


@dataclass
class PairedService:
    """One of the two services; ``keys`` are those whose owner is known without asking."""

    watch: Watch
    tiers: Tiers
    api_service: ApiService = field(default_factory=ApiService)
    metrics: ServiceMetrics = field(default_factory=ServiceMetrics)
    known: dict[str, ApiClient] = field(default_factory=dict)
    reached: int = 0
    port: int = 0

    def __post_init__(self) -> None:
        chains = ChainCatalog((ETH, BASE, SOLANA))
        self.book = PriceBook(chains, [ThrottledSource(MadePrices(self.watch))], self.watch)
        self.limiter = Limiter(self.tiers, LocalCounters(self.watch))
        self.tokens = TokenCatalog(chains, (*TOKENS, *many_tokens()), {})

    def known_caller(self, key: str | None) -> ApiClient | None:
        return ApiClient() if key is None else self.known.get(key)

    async def caller(self, key: str | None) -> ApiClient:
        caller = await self.api_service.caller(key)
        if key is not None:
            self.known[key] = caller
        return caller

    def app(self, *, is_hot: bool) -> HotApp:
        # Bodies do not age by the true clock: under load one of the two would build anew before the other.
        with patch.object(application, "EncodedBodies", partial(EncodedBodies, clock=lambda: 0.0)):
            app = create_app(
                replace(
                    services(self.api_service, {}),
                    tokens=self.tokens,
                    prices=self.book.read,
                    listed_prices=self.book.peek,
                    cached_prices=self.book.read_all,
                    accounts=self.caller,
                    known_caller=self.known_caller,
                    limiter=self.limiter,
                    metrics=self.metrics,
                )
            )
        if not is_hot:
            app.hot = None
        app.add_middleware(Counted, self)
        return app

    async def tell(self, data: bytes, replies: int, parts: Sequence[int] = ()) -> list[Reply]:
        """Send bytes on a connection of their own, cut at ``parts``; return so many replies, fewer if it is closed."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            for start, end in zip([0, *parts], [*parts, len(data)], strict=True):
                writer.write(data[start:end])
                await writer.drain()
                await asyncio.sleep(0)
            async with asyncio.timeout(20):
                return await read_replies(reader, replies)
        finally:
            writer.close()


async def read_replies(reader: asyncio.StreamReader, replies: int) -> list[Reply]:
    """Read so many replies, or as many as come before the end; interim ones count."""
    found: list[Reply] = []
    with suppress(asyncio.IncompleteReadError):
        while len(found) < replies:
            found.append(await _reply(reader))
    return found


async def _reply(reader: asyncio.StreamReader) -> Reply:
    lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    version, status = lines[0].split(" ")[:2]
    assert version == "HTTP/1.1"
    pairs = [(name.lower(), value) for name, _, value in (line.partition(": ") for line in lines[1:] if line)]
    headers = dict(pairs)
    assert len(headers) == len(pairs), pairs
    size = 0 if status in ("100", "204", "304") else int(headers["content-length"])
    kept = tuple(sorted(pair for pair in pairs if pair[0] not in ONCE))
    body = await reader.readexactly(size)
    return Reply(int(status), kept, body, headers.get("x-request-id", ""), "date" in headers)


def many_tokens() -> list[Token]:
    """Return tokens enough for a body that no socket takes at once."""
    names = [sha256(number.to_bytes(8)).hexdigest() for number in range(MANY)]
    # Without letters an address is its own checksum.
    return [Token(8453, f"0x{place:040d}", name[:7], 18, f"Token {name}") for place, name in enumerate(names, 1)]


def request(target: str, headers: Mapping[str, str] | None = None, method: str = "GET") -> bytes:
    """Write a request."""
    lines = [f"{method} {target} HTTP/1.1", "host: rhumbline.example"]
    lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


@dataclass(frozen=True)
class PairedServices:
    """Both, under one clock."""

    hot: PairedService
    plain: PairedService
    watch: Watch

    async def tell(self, data: bytes, replies: int = 1, parts: Sequence[int] = ()) -> list[Reply]:
        """Tell both the same, check that they answer the same, and return what they answer."""
        hot = await self.hot.tell(data, replies, parts)
        plain = await self.plain.tell(data, replies)
        assert [replace(each, name="") for each in hot] == [replace(each, name="") for each in plain]
        assert all(len(one.name) == len(other.name) for one, other in zip(hot, plain, strict=True))
        return hot

    async def refresh(self) -> None:
        for service in (self.hot, self.plain):
            await service.book.refresh_due()


@asynccontextmanager
async def paired_services(
    limit: int = 10**6, tls: Tls | None = None, trusted_proxies: Sequence[str] = ()
) -> AsyncIterator[PairedServices]:
    """Serve both."""
    watch, tiers = Watch(), Tiers(Limit(limit, 7200), Limit(limit, 60))
    both = PairedServices(PairedService(watch, tiers), PairedService(watch, tiers), watch)
    tasks = []
    for service, is_hot in ((both.hot, True), (both.plain, False)):
        listener = reserve("127.0.0.1", 0)
        service.port = listener.getsockname()[1]
        service.known[KEY] = service.api_service.key_owner
        app = service.app(is_hot=is_hot)
        tasks.append(asyncio.create_task(serve(app, listener, tls=tls, trusted_proxies=trusted_proxies, grace_s=2)))
    try:
        yield both
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
