"""Two sources for every token, more where these do not settle it."""

from tests.pricing.conftest import PricingFixture
from tests.pricing.exchange import USDC, USDT, WETH
from tests.pricing.test_book import asked_and_refreshed


async def test_sources_fall_back(pricing: PricingFixture) -> None:
    book = pricing.book()
    pricing.exchange.dexscreener.mode = "down"
    await asked_and_refreshed(book, WETH, USDC)
    assert [book.read(1, token).source for token in (WETH, USDC)] == ["defillama"] * 2
    pricing.exchange.defillama.mode = "html"
    pricing.clock.move(seconds=60)
    await book.refresh_due()
    assert [book.read(1, token).source for token in (WETH, USDC)] == ["coingecko"] * 2


async def test_a_third_source_is_asked_only_when_two_do_not_settle_it(pricing: PricingFixture) -> None:
    book = pricing.book()
    await asked_and_refreshed(book, WETH, USDC, USDT)
    assert pricing.exchange.coingecko.calls == []
    pricing.exchange.defillama.unknown = {USDT}
    pricing.clock.move(seconds=60)
    await book.refresh_due()
    assert pricing.exchange.coingecko.calls == [[USDT]]
