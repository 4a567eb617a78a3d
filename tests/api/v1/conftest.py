"""Prices that are asked for over HTTP, of a book whose source and clock a test moves."""

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, replace

import aiohttp
import pytest

from rhumbline.api.server.application import create_app
from rhumbline.api.v1.prices import PRICES
from rhumbline.gateways.upstreams.upstream import open_upstream
from rhumbline.pricing.book import Bounds, PriceBook
from rhumbline.pricing.sources.defillama import DefiLlama
from rhumbline.pricing.throttled_source import ThrottledSource
from tests.api.api_service import BASE, ETH, SOLANA, ApiService, services
from tests.api.conftest import Client, served
from tests.clocks import Clock
from tests.pricing.exchange import NOW, WETH, Exchange, open_exchange


@dataclass(frozen=True)
class Counter:
    """The endpoint on a book of its own; sources are asked only when the test lets the book refresh."""

    client: Client
    book: PriceBook
    clock: Clock
    exchange: Exchange

    async def prices(self, query: Mapping[str, str]) -> list[dict[str, object]]:
        answer = await self.client.ask(PRICES, query)
        assert answer.status == 200, answer.text
        assert set(answer.json) == {"prices"}
        prices: list[dict[str, object]] = answer.json["prices"]
        return prices


@pytest.fixture
async def counter() -> AsyncIterator[Counter]:
    clock = Clock(NOW)
    async with (
        open_exchange(clock) as exchange,
        open_upstream("defillama", exchange.url + "/llama") as upstream,
        aiohttp.ClientSession() as session,
    ):
        chains = (replace(ETH, wrapped_native=WETH), BASE, SOLANA)
        source = ThrottledSource(DefiLlama(upstream, interval_s=0), seconds=lambda: clock().timestamp())
        book = PriceBook(chains, [source], clock, bounds=Bounds(unknown=40))
        offered = replace(services(ApiService(), {}), prices=book.read, clock=clock)
        app = create_app(offered)
        async with served(app) as (url, port):
            yield Counter(Client(url, port, session), book, clock, exchange)
