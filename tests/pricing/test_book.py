"""The price book on emulated sources, with a clock that the test moves."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest

from rhumbline.domain.chain import NATIVE_EVM, NATIVE_EVM_ALIAS, NATIVE_SVM
from rhumbline.domain.price import PriceKey, PriceQuote, PriceSnapshot, PriceTier
from rhumbline.gateways.upstreams.guard.guard import UpstreamGuard
from rhumbline.pricing.book import Bounds, PriceBook
from rhumbline.pricing.throttled_source import Patience, ThrottledSource
from tests.pricing.conftest import CALL_S, PricingFixture
from tests.pricing.exchange import DAI, NOW, SOLANA, SOLANA_USDC, USDC, USDT, WETH, WSOL

# What is awaited comes at once, unless the machine is busy: that decides nothing.
BUSY_S = 60
HOT, COLD = PriceTier.HOT, PriceTier.COLD


def stranger(number: int) -> str:
    """An address whose checksum is itself: it has no letters."""
    return f"0x{number:040d}"


async def until(holds: Callable[[], bool]) -> None:
    """Let other tasks go on until something holds; a minute at the most, for a machine that is busy."""
    for _ in range(12_000):
        if holds():
            return
        await asyncio.sleep(0.005)
    raise AssertionError("it does not come to hold")


def state(snapshot: PriceSnapshot) -> tuple[str | None, bool, PriceTier, bool]:
    return (None if snapshot.usd is None else str(snapshot.usd), snapshot.stale, snapshot.tier, snapshot.refreshing)


async def asked_and_refreshed(book: PriceBook, *tokens: str) -> None:
    for token in tokens:
        book.read(1, token)
    assert await book.refresh_due() == len(tokens)


async def test_a_price_never_seen_is_scheduled_and_then_there(pricing: PricingFixture) -> None:
    book = pricing.book()
    assert book.read(1, WETH) == PriceSnapshot(1, WETH, None, None, None, True, COLD, True, awaited=True)
    assert pricing.exchange.calls() == 0
    assert await book.refresh_due() == 1
    assert book.read(1, WETH) == PriceSnapshot(
        1, WETH, Decimal(3000), "dexscreener", NOW, False, HOT, False, agreeing=("defillama",)
    )
    assert await book.refresh_due() == 0


async def test_a_price_tells_who_agrees_with_it_as_long_as_somebody_does(pricing: PricingFixture) -> None:
    book = pricing.book()
    await asked_and_refreshed(book, WETH)
    assert book.peek(1, WETH).agreeing == ("defillama",)
    for unknown, agreeing in (({WETH}, ("coingecko",)), (set(), ("defillama",))):
        pricing.exchange.defillama.unknown = unknown
        pricing.clock.goes_on(45)
        assert await book.refresh_due() == 1
        assert book.peek(1, WETH).agreeing == agreeing
    pricing.exchange.defillama.unknown = pricing.exchange.coingecko.unknown = {WETH}
    pricing.clock.goes_on(45)
    assert await book.refresh_due() == 1
    assert (book.peek(1, WETH).source, book.peek(1, WETH).agreeing) == ("dexscreener", ())
    pricing.exchange.defillama.unknown, pricing.exchange.defillama.factor = set(), Decimal(2)
    pricing.clock.goes_on(45)
    assert await book.refresh_due() == 1
    assert (book.peek(1, WETH).usd, book.peek(1, WETH).agreeing) == (None, ())


async def test_staleness_is_true_to_the_clock(pricing: PricingFixture) -> None:
    book = pricing.book()
    await asked_and_refreshed(book, WETH)
    pricing.clock.goes_on(44.999)
    assert state(book.read(1, WETH)) == ("3000", False, HOT, False)
    pricing.clock.goes_on(0.001)
    assert state(book.read(1, WETH)) == ("3000", False, HOT, True)
    pricing.clock.goes_on(15)
    assert state(book.read(1, WETH)) == ("3000", False, HOT, True)
    pricing.clock.goes_on(0.001)
    assert state(book.read(1, WETH)) == ("3000", True, HOT, True)
    assert book.read(1, WETH).updated_at == NOW
    assert await book.refresh_due() == 1
    assert state(book.read(1, WETH)) == ("3000", False, HOT, False)
    assert book.read(1, WETH).updated_at == pricing.clock.now


async def test_a_token_cools_down_and_warms_up(pricing: PricingFixture) -> None:
    book = pricing.book()
    await asked_and_refreshed(book, WETH)
    for _ in range(15):
        pricing.clock.goes_on(60)
        assert state(book.peek(1, WETH))[2] is HOT
        assert await book.refresh_due() == 1
    pricing.clock.goes_on(0.001)
    assert state(book.peek(1, WETH)) == ("3000", False, COLD, False)
    pricing.clock.goes_on(719)
    assert await book.refresh_due() == 0
    assert state(book.peek(1, WETH)) == ("3000", False, COLD, False)
    pricing.clock.goes_on(1)
    assert state(book.peek(1, WETH)) == ("3000", False, COLD, True)
    pricing.clock.goes_on(180)
    assert state(book.peek(1, WETH)) == ("3000", True, COLD, True)
    # Whoever asks gets what there is, as it was kept until now; from then on the token is hot.
    assert state(book.read(1, WETH)) == ("3000", True, COLD, True)
    assert state(book.peek(1, WETH)) == ("3000", True, HOT, True)


async def test_a_cold_price_is_due_when_somebody_asks(pricing: PricingFixture) -> None:
    book = pricing.book()
    book.follow([(1, WETH)])
    assert await book.refresh_due() == 1
    pricing.clock.goes_on(300)
    assert state(book.peek(1, WETH)) == ("3000", False, COLD, False)
    assert state(book.read(1, WETH)) == ("3000", False, COLD, True)
    assert await book.refresh_due() == 1


async def test_peeking_changes_nothing(pricing: PricingFixture) -> None:
    book = pricing.book()
    assert book.peek(1, WETH) == PriceSnapshot(1, WETH, None, None, None, True, COLD, False)
    assert await book.refresh_due() == 0


async def test_pinned_tokens_are_always_hot(pricing: PricingFixture) -> None:
    book = pricing.book(pinned=((1, NATIVE_EVM), (1, USDC), (SOLANA, NATIVE_SVM), (31337, USDC)))
    assert await book.refresh_due() == 3
    pricing.clock.goes_on(86_400)
    assert state(book.peek(1, USDC))[2] is HOT
    assert await book.refresh_due() == 3


async def test_the_native_asset_is_priced_as_its_wrapped_form(pricing: PricingFixture) -> None:
    book = pricing.book(pricing.sources.dexscreener, pricing.sources.jupiter)
    for chain, native in ((1, NATIVE_EVM), (1, NATIVE_EVM_ALIAS), (SOLANA, NATIVE_SVM)):
        assert book.read(chain, native).token == native
    assert await book.refresh_due() == 2
    assert pricing.exchange.dexscreener.calls == [[WETH], [WSOL]]
    assert book.read(1, NATIVE_EVM) == PriceSnapshot(
        1, NATIVE_EVM, Decimal(3000), "dexscreener", NOW, False, HOT, False
    )
    assert (book.read(1, NATIVE_EVM_ALIAS).usd, book.read(1, WETH).usd) == (Decimal(3000), Decimal(3000))
    assert book.read(SOLANA, NATIVE_SVM).usd == Decimal("150.25")


async def test_an_address_in_any_case_is_one_token(pricing: PricingFixture) -> None:
    book = pricing.book()
    assert book.read(1, WETH.lower()).token == WETH.lower()
    await book.refresh_due()
    assert book.read(1, WETH).usd == book.read(1, WETH.lower()).usd == Decimal(3000)
    assert pricing.exchange.dexscreener.calls == [[WETH]]


@pytest.mark.parametrize(
    ("chain", "token"), [(31337, WETH), (1, "USDC"), (1, ""), (1, WSOL), (SOLANA, WETH), (SOLANA, "x"), (1, "0x12")]
)
async def test_what_is_no_token_has_no_price_and_no_refresh(pricing: PricingFixture, chain: int, token: str) -> None:
    book = pricing.book()
    assert book.read(chain, token) == PriceSnapshot(chain, token, None, None, None, True, COLD, False)
    assert await book.refresh_due() == 0


async def test_sources_fall_back(pricing: PricingFixture) -> None:
    book = pricing.book()
    pricing.exchange.dexscreener.mode = "down"
    await asked_and_refreshed(book, WETH, USDC)
    assert [book.read(1, token).source for token in (WETH, USDC)] == ["defillama"] * 2
    pricing.exchange.defillama.mode = "html"
    pricing.clock.goes_on(60)
    await book.refresh_due()
    assert [book.read(1, token).source for token in (WETH, USDC)] == ["coingecko"] * 2


@pytest.mark.parametrize("mode", ["down", "html", "busy", "cut", "list", "huge"])
async def test_with_every_source_down_the_last_price_goes_on_as_stale(pricing: PricingFixture, mode: str) -> None:
    book = pricing.book()
    await asked_and_refreshed(book, WETH)
    for manner in (pricing.exchange.dexscreener, pricing.exchange.defillama, pricing.exchange.coingecko):
        manner.mode = mode
    pricing.clock.goes_on(50)
    assert await book.refresh_due() == 1
    assert state(book.read(1, WETH)) == ("3000", False, HOT, True)
    pricing.clock.goes_on(11)
    assert state(book.read(1, WETH)) == ("3000", True, HOT, True)
    for manner in (pricing.exchange.dexscreener, pricing.exchange.defillama, pricing.exchange.coingecko):
        manner.mode = "well"
    assert await book.refresh_due() == (0 if mode == "busy" else 1)
    pricing.clock.goes_on(77)
    await book.refresh_due()
    assert state(book.read(1, WETH))[:2] == ("3000", False)


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
    pricing.clock.goes_on(61)
    await book.refresh_due()
    price = book.read(1, WETH)
    assert (price.stale, price.awaited) == (True, True)
    assert not book.read(1, stranger(1)).awaited, "they have told that they know none"
    pricing.clock.goes_on(86_400)
    assert book.read(1, WETH).awaited


async def test_a_failing_source_is_left_alone_ever_longer(pricing: PricingFixture) -> None:
    pricing.exchange.defillama.mode = "down"
    book = pricing.book(pricing.sources.defillama)
    book.read(1, WETH)
    calls = []
    for _ in range(600):
        await book.refresh_due()
        calls.append(len(pricing.exchange.defillama.calls))
        pricing.clock.goes_on(1)
    assert 5 < calls[-1] < 12
    pricing.exchange.defillama.mode = "well"
    pricing.clock.goes_on(300)
    await book.refresh_due()
    assert book.read(1, WETH).usd == Decimal(3000)


async def test_a_price_older_than_a_day_is_no_price(pricing: PricingFixture) -> None:
    book = pricing.book(pricing.sources.defillama)
    await asked_and_refreshed(book, WETH)
    pricing.exchange.defillama.mode = "down"
    pricing.clock.goes_on(86_400)
    assert state(book.read(1, WETH))[0] == "3000"
    pricing.clock.goes_on(0.001)
    assert state(book.read(1, WETH)) == (None, True, HOT, True)


@pytest.mark.parametrize("factor", ["10", "0.1"])
async def test_a_lie_by_ten_never_becomes_a_price(pricing: PricingFixture, factor: str) -> None:
    """Whichever source lies, alone against two, alone against one, or alone: the lie is never told."""
    exchange, sources = pricing.exchange, pricing.sources
    for liar in (exchange.dexscreener, exchange.defillama, exchange.coingecko):
        book = pricing.book()
        await asked_and_refreshed(book, WETH)
        liar.factor = Decimal(factor)
        pricing.clock.goes_on(60)
        await book.refresh_due()
        assert book.read(1, WETH).usd == Decimal(3000)
        liar.factor = Decimal(1)
    exchange.dexscreener.factor = Decimal(factor)
    two = pricing.book(sources.dexscreener, sources.defillama)
    await asked_and_refreshed(two, WETH)
    assert state(two.read(1, WETH)) == (None, True, HOT, True)
    exchange.dexscreener.factor = Decimal(1)
    one = pricing.book(sources.dexscreener)
    await asked_and_refreshed(one, WETH)
    exchange.dexscreener.factor = Decimal(factor)
    pricing.clock.goes_on(60)
    await one.refresh_due()
    assert state(one.read(1, WETH)) == (None, True, HOT, True)
    exchange.dexscreener.factor = Decimal(1)
    pricing.clock.goes_on(60)
    await one.refresh_due()
    assert state(one.read(1, WETH)) == ("3000", False, HOT, False)


async def test_liquidity_that_goes_takes_the_price_with_it(pricing: PricingFixture) -> None:
    book = pricing.book(pricing.sources.dexscreener)
    await asked_and_refreshed(book, DAI)
    assert book.read(1, DAI).usd == Decimal(1)
    pricing.exchange.dexscreener.liquidity = "900"
    pricing.clock.goes_on(60)
    await book.refresh_due()
    assert state(book.read(1, DAI)) == (None, True, HOT, True)


async def test_a_shallow_token_that_nobody_confirms_has_no_price(pricing: PricingFixture) -> None:
    pricing.exchange.defillama.unknown = pricing.exchange.coingecko.unknown = {DAI}
    book = pricing.book()
    await asked_and_refreshed(book, DAI)
    assert state(book.read(1, DAI)) == (None, True, HOT, True)


async def test_a_third_source_is_asked_only_when_two_do_not_settle_it(pricing: PricingFixture) -> None:
    book = pricing.book()
    await asked_and_refreshed(book, WETH, USDC, USDT)
    assert pricing.exchange.coingecko.calls == []
    pricing.exchange.defillama.unknown = {USDT}
    pricing.clock.goes_on(60)
    await book.refresh_due()
    assert pricing.exchange.coingecko.calls == [[USDT]]


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


async def test_what_cools_while_nobody_can_be_asked_is_not_forgotten(pricing: PricingFixture) -> None:
    """A token that is due as a hot one, and cold when its sources can be asked again, is due later, not never."""
    book = pricing.book(pricing.sources.defillama)
    book.follow([(1, WETH)])
    await asked_and_refreshed(book, WETH)
    pricing.clock.goes_on(14 * 60)
    assert await book.refresh_due() == 1
    # Another token's question lets the source rest, for the 77 s that it asks for.
    pricing.exchange.defillama.mode = "busy"
    pricing.clock.goes_on(44)
    book.read(1, USDC)
    assert await book.refresh_due() == 1
    pricing.exchange.defillama.mode = "well"
    pricing.clock.goes_on(2)
    assert (state(book.peek(1, WETH)), await book.refresh_due()) == (("3000", False, HOT, True), 0)
    pricing.clock.goes_on(76)
    assert (state(book.peek(1, WETH)), await book.refresh_due()) == (("3000", False, COLD, False), 1)
    assert pricing.exchange.defillama.calls[-1] == [USDC]
    pricing.clock.goes_on(598)
    assert WETH not in [token for call in pricing.exchange.defillama.calls[3:] for token in call]
    while await book.refresh_due():
        pass
    assert WETH in pricing.exchange.defillama.calls[-1]
    assert book.peek(1, WETH).updated_at == pricing.clock.now


async def test_hot_comes_before_unknown_before_cold(pricing: PricingFixture) -> None:
    book = pricing.book(pricing.sources.defillama, bounds=Bounds(round=2))
    await asked_and_refreshed(book, WETH, USDC)
    pricing.clock.goes_on(60)
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


async def test_batches_are_as_large_as_the_source_takes(pricing: PricingFixture) -> None:
    book = pricing.book(pricing.sources.dexscreener, pricing.sources.defillama)
    for number in range(1, 101):
        book.read(1, stranger(number))
    book.read(SOLANA, SOLANA_USDC)
    assert await book.refresh_due() == 101
    assert sorted(len(call) for call in pricing.exchange.dexscreener.calls) == [1, 10, 30, 30, 30]
    assert sorted(len(call) for call in pricing.exchange.defillama.calls) == [1, 50, 50]


async def test_the_queue_of_unknown_tokens_is_bounded(pricing: PricingFixture) -> None:
    book = pricing.book(bounds=Bounds(unknown=10))
    for number in range(1, 11):
        assert book.read(1, stranger(number)).refreshing
    assert not book.read(1, stranger(11)).refreshing
    assert book.read(1, stranger(10)).refreshing
    assert not book.read(1, WETH).refreshing
    assert await book.refresh_due() == 10
    # Those that nobody knows make room for others, one for one.
    assert book.read(1, WETH).refreshing
    assert await book.refresh_due() == 1
    assert book.read(1, WETH).usd == Decimal(3000)
    # What has a price does not count: nine strangers are left, and there is room for one more.
    for number in range(11, 30):
        assert book.read(1, stranger(number)).refreshing is (number < 21)
    assert not book.read(1, USDC).refreshing


async def test_a_token_that_nobody_knows_is_asked_for_again_after_five_minutes(pricing: PricingFixture) -> None:
    book = pricing.book(pricing.sources.defillama)
    await asked_and_refreshed(book, stranger(1))
    assert state(book.read(1, stranger(1))) == (None, True, HOT, True)
    pricing.clock.goes_on(299)
    assert await book.refresh_due() == 0
    pricing.clock.goes_on(1)
    assert await book.refresh_due() == 1


async def test_what_nobody_asks_for_is_forgotten(pricing: PricingFixture) -> None:
    book = pricing.book(pricing.sources.defillama)
    await asked_and_refreshed(book, WETH, stranger(1))
    pricing.clock.goes_on(901)
    await book.refresh_due()
    assert not book.peek(1, stranger(1)).refreshing
    assert book.peek(1, WETH).usd == Decimal(3000)
    pricing.clock.goes_on(86_400)
    await book.refresh_due()
    assert book.peek(1, WETH) == PriceSnapshot(1, WETH, None, None, None, True, COLD, False)


async def test_followed_tokens_stay_and_go_with_the_lists(pricing: PricingFixture) -> None:
    book = pricing.book(pricing.sources.defillama)
    book.follow([(1, WETH), (1, NATIVE_EVM), (31337, USDC), (SOLANA, NATIVE_SVM)])
    assert await book.refresh_due() == 2
    pricing.clock.goes_on(90_000)
    assert await book.refresh_due() == 2
    book.follow([(SOLANA, NATIVE_SVM)])
    pricing.clock.goes_on(90_000)
    assert await book.refresh_due() == 1
    assert book.peek(1, WETH).usd is None


async def test_a_jump_of_one_source_is_believed_when_it_stays(pricing: PricingFixture) -> None:
    book = pricing.book(pricing.sources.dexscreener)
    await asked_and_refreshed(book, WETH)
    pricing.exchange.truth[WETH] = ("1200", "90000000")
    pricing.clock.goes_on(60)
    await book.refresh_due()
    assert book.read(1, WETH).usd is None
    pricing.clock.goes_on(3600)
    book.read(1, WETH)
    await book.refresh_due()
    assert book.read(1, WETH).usd == Decimal(1200)


async def test_the_loop_answers_questions_and_keeps_hot_prices_fresh(pricing: PricingFixture) -> None:
    book = pricing.book(pinned=((1, USDC),))
    loop = asyncio.create_task(book.run())
    book.read(1, WETH)
    await until(lambda: book.read(1, WETH).usd is not None and book.read(1, USDC).usd is not None)
    pricing.clock.goes_on(60)
    await until(lambda: not book.read(1, WETH).refreshing and not book.read(1, USDC).refreshing)
    assert book.read(1, WETH).updated_at == NOW + timedelta(seconds=60)
    loop.cancel()
    with pytest.raises(asyncio.CancelledError):
        await loop


async def test_reads_do_no_io_and_wait_for_nobody(pricing: PricingFixture) -> None:
    """While every source hangs, thousands of reads are made between two turns of the event loop."""
    for manner in (pricing.exchange.dexscreener, pricing.exchange.defillama, pricing.exchange.coingecko):
        manner.mode = "slow"
    book = pricing.book()
    loop = asyncio.create_task(book.run())
    book.read(1, WETH)
    await asyncio.wait_for(pricing.exchange.dexscreener.asked.wait(), BUSY_S)
    before = pricing.exchange.calls()
    turned = asyncio.get_running_loop().create_future()
    asyncio.get_running_loop().call_soon(turned.set_result, None)
    for number in range(5_000):
        assert book.read(1, stranger(number % 900 + 1)).stale
        assert book.read(1, WETH).refreshing
    assert not turned.done()
    assert pricing.exchange.calls() == before
    loop.cancel()
    await asyncio.gather(loop, return_exceptions=True)


async def test_a_cancelled_refresh_is_not_lost(pricing: PricingFixture) -> None:
    pricing.exchange.defillama.mode = "slow"
    book = pricing.book(pricing.sources.defillama)
    book.read(1, WETH)
    going = asyncio.create_task(book.refresh_due())
    await asyncio.wait_for(pricing.exchange.defillama.asked.wait(), BUSY_S)
    going.cancel()
    await asyncio.gather(going, return_exceptions=True)
    pricing.exchange.defillama.mode = "well"
    pricing.clock.goes_on(2)
    assert await book.refresh_due() == 1
    assert book.read(1, WETH).usd == Decimal(3000)


class Broken:
    """A source that breaks in a way nobody foresaw."""

    name, batch_size, interval_s = "broken", 10, 0.0

    def covers(self, chain_id: int, /) -> bool:
        return True

    async def prices(self, tokens: Sequence[PriceKey], /) -> Mapping[PriceKey, PriceQuote]:
        raise ZeroDivisionError


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
