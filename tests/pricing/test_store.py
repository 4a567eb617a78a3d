"""The last good prices in a real PostgreSQL."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from functools import partial
from itertools import permutations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import text, update
from sqlalchemy.ext.asyncio import AsyncEngine
from structlog.testing import capture_logs

from rhumbline.domain.errors import StoreUnavailable
from rhumbline.domain.price import PriceSnapshot, PriceTier, cut
from rhumbline.gateways.postgres.engine import create_engine
from rhumbline.pricing.book import PriceBook
from rhumbline.pricing.store import PriceStore, StoredPrice, prices
from tests.gateways.postgres.rings import rings
from tests.gateways.postgres.statements import statements
from tests.pricing.conftest import PricingFixture
from tests.pricing.exchange import NOW, SOLANA, USDC, WETH, WSOL
from tests.pricing.test_book import until

HOUR = timedelta(hours=1)


def kept(token: str, usd: str, age: timedelta = timedelta(0), chain: int = 1) -> StoredPrice:
    return StoredPrice((chain, token), Decimal(usd), "dexscreener", NOW - age)


async def test_the_newest_price_of_a_token_stays(store_engine: AsyncEngine) -> None:
    store = PriceStore(store_engine)
    await store.keep([kept(WETH, "3000", HOUR), kept(WSOL, "150.25", chain=SOLANA)])
    await store.keep([kept(WETH, "3001")])
    await store.keep([kept(WETH, "2999", 2 * HOUR)])
    assert set(await store.load(NOW - 3 * HOUR, 10)) == {kept(WETH, "3001"), kept(WSOL, "150.25", chain=SOLANA)}


async def test_thousands_at_once(store_engine: AsyncEngine) -> None:
    store = PriceStore(store_engine)
    many = [kept(f"0x{number:040d}", "1.5", timedelta(seconds=number)) for number in range(2_500)]
    with statements(store_engine) as seen:
        await store.keep(many)
        await store.keep([])
        await store.keep(many[:1])
    assert len(set(seen)) == 1, "each connection keeps a statement, so there is one for any number of rows"
    assert len(await store.load(NOW - timedelta(days=1), 50_000)) == 2_500
    assert await store.load(NOW - timedelta(days=1), 2) == (many[0], many[1])
    assert len(await store.load(NOW - timedelta(seconds=99), 50_000)) == 100


async def test_what_is_kept_leaves_nothing_to_the_garbage_collector(store_engine: AsyncEngine) -> None:
    store = PriceStore(store_engine)
    assert await rings(lambda: store.keep([kept(WETH, "3000")])) < 1


async def test_what_was_found_last_stays_price_or_doubt(store_engine: AsyncEngine) -> None:
    """In whatever order several processes write it."""
    store = PriceStore(store_engine)
    believed, again = kept(WETH, "3000", 2 * HOUR), kept(WETH, "2900", HOUR / 2)
    doubted = replace(believed, doubted_at=NOW - HOUR)
    for order in permutations((believed, doubted)):
        async with store_engine.begin() as connection:
            await connection.execute(text("TRUNCATE prices"))
        for price in order:
            await store.keep([price])
        assert await store.load(NOW - 3 * HOUR, 10) == (doubted,)
    await store.keep([again])
    assert await store.load(NOW - 3 * HOUR, 10) == (again,)
    await store.keep([doubted])
    assert await store.load(NOW - 3 * HOUR, 10) == (again,)


async def test_a_doubt_puts_no_newer_price_back_to_an_older_one(store_engine: AsyncEngine) -> None:
    """Who doubts knows less than who found a price meanwhile: what is in doubt is the newest of them."""
    store = PriceStore(store_engine)
    await store.keep([kept(WETH, "100", HOUR)])
    await store.keep([replace(kept(WETH, "3", 25 * HOUR), doubted_at=NOW)])
    assert await store.load(NOW - 3 * HOUR, 10) == (replace(kept(WETH, "100", HOUR), doubted_at=NOW),)


async def test_a_newer_price_of_an_older_version_is_no_doubt(store_engine: AsyncEngine) -> None:
    """It writes a price and knows nothing of the doubt beside it."""
    store = PriceStore(store_engine)
    await store.keep([replace(kept(WETH, "100", 3 * HOUR), doubted_at=NOW - 2 * HOUR)])
    async with store_engine.begin() as connection:
        await connection.execute(update(prices).values(usd=Decimal(90), updated_at=NOW - HOUR))
    assert await store.load(NOW - 4 * HOUR, 10) == (kept(WETH, "90", HOUR),)
    await store.keep([replace(kept(WETH, "100", 3 * HOUR), doubted_at=NOW - HOUR * 1.5)])
    assert await store.load(NOW - 4 * HOUR, 10) == (kept(WETH, "90", HOUR),)


async def test_old_prices_are_forgotten(store_engine: AsyncEngine) -> None:
    store = PriceStore(store_engine)
    await store.keep([kept(WETH, "3000", HOUR), kept(USDC, "1")])
    await store.forget(NOW - HOUR)
    assert len(await store.load(NOW - 2 * HOUR, 10)) == 2
    await store.forget(NOW - HOUR + timedelta(microseconds=1))
    assert await store.load(NOW - 2 * HOUR, 10) == (kept(USDC, "1"),)


@given(st.lists(st.decimals(min_value="1e-24", max_value="1e7").filter(lambda x: x > 0), max_size=5))
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
async def test_a_price_comes_back_as_it_was(store_engine: AsyncEngine, values: list[Decimal]) -> None:
    store = PriceStore(store_engine)
    async with store_engine.begin() as connection:
        await connection.execute(text("TRUNCATE prices"))
    prices = [kept(f"0x{place:040d}", str(cut(value))) for place, value in enumerate(values)]
    await store.keep(prices)
    assert set(await store.load(NOW, 10)) == set(prices)


async def test_a_book_answers_after_a_restart_from_the_store(
    pricing: PricingFixture, store_engine: AsyncEngine
) -> None:
    store = PriceStore(store_engine)
    before = pricing.book(store=store)
    await before.load()
    before.read(1, WETH)
    await before.refresh_due()
    assert before.peek(1, WETH).agreeing == ("defillama",)
    pricing.clock.move(seconds=30)
    after = pricing.book(store=store, pinned=((1, WETH),))
    assert after.peek(1, WETH).usd is None
    calls = pricing.exchange.calls()
    await after.load()
    assert after.read(1, WETH) == PriceSnapshot(1, WETH, Decimal(3000), "dexscreener", NOW, False, PriceTier.HOT, False)
    assert after.peek(1, WETH).agreeing == (), "nobody has confirmed it to this process"
    assert pricing.exchange.calls() == calls
    assert await after.refresh_due() == 0
    pricing.clock.move(seconds=30.001)
    assert after.read(1, WETH).stale
    assert await after.refresh_due() == 1
    assert [price.updated_at for price in await store.load(NOW, 10)] == [pricing.clock.now]


async def test_what_is_loaded_bounds_what_is_believed(pricing: PricingFixture, store_engine: AsyncEngine) -> None:
    """A lie right after a restart is measured against the price from before it."""
    store = PriceStore(store_engine)
    await store.keep([kept(WETH, "3000", timedelta(minutes=5))])
    pricing.exchange.dexscreener.factor = Decimal(10)
    book = pricing.book(pricing.sources.dexscreener, store=store)
    await book.load()
    book.read(1, WETH)
    await book.refresh_due()
    assert book.read(1, WETH).usd is None
    assert [price.usd for price in await store.load(NOW - HOUR, 10)] == [Decimal(3000)]


async def test_a_doubted_price_is_doubted_after_a_restart(pricing: PricingFixture, store_engine: AsyncEngine) -> None:
    """It is the measure of what comes next, and shown again only when that can be believed."""
    store = PriceStore(store_engine)
    before = pricing.book(store=store)
    before.read(1, WETH)
    assert await before.refresh_due() == 1
    pricing.clock.move(seconds=60)
    pricing.exchange.defillama.factor, pricing.exchange.coingecko.factor = Decimal(3), Decimal("0.01")
    await before.refresh_due()
    assert before.peek(1, WETH).usd is None

    pricing.clock.move(seconds=30)
    manners = (pricing.exchange.dexscreener, pricing.exchange.defillama, pricing.exchange.coingecko)
    for manner in manners:
        manner.mode = "down"
    silent = pricing.book(store=store)
    await silent.load()
    assert silent.read(1, WETH) == PriceSnapshot(1, WETH, None, None, None, True, PriceTier.COLD, True)
    pricing.clock.move(seconds=60)
    assert await silent.refresh_due() == 1
    assert silent.peek(1, WETH).usd is None

    for manner in manners:
        manner.mode, manner.factor = "well", Decimal(20)
    pricing.clock.move(seconds=600)
    lied_to = pricing.book(store=store)
    await lied_to.load()
    lied_to.read(1, WETH)
    assert await lied_to.refresh_due() == 1
    assert lied_to.peek(1, WETH).usd is None

    for manner in manners:
        manner.factor = Decimal(1)
    pricing.clock.move(seconds=600)
    well = pricing.book(store=store)
    await well.load()
    well.read(1, WETH)
    assert await well.refresh_due() == 1
    assert well.peek(1, WETH).usd == Decimal(3000)
    assert await store.load(NOW, 10) == (
        StoredPrice((1, WETH), Decimal(3000), "dexscreener", pricing.clock.now, agreeing=("defillama",)),
    )


async def test_what_cannot_be_right_is_not_loaded(pricing: PricingFixture, store_engine: AsyncEngine) -> None:
    store = PriceStore(store_engine)
    await store.keep(
        [kept(WETH, "3000", timedelta(days=1, seconds=1)), kept(USDC, "1", -HOUR), kept(WETH, "1", chain=7)]
    )
    book = pricing.book(store=store)
    await book.load()
    assert [book.peek(chain, token).usd for chain, token in ((1, WETH), (1, USDC), (7, WETH))] == [None] * 3


async def test_prices_go_on_without_the_store(pricing: PricingFixture) -> None:
    nowhere = create_engine("postgresql://nobody@127.0.0.1:1/none", connect_timeout_s=0.5)
    book = pricing.book(store=PriceStore(nowhere))
    await book.load()
    book.read(1, WETH)
    assert await book.refresh_due() == 1
    assert book.read(1, WETH).usd == Decimal(3000)
    with pytest.raises(StoreUnavailable):
        await PriceStore(nowhere).load(NOW, 1)
    await nowhere.dispose()


def has_price(book: PriceBook, token: str) -> bool:
    return book.read(1, token).usd is not None


async def test_a_broken_store_does_not_end_the_loop(pricing: PricingFixture, store_engine: AsyncEngine) -> None:
    async with store_engine.begin() as connection:
        await connection.execute(text("DROP TABLE prices"))
    book = pricing.book(store=PriceStore(store_engine))
    with capture_logs() as logs:
        loop = asyncio.create_task(book.run())
        for token in (WETH, USDC):
            book.read(1, token)
            await until(partial(has_price, book, token))
        assert not loop.done()
        loop.cancel()
        await asyncio.gather(loop, return_exceptions=True)
    assert [entry["event"] for entry in logs][:1] == ["price_round_broke"]
