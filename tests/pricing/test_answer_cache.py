"""Answers that are shown again are those that would be read: two books live the same life, one is always read anew."""

import asyncio
from collections.abc import Mapping, Sequence
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.domain.clock import Clock as AnyClock
from rhumbline.domain.price import PriceKey, PriceQuote, PriceSnapshot, PriceTier
from rhumbline.pricing.answer_cache import CachedAnswer, Sight
from rhumbline.pricing.book import Bounds, PriceBook
from rhumbline.pricing.entry import Entry, Windows
from rhumbline.pricing.source import SourceUnavailable
from rhumbline.pricing.throttled_source import ThrottledSource
from tests.clocks import Clock
from tests.pricing.exchange import CHAINS, DAI, NOW, USDC, USDT, WETH

TOKENS: tuple[PriceKey, ...] = ((1, USDC), (1, WETH), (1, NATIVE_EVM), (1, DAI), (1, USDT), (1, "none"), (999, USDC))
MOMENTS = (0.0, 0.001, 0.5, 14.999, 15.0, 44.999, 45.0, 60.0, 60.001, 299.0, 719.999, 720.0, 900.0, 900.001, 86_400.0)


class Market:
    """A source in memory that knows some tokens, at a price that moves, or is silent."""

    name, batch_size, interval_s = "market", 100, 0.0

    def __init__(self, clock: AnyClock) -> None:
        self.clock = clock
        self.usd = Decimal(100)
        self.unknown: frozenset[str] = frozenset()
        self.is_silent = False

    def covers(self, chain_id: int, /) -> bool:
        return chain_id == 1

    async def prices(self, tokens: Sequence[PriceKey], /) -> Mapping[PriceKey, PriceQuote]:
        if self.is_silent:
            raise SourceUnavailable("silent")
        quote = PriceQuote(self.usd, Decimal(10**9), self.clock())
        return {token: quote for token in tokens if token[1] not in self.unknown}


class Shelf:
    """Answers questions as the endpoint does: what it has shown before it shows again, as long as that holds."""

    def __init__(self, book: PriceBook) -> None:
        self.book = book
        self.kept: dict[tuple[PriceKey, ...], CachedAnswer] = {}
        self.again = 0

    def ask(self, tokens: tuple[PriceKey, ...]) -> tuple[PriceSnapshot, ...]:
        kept = self.kept.get(tokens)
        if kept is not None and kept.holds():
            self.again += 1
        else:
            kept = self.kept[tokens] = self.book.read_all(tokens)
        return kept.snapshots


Step = tuple[str, object]
QUESTIONS = st.lists(st.sampled_from(TOKENS), min_size=1, max_size=4).map(tuple)
STEPS: st.SearchStrategy[Step] = st.one_of(
    st.tuples(st.just("ask"), QUESTIONS),
    st.tuples(st.just("ask"), st.sampled_from([TOKENS[:4], TOKENS[1:3], ((1, USDC), (1, USDC))])),
    st.tuples(st.just("wait"), st.sampled_from(MOMENTS)),
    st.tuples(st.just("refresh"), st.none()),
    st.tuples(st.just("move"), st.sampled_from([Decimal(100), Decimal(101), Decimal(10_000)])),
    st.tuples(st.just("forget"), st.frozensets(st.sampled_from([USDC, WETH, DAI]))),
    st.tuples(st.just("silence"), st.booleans()),
    st.tuples(st.just("follow"), st.lists(st.sampled_from(TOKENS), max_size=2)),
)


@settings(max_examples=300, deadline=None)
@given(st.lists(STEPS, max_size=40), st.booleans(), st.sampled_from([2, 50]))
def test_what_is_shown_again_is_what_would_be_read(steps: list[Step], is_pinned: bool, most_unknown: int) -> None:
    clock = Clock(NOW)
    market = Market(clock)
    kept, read = (
        PriceBook(
            CHAINS,
            [ThrottledSource(market, seconds=lambda: clock().timestamp())],
            clock,
            pinned=[(1, DAI)] if is_pinned else (),
            bounds=Bounds(unknown=most_unknown),
        )
        for _ in range(2)
    )
    shelf = Shelf(kept)

    async def live() -> None:
        for what, detail in steps:
            match what, detail:
                case "ask", tuple():
                    assert shelf.ask(detail) == tuple(read.read(*token) for token in detail)
                case "wait", float():
                    clock.move(seconds=detail)
                case "refresh", _:
                    assert await kept.refresh_due() == await read.refresh_due()
                case "move", Decimal():
                    market.usd = detail
                case "forget", frozenset():
                    market.unknown = detail
                case "silence", bool():
                    market.is_silent = detail
                case "follow", list():
                    kept.follow(detail)
                    read.follow(detail)
            assert [kept.peek(*token) for token in TOKENS] == [read.peek(*token) for token in TOKENS]

    asyncio.run(live())


async def test_a_question_is_answered_again_until_its_first_price_is_due() -> None:
    clock = Clock(NOW)
    book = PriceBook(CHAINS, [ThrottledSource(Market(clock))], clock)
    shelf, question = Shelf(book), TOKENS[:4]
    shelf.ask(question)
    await book.refresh_due()
    shelf.ask(question)
    for _ in range(44):
        clock.move(seconds=1)
        assert not any(snapshot.refreshing for snapshot in shelf.ask(question))
    assert shelf.again == 44
    clock.move(seconds=1)
    assert all(snapshot.refreshing for snapshot in shelf.ask(question))
    assert shelf.again == 44


async def test_a_question_that_is_answered_again_keeps_its_tokens_hot() -> None:
    clock = Clock(NOW)
    book = PriceBook(CHAINS, [ThrottledSource(Market(clock))], clock)
    shelf, question = Shelf(book), ((1, USDC),)
    shelf.ask(question)
    await book.refresh_due()
    shelf.ask(question)
    clock.move(seconds=30)
    shelf.ask(question)
    assert shelf.again == 1
    clock.move(seconds=900)
    assert book.peek(1, USDC).tier is PriceTier.HOT
    clock.move(seconds=0.001)
    assert book.peek(1, USDC).tier is PriceTier.COLD


async def test_a_token_that_there_was_no_room_for_is_let_in_later() -> None:
    clock = Clock(NOW)
    book = PriceBook(CHAINS, [ThrottledSource(Market(clock))], clock, bounds=Bounds(unknown=1))
    shelf, question = Shelf(book), ((1, USDC), (1, WETH))
    shelf.ask(((1, USDC),))
    await book.refresh_due()
    book.read(1, DAI)
    assert [snapshot.refreshing for snapshot in shelf.ask(question)] == [False, False]
    await book.refresh_due()
    assert [snapshot.refreshing for snapshot in shelf.ask(question)] == [False, True]


@pytest.mark.parametrize("is_due", [True, False])
async def test_an_answer_that_promises_a_refresh_wakes_the_loop(is_due: bool) -> None:
    clock, woken = Clock(NOW), asyncio.Event()
    entry = Entry((1, USDC), Windows(), clock())
    entry.accept(Decimal(1), "market", clock())
    entry.note_request(clock())
    if is_due:
        clock.move(seconds=50)
    cached = CachedAnswer([Sight(entry.snapshot(USDC, clock()), entry, entry.mark)], clock, woken)
    assert not woken.is_set()
    assert cached.holds()
    assert woken.is_set() == cached.snapshots[0].refreshing == is_due
