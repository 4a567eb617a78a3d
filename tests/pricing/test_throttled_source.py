"""One source at its pace, within its deadline, and left alone after failures."""

import asyncio
from dataclasses import replace
from decimal import Decimal

import pytest

from rhumbline.gateways.upstreams.guard.guard import UpstreamGuard
from rhumbline.pricing.throttled_source import Patience, ThrottledSource
from tests.pricing.conftest import CALL_S, PricingFixture
from tests.pricing.exchange import SOLANA, SOLANA_USDC, WETH
from tests.pricing.test_book import BUSY_S, HOT, Broken, asked_and_refreshed, state, stranger


async def test_a_failing_source_is_left_alone_ever_longer(pricing: PricingFixture) -> None:
    pricing.exchange.defillama.mode = "down"
    book = pricing.book(pricing.sources.defillama)
    book.read(1, WETH)
    calls = []
    for _ in range(600):
        await book.refresh_due()
        calls.append(len(pricing.exchange.defillama.calls))
        pricing.clock.move(seconds=1)
    assert 5 < calls[-1] < 12
    pricing.exchange.defillama.mode = "well"
    pricing.clock.move(seconds=300)
    await book.refresh_due()
    assert book.read(1, WETH).usd == Decimal(3000)


async def test_a_slow_source_is_given_up_and_the_next_one_asked(
    pricing: PricingFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The slow one never answers; the loop's clock goes on by all the patience with it, once it was asked."""
    pricing.exchange.dexscreener.mode = "slow"
    book = pricing.book(hurried=pricing.sources.dexscreener)
    book.read(1, WETH)
    refreshed = asyncio.create_task(book.refresh_due())
    await asyncio.wait_for(pricing.exchange.dexscreener.asked.wait(), BUSY_S)
    loop = asyncio.get_running_loop()
    genuine = loop.time
    monkeypatch.setattr(loop, "time", lambda: genuine() + CALL_S / 2)
    assert await asyncio.wait_for(refreshed, BUSY_S) == 1
    assert state(book.read(1, WETH)) == ("3000", False, HOT, False)
    assert book.read(1, WETH).source == "defillama"
    assert pricing.exchange.dexscreener.calls == [[WETH]]


async def test_batches_are_as_large_as_the_source_takes(pricing: PricingFixture) -> None:
    book = pricing.book(pricing.sources.dexscreener, pricing.sources.defillama)
    for number in range(1, 101):
        book.read(1, stranger(number))
    book.read(SOLANA, SOLANA_USDC)
    assert await book.refresh_due() == 101
    assert sorted(len(call) for call in pricing.exchange.dexscreener.calls) == [1, 10, 30, 30, 30]
    assert sorted(len(call) for call in pricing.exchange.defillama.calls) == [1, 50, 50]


async def test_a_source_that_breaks_is_one_source_less(pricing: PricingFixture) -> None:
    book = pricing.book(Broken(), pricing.sources.defillama)
    await asked_and_refreshed(book, WETH)
    assert book.read(1, WETH).source == "defillama"


async def test_a_source_is_asked_at_its_own_pace(pricing: PricingFixture) -> None:
    """Sixty tokens are two calls; the second one waits for its time, and a round takes no more than fits into it."""
    source = pricing.sources.dexscreener
    guarded = replace(source.upstream, guard=UpstreamGuard("dexscreener"))
    paced = replace(source, interval_s=0.5, upstream=guarded)
    # By this clock a call takes no time at all.
    throttled = ThrottledSource(paced, Patience(call_s=BUSY_S, round_s=1.0), lambda: pricing.clock().timestamp())
    assert throttled.capacity == 60
    loop = asyncio.get_running_loop()
    began = loop.time()
    answer = await throttled.ask([(1, stranger(number)) for number in range(1, 101)])
    assert loop.time() - began >= 0.5
    assert (len(answer), [len(call) for call in pricing.exchange.dexscreener.calls]) == (60, [30, 30])
