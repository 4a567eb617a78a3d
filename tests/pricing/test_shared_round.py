"""Several processes on one store ask for a price once in an interval, and all have what was found."""

import asyncio
from datetime import datetime, timedelta
from decimal import Decimal

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.gateways.postgres.engine import create_engine
from rhumbline.pricing.book import PriceBook
from rhumbline.pricing.checks import CLAIMED_FOR, PriceChecks
from rhumbline.pricing.entry import Windows
from tests.clocks import Clock
from tests.pricing.conftest import PricingFixture
from tests.pricing.exchange import NOW, USDC, WETH

NOBODY = "0x00000000000000000000000000000000000000aA"
MOMENT = timedelta(milliseconds=1)


async def four(pricing: PricingFixture, engine: AsyncEngine) -> list[PriceBook]:
    return [pricing.shared_book(engine) for _ in range(4)]


async def refreshed(books: list[PriceBook]) -> list[int]:
    return list(await asyncio.gather(*(book.refresh_due() for book in books)))


async def test_one_of_four_asks_and_all_know_who_agrees(pricing: PricingFixture, store_engine: AsyncEngine) -> None:
    books = await four(pricing, store_engine)
    for round_ in range(3):
        for book in books:
            book.read(1, WETH), book.read(1, USDC)
        before = pricing.exchange.calls()
        assert sum(await refreshed(books)) == 2
        asked = pricing.exchange.calls() - before
        alone = pricing.book()
        alone.read(1, WETH), alone.read(1, USDC)
        before = pricing.exchange.calls()
        await alone.refresh_due()
        # Two processes may have one token each, in a call each.
        assert asked <= 2 * (pricing.exchange.calls() - before)
        pricing.clock.move(seconds=1)
        assert await refreshed(books) == [0] * 4
        for book in books:
            snapshot = book.peek(1, WETH)
            assert (snapshot.usd, snapshot.source, snapshot.agreeing) == (Decimal(3000), "dexscreener", ("defillama",))
            assert not snapshot.stale
        assert len({book.peek(1, WETH).updated_at for book in books}) == 1, round_
        pricing.clock.move(seconds=Windows().hot_due.total_seconds())


async def test_a_price_is_there_from_round_to_round_though_time_goes_on_meanwhile(
    pricing: PricingFixture, store_engine: AsyncEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No two looks at a real clock are the same."""

    def looked_at(clock: Clock) -> datetime:
        clock.move(milliseconds=1)
        return clock.now

    monkeypatch.setattr(type(pricing.clock), "__call__", looked_at)
    first, second = pricing.shared_book(store_engine), pricing.shared_book(store_engine)
    for _ in range(4):
        for book in (first, second):
            book.read(1, WETH)
        assert await refreshed([first, second]) in ([1, 0], [0, 1])
        pricing.clock.move(seconds=1)
        await refreshed([first, second])
        assert [book.peek(1, WETH).usd for book in (first, second)] == [Decimal(3000)] * 2
        pricing.clock.move(seconds=Windows().hot_due.total_seconds())


async def test_a_token_that_no_source_knows_is_asked_for_once(
    pricing: PricingFixture, store_engine: AsyncEngine
) -> None:
    books = await four(pricing, store_engine)
    for book in books:
        book.read(1, NOBODY)
    assert sum(await refreshed(books)) == 1
    asked = pricing.exchange.calls()
    for _ in range(4):
        pricing.clock.move(seconds=60)
        await refreshed(books)
    assert pricing.exchange.calls() == asked
    assert [book.peek(1, NOBODY).awaited for book in books] == [False] * 4


async def test_a_doubt_of_one_is_a_doubt_of_all(pricing: PricingFixture, store_engine: AsyncEngine) -> None:
    first, second = pricing.shared_book(store_engine), pricing.shared_book(store_engine)
    for book in (first, second):
        book.read(1, WETH)
    await first.refresh_due()
    await second.refresh_due()
    pricing.clock.move(seconds=46)
    pricing.exchange.defillama.factor, pricing.exchange.coingecko.factor = Decimal(3), Decimal("0.01")
    assert await first.refresh_due() == 1
    assert await second.refresh_due() == 0
    assert [book.peek(1, WETH).usd for book in (first, second)] == [None, None]


async def test_what_a_killed_process_had_claimed_is_asked_by_another_before_it_is_stale(
    pricing: PricingFixture, store_engine: AsyncEngine
) -> None:
    book = pricing.shared_book(store_engine)
    book.read(1, WETH)
    await book.refresh_due()
    pricing.clock.move(seconds=45)
    checks = PriceChecks(store_engine)
    assert await checks.claim({(1, WETH): pricing.clock.now}, pricing.clock.now) == {(1, WETH)}
    asked = pricing.exchange.calls()
    while pricing.clock.now < NOW + timedelta(seconds=60) - MOMENT:
        assert await book.refresh_due() == 0
        pricing.clock.move(seconds=1)
    assert pricing.exchange.calls() == asked
    pricing.clock.move(seconds=1)
    assert await book.refresh_due() == 1
    assert book.peek(1, WETH).updated_at == pricing.clock.now
    assert Windows().hot_due + CLAIMED_FOR <= Windows().hot


async def test_sources_that_do_not_answer_are_not_asked_by_each_process(
    pricing: PricingFixture, store_engine: AsyncEngine
) -> None:
    for manner in (pricing.exchange.dexscreener, pricing.exchange.defillama, pricing.exchange.coingecko):
        manner.mode = "down"
    first, second = pricing.shared_book(store_engine), pricing.shared_book(store_engine)
    first.read(1, WETH), second.read(1, WETH)
    assert await first.refresh_due() == 1
    asked = pricing.exchange.calls()
    assert await second.refresh_due() == 0
    assert pricing.exchange.calls() == asked
    assert second.peek(1, WETH).refreshing


async def test_without_the_store_each_asks_for_itself(pricing: PricingFixture) -> None:
    nowhere = create_engine("postgresql://nobody@127.0.0.1:1/none", connect_timeout_s=0.5)
    book = pricing.shared_book(nowhere)
    book.read(1, WETH)
    assert await book.refresh_due() == 1
    assert book.peek(1, WETH).usd == Decimal(3000)
    await nowhere.dispose()
