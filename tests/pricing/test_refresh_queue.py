"""What is refreshed first, and that nothing due is forgotten or asked twice."""

import asyncio

from rhumbline.pricing.book import Bounds
from tests.pricing.conftest import PricingFixture
from tests.pricing.exchange import DAI, USDC, USDT, WETH
from tests.pricing.test_book import BUSY_S, COLD, HOT, asked_and_refreshed, state, stranger


async def test_one_token_is_never_asked_for_twice_at_once(pricing: PricingFixture) -> None:
    pricing.exchange.defillama.mode = "slow"
    book = pricing.book(pricing.sources.defillama)
    book.read(1, WETH)
    rounds = [asyncio.create_task(book.refresh_due()) for _ in range(5)]
    await asyncio.wait_for(pricing.exchange.defillama.asked.wait(), BUSY_S)
    book.read(1, WETH)
    assert book.read(1, WETH).refreshing
    assert await book.refresh_due() == 0
    pricing.exchange.defillama.release.set()
    assert sorted(await asyncio.gather(*rounds)) == [0, 0, 0, 0, 1]
    assert pricing.exchange.defillama.calls == [[WETH]]


async def test_what_cools_while_nobody_can_be_asked_is_not_forgotten(pricing: PricingFixture) -> None:
    """A token that is due as a hot one, and cold when its sources can be asked again, is due later, not never."""
    book = pricing.book(pricing.sources.defillama)
    book.follow([(1, WETH)])
    await asked_and_refreshed(book, WETH)
    pricing.clock.move(seconds=14 * 60)
    assert await book.refresh_due() == 1
    # Another token's question lets the source rest, for the 77 s that it asks for.
    pricing.exchange.defillama.mode = "busy"
    pricing.clock.move(seconds=44)
    book.read(1, USDC)
    assert await book.refresh_due() == 1
    pricing.exchange.defillama.mode = "well"
    pricing.clock.move(seconds=2)
    assert (state(book.peek(1, WETH)), await book.refresh_due()) == (("3000", False, HOT, True), 0)
    pricing.clock.move(seconds=76)
    assert (state(book.peek(1, WETH)), await book.refresh_due()) == (("3000", False, COLD, False), 1)
    assert pricing.exchange.defillama.calls[-1] == [USDC]
    pricing.clock.move(seconds=598)
    assert WETH not in [token for call in pricing.exchange.defillama.calls[3:] for token in call]
    while await book.refresh_due():
        pass
    assert WETH in pricing.exchange.defillama.calls[-1]
    assert book.peek(1, WETH).updated_at == pricing.clock.now


async def test_hot_comes_before_unknown_before_cold(pricing: PricingFixture) -> None:
    book = pricing.book(pricing.sources.defillama, bounds=Bounds(round=2))
    await asked_and_refreshed(book, WETH, USDC)
    pricing.clock.move(seconds=60)
    book.follow([(1, DAI), (1, USDT)])
    for number in (1, 2):
        book.read(1, stranger(number))
    pricing.exchange.defillama.calls.clear()
    while await book.refresh_due():
        pass
    assert [set(call) for call in pricing.exchange.defillama.calls] == [
        {WETH, USDC},
        {stranger(1), stranger(2)},
        {DAI, USDT},
    ]
