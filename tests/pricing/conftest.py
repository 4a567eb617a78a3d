from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.gateways.upstreams.upstream import Upstream, open_upstream
from rhumbline.pricing.book import Bounds, PriceBook
from rhumbline.pricing.checks import PriceChecks
from rhumbline.pricing.shared_round import SharedRound
from rhumbline.pricing.source import PriceSource
from rhumbline.pricing.sources import coingecko, jupiter
from rhumbline.pricing.sources.coingecko import CoinGecko
from rhumbline.pricing.sources.defillama import DefiLlama
from rhumbline.pricing.sources.dexscreener import DexScreener
from rhumbline.pricing.sources.jupiter import Jupiter
from rhumbline.pricing.store import PriceStore
from rhumbline.pricing.throttled_source import Patience, ThrottledSource
from tests.clocks import Clock
from tests.pricing.exchange import CHAINS, DEMO_KEY, JUPITER_KEY, NOW, Exchange, open_exchange

CALL_S = 60.0


@dataclass(frozen=True)
class Sources:
    dexscreener: DexScreener
    defillama: DefiLlama
    jupiter: Jupiter
    coingecko: CoinGecko

    def all(self) -> tuple[PriceSource, ...]:
        return (self.dexscreener, self.defillama, self.jupiter, self.coingecko)


@dataclass(frozen=True)
class PricingFixture:
    """Books on the emulated sources, without their pace; a source rests by the same clock as everything else.

    Each call may take `CALL_S` of real time, so that a busy machine decides nothing; of the ``hurried`` source half of
    that.
    """

    clock: Clock
    exchange: Exchange
    sources: Sources

    def throttled_sources(self, *sources: PriceSource, hurried: PriceSource | None = None) -> list[ThrottledSource]:
        chosen = sources or (self.sources.dexscreener, self.sources.defillama, self.sources.coingecko)
        return [
            ThrottledSource(
                source, Patience(call_s=CALL_S / 2 if source is hurried else CALL_S), lambda: self.clock().timestamp()
            )
            for source in chosen
        ]

    def book(
        self,
        *sources: PriceSource,
        pinned: tuple[tuple[int, str], ...] = (),
        store: PriceStore | None = None,
        bounds: Bounds | None = None,
        hurried: PriceSource | None = None,
        shared: SharedRound | None = None,
    ) -> PriceBook:
        throttled_sources = self.throttled_sources(*sources, hurried=hurried)
        return PriceBook(
            CHAINS, throttled_sources, self.clock, pinned=pinned, store=store, bounds=bounds, shared=shared
        )

    def shared_book(self, engine: AsyncEngine, *sources: PriceSource) -> PriceBook:
        """Return the book of one of several processes on a store."""
        return self.book(*sources, store=PriceStore(engine), shared=SharedRound(PriceChecks(engine)))


@pytest.fixture
def clock() -> Clock:
    return Clock(NOW)


@pytest.fixture
async def exchange(clock: Clock) -> AsyncIterator[Exchange]:
    async with open_exchange(clock) as opened:
        yield opened


@pytest.fixture
async def sources(exchange: Exchange, clock: Clock) -> AsyncIterator[Sources]:
    async with AsyncExitStack() as stack:

        async def upstream(name: str, path: str, **headers: str) -> Upstream:
            named = {header.replace("_", "-"): value for header, value in headers.items()}
            return await stack.enter_async_context(
                open_upstream(name, exchange.url + path, headers=named, timeout_s=2 * CALL_S)
            )

        yield Sources(
            DexScreener(await upstream("dexscreener", "/dex"), clock, interval_s=0),
            DefiLlama(await upstream("defillama", "/llama"), interval_s=0),
            Jupiter(await upstream("jupiter", "/jup", **{jupiter.KEY_HEADER: JUPITER_KEY}), clock, interval_s=0),
            CoinGecko(await upstream("coingecko", "/gecko", **{coingecko.KEY_HEADER: DEMO_KEY}), interval_s=0),
        )


@pytest.fixture
def pricing(clock: Clock, exchange: Exchange, sources: Sources) -> PricingFixture:
    return PricingFixture(clock, exchange, sources)
