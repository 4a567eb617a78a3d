"""What is said of a token at a moment."""

from tests.pricing.conftest import PricingFixture
from tests.pricing.exchange import NOW, WETH
from tests.pricing.test_book import COLD, HOT, asked_and_refreshed, state, stranger


async def test_staleness_is_true_to_the_clock(pricing: PricingFixture) -> None:
    book = pricing.book()
    await asked_and_refreshed(book, WETH)
    pricing.clock.move(seconds=44.999)
    assert state(book.read(1, WETH)) == ("3000", False, HOT, False)
    pricing.clock.move(seconds=0.001)
    assert state(book.read(1, WETH)) == ("3000", False, HOT, True)
    pricing.clock.move(seconds=15)
    assert state(book.read(1, WETH)) == ("3000", False, HOT, True)
    pricing.clock.move(seconds=0.001)
    assert state(book.read(1, WETH)) == ("3000", True, HOT, True)
    assert book.read(1, WETH).updated_at == NOW
    assert await book.refresh_due() == 1
    assert state(book.read(1, WETH)) == ("3000", False, HOT, False)
    assert book.read(1, WETH).updated_at == pricing.clock.now


async def test_a_token_cools_down_and_warms_up(pricing: PricingFixture) -> None:
    book = pricing.book()
    await asked_and_refreshed(book, WETH)
    for _ in range(15):
        pricing.clock.move(seconds=60)
        assert state(book.peek(1, WETH))[2] is HOT
        assert await book.refresh_due() == 1
    pricing.clock.move(seconds=0.001)
    assert state(book.peek(1, WETH)) == ("3000", False, COLD, False)
    pricing.clock.move(seconds=719)
    assert await book.refresh_due() == 0
    assert state(book.peek(1, WETH)) == ("3000", False, COLD, False)
    pricing.clock.move(seconds=1)
    assert state(book.peek(1, WETH)) == ("3000", False, COLD, True)
    pricing.clock.move(seconds=180)
    assert state(book.peek(1, WETH)) == ("3000", True, COLD, True)
    # Whoever asks gets what there is, as it was kept until now; from then on the token is hot.
    assert state(book.read(1, WETH)) == ("3000", True, COLD, True)
    assert state(book.peek(1, WETH)) == ("3000", True, HOT, True)


async def test_a_cold_price_is_due_when_somebody_asks(pricing: PricingFixture) -> None:
    book = pricing.book()
    book.follow([(1, WETH)])
    assert await book.refresh_due() == 1
    pricing.clock.move(seconds=300)
    assert state(book.peek(1, WETH)) == ("3000", False, COLD, False)
    assert state(book.read(1, WETH)) == ("3000", False, COLD, True)
    assert await book.refresh_due() == 1


async def test_a_price_is_awaited_until_a_source_has_told_whatever_it_told(pricing: PricingFixture) -> None:
    """So that an outage of the sources is told apart from a token that they know no price of."""
    book = pricing.book(pricing.sources.defillama)
    assert book.read(1, WETH).awaited
    assert book.read(1, stranger(1)).awaited
    await book.refresh_due()
    assert [book.read(1, token).awaited for token in (WETH, stranger(1))] == [False, False]
    pricing.exchange.defillama.mode = "down"
    book.read(1, stranger(2))
    await book.refresh_due()
    assert book.read(1, stranger(2)).awaited, "nobody could be asked"
    pricing.clock.move(seconds=61)
    await book.refresh_due()
    price = book.read(1, WETH)
    assert (price.stale, price.awaited) == (True, True)
    assert not book.read(1, stranger(1)).awaited, "they have told that they know none"
    pricing.clock.move(seconds=86_400)
    assert book.read(1, WETH).awaited


async def test_a_price_older_than_a_day_is_no_price(pricing: PricingFixture) -> None:
    book = pricing.book(pricing.sources.defillama)
    await asked_and_refreshed(book, WETH)
    pricing.exchange.defillama.mode = "down"
    pricing.clock.move(seconds=86_400)
    assert state(book.read(1, WETH))[0] == "3000"
    pricing.clock.move(seconds=0.001)
    assert state(book.read(1, WETH)) == (None, True, HOT, True)
