"""The price book on emulated sources, with a clock that the test moves."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from decimal import Decimal

import pytest

from rhumbline.domain.chain import NATIVE_EVM, NATIVE_EVM_ALIAS, NATIVE_SVM
from rhumbline.domain.price import PriceKey, PriceQuote, PriceSnapshot, PriceTier
from rhumbline.pricing.book import Bounds, PriceBook
from tests.pricing.conftest import PricingFixture
from tests.pricing.exchange import DAI, NOW, SOLANA, USDC, WETH, WSOL

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
        pricing.clock.move(seconds=45)
        assert await book.refresh_due() == 1
        assert book.peek(1, WETH).agreeing == agreeing
    pricing.exchange.defillama.unknown = pricing.exchange.coingecko.unknown = {WETH}
    pricing.clock.move(seconds=45)
    assert await book.refresh_due() == 1
    assert (book.peek(1, WETH).source, book.peek(1, WETH).agreeing) == ("dexscreener", ())
    pricing.exchange.defillama.unknown, pricing.exchange.defillama.factor = set(), Decimal(2)
    pricing.clock.move(seconds=45)
    assert await book.refresh_due() == 1
    assert (book.peek(1, WETH).usd, book.peek(1, WETH).agreeing) == (None, ())


async def test_peeking_changes_nothing(pricing: PricingFixture) -> None:
    book = pricing.book()
    assert book.peek(1, WETH) == PriceSnapshot(1, WETH, None, None, None, True, COLD, False)
    assert await book.refresh_due() == 0


async def test_pinned_tokens_are_always_hot(pricing: PricingFixture) -> None:
    book = pricing.book(pinned=((1, NATIVE_EVM), (1, USDC), (SOLANA, NATIVE_SVM), (31337, USDC)))
    assert await book.refresh_due() == 3
    pricing.clock.move(seconds=86_400)
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


@pytest.mark.parametrize("mode", ["down", "html", "busy", "cut", "list", "huge"])
async def test_with_every_source_down_the_last_price_goes_on_as_stale(pricing: PricingFixture, mode: str) -> None:
    book = pricing.book()
    await asked_and_refreshed(book, WETH)
    for manner in (pricing.exchange.dexscreener, pricing.exchange.defillama, pricing.exchange.coingecko):
        manner.mode = mode
    pricing.clock.move(seconds=50)
    assert await book.refresh_due() == 1
    assert state(book.read(1, WETH)) == ("3000", False, HOT, True)
    pricing.clock.move(seconds=11)
    assert state(book.read(1, WETH)) == ("3000", True, HOT, True)
    for manner in (pricing.exchange.dexscreener, pricing.exchange.defillama, pricing.exchange.coingecko):
        manner.mode = "well"
    assert await book.refresh_due() == (0 if mode == "busy" else 1)
    pricing.clock.move(seconds=77)
    await book.refresh_due()
    assert state(book.read(1, WETH))[:2] == ("3000", False)


@pytest.mark.parametrize("factor", ["10", "0.1"])
async def test_a_lie_by_ten_never_becomes_a_price(pricing: PricingFixture, factor: str) -> None:
    """Whichever source lies, alone against two, alone against one, or alone: the lie is never told."""
    exchange, sources = pricing.exchange, pricing.sources
    for liar in (exchange.dexscreener, exchange.defillama, exchange.coingecko):
        book = pricing.book()
        await asked_and_refreshed(book, WETH)
        liar.factor = Decimal(factor)
        pricing.clock.move(seconds=60)
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
    pricing.clock.move(seconds=60)
    await one.refresh_due()
    assert state(one.read(1, WETH)) == (None, True, HOT, True)
    exchange.dexscreener.factor = Decimal(1)
    pricing.clock.move(seconds=60)
    await one.refresh_due()
    assert state(one.read(1, WETH)) == ("3000", False, HOT, False)


async def test_liquidity_that_goes_takes_the_price_with_it(pricing: PricingFixture) -> None:
    book = pricing.book(pricing.sources.dexscreener)
    await asked_and_refreshed(book, DAI)
    assert book.read(1, DAI).usd == Decimal(1)
    pricing.exchange.dexscreener.liquidity = "900"
    pricing.clock.move(seconds=60)
    await book.refresh_due()
    assert state(book.read(1, DAI)) == (None, True, HOT, True)


async def test_a_shallow_token_that_nobody_confirms_has_no_price(pricing: PricingFixture) -> None:
    pricing.exchange.defillama.unknown = pricing.exchange.coingecko.unknown = {DAI}
    book = pricing.book()
    await asked_and_refreshed(book, DAI)
    assert state(book.read(1, DAI)) == (None, True, HOT, True)


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
    pricing.clock.move(seconds=299)
    assert await book.refresh_due() == 0
    pricing.clock.move(seconds=1)
    assert await book.refresh_due() == 1


async def test_what_nobody_asks_for_is_forgotten(pricing: PricingFixture) -> None:
    book = pricing.book(pricing.sources.defillama)
    await asked_and_refreshed(book, WETH, stranger(1))
    pricing.clock.move(seconds=901)
    await book.refresh_due()
    assert not book.peek(1, stranger(1)).refreshing
    assert book.peek(1, WETH).usd == Decimal(3000)
    pricing.clock.move(seconds=86_400)
    await book.refresh_due()
    assert book.peek(1, WETH) == PriceSnapshot(1, WETH, None, None, None, True, COLD, False)


async def test_followed_tokens_stay_and_go_with_the_lists(pricing: PricingFixture) -> None:
    book = pricing.book(pricing.sources.defillama)
    book.follow([(1, WETH), (1, NATIVE_EVM), (31337, USDC), (SOLANA, NATIVE_SVM)])
    assert await book.refresh_due() == 2
    pricing.clock.move(seconds=90_000)
    assert await book.refresh_due() == 2
    book.follow([(SOLANA, NATIVE_SVM)])
    pricing.clock.move(seconds=90_000)
    assert await book.refresh_due() == 1
    assert book.peek(1, WETH).usd is None


async def test_a_jump_of_one_source_is_believed_when_it_stays(pricing: PricingFixture) -> None:
    book = pricing.book(pricing.sources.dexscreener)
    await asked_and_refreshed(book, WETH)
    pricing.exchange.truth[WETH] = ("1200", "90000000")
    pricing.clock.move(seconds=60)
    await book.refresh_due()
    assert book.read(1, WETH).usd is None
    pricing.clock.move(seconds=3600)
    book.read(1, WETH)
    await book.refresh_due()
    assert book.read(1, WETH).usd == Decimal(1200)


async def test_the_loop_answers_questions_and_keeps_hot_prices_fresh(pricing: PricingFixture) -> None:
    book = pricing.book(pinned=((1, USDC),))
    loop = asyncio.create_task(book.run())
    book.read(1, WETH)
    await until(lambda: book.read(1, WETH).usd is not None and book.read(1, USDC).usd is not None)
    pricing.clock.move(seconds=60)
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
    pricing.clock.move(seconds=2)
    assert await book.refresh_due() == 1
    assert book.read(1, WETH).usd == Decimal(3000)


class Broken:
    """A source that breaks in a way nobody foresaw."""

    name, batch_size, interval_s = "broken", 10, 0.0

    def covers(self, chain_id: int, /) -> bool:
        return True

    async def prices(self, tokens: Sequence[PriceKey], /) -> Mapping[PriceKey, PriceQuote]:
        raise ZeroDivisionError
