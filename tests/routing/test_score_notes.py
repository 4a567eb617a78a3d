"""What a quote on the sandbox counts for scorecards, what it promises, and what a track record changes in it."""

from dataclasses import replace
from datetime import timedelta
from fractions import Fraction

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.accounts.score_store import ScoreWriter, promises
from rhumbline.accounts.score_tally import MOST_OF_CALLER, CallerPair, ScoreTally
from rhumbline.domain.account import ApiClient
from rhumbline.domain.clock import system_clock
from rhumbline.domain.errors import NoAvailableQuotes, NoRoute
from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.domain.route import AdapterFilter
from rhumbline.domain.scorecard import AdapterPair
from rhumbline.routing.exact_output import ExactOutput
from rhumbline.routing.exact_planner import ExactPlanner
from rhumbline.routing.planner import Planner
from rhumbline.routing.score_notes import note_promise
from tests.accounts.test_request_store import count
from tests.accounts.test_score_tally import taken
from tests.routing.quote_fixture import KEY, QuoteFixture
from tests.routing.test_exact_output import asking, prices_of
from tests.routing.test_search import dollars, honest, skimmer
from tests.routing.venues import PoolVenue

AMOUNT = 1_500_000_000


class Pathless(PoolVenue):
    async def quote(self, request: QuoteRequest, /) -> Quote[int]:
        raise NoRoute("has no route")


def counted(tally: ScoreTally) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for counts in taken(tally).values():
        for (pair, what), number in counts.items():
            found.setdefault(pair.adapter, {})[what.value] = number
    return found


async def test_each_adapter_that_was_asked_is_counted(quotes: QuoteFixture) -> None:
    tally = ScoreTally(system_clock)
    here = quotes.with_(
        honest(quotes),
        skimmer(quotes, key="LIAR", skimmed=Fraction(1, 10)),
        honest(quotes, key="DEAR", fee=3000),
        Pathless(quotes.described, quotes.rpc, key="PATHLESS"),
        honest(quotes, key="UNWANTED"),
        prices=dollars(quotes),
        scores=tally,
    )
    unwanted = AdapterFilter(exclude_exchanges=frozenset({"UNWANTED"}))
    await here.service.answer(quotes.ask("USDC", "WETH", AMOUNT, adapters=unwanted))
    found = counted(tally)
    assert found["POOL"] == {"asked": 1, "answered": 1, "built": 1, "won": 1}
    assert found["PATHLESS"] == {"asked": 1, "no_route": 1}
    assert found["DEAR"].items() >= {"asked": 1, "answered": 1}.items()
    assert "won" not in found["DEAR"]
    assert "UNWANTED" not in found
    only = AdapterFilter(include_exchanges=frozenset({"PATHLESS"}))
    with pytest.raises(NoAvailableQuotes):
        await here.service.answer(quotes.ask("USDC", "WETH", AMOUNT, adapters=only))
    await Planner(here.service, (KEY,)).routes(quotes.ask("USDC", "WETH", AMOUNT, adapters=unwanted), 5)
    found = counted(tally)
    assert found["PATHLESS"] == {"asked": 2, "no_route": 2}
    assert found["POOL"] == {"asked": 1, "answered": 1, "built": 1}


async def test_a_thousand_quotes_move_no_ranking(quotes: QuoteFixture) -> None:
    """They are counted up to a bound, and what is counted of quotes is nowhere near the ranking."""
    tally = ScoreTally(system_clock)
    venues = honest(quotes), honest(quotes, key="DEAR", fee=3000)
    here = quotes.with_(*venues, scores=tally)
    caller = ApiClient(requester="192.0.2.9")
    for _ in range(1000):
        tally.add(CallerPair(caller.requester, quotes.chain.id, quotes.chain.id), [])
    answer = await here.service.answer(quotes.ask("USDC", "WETH", AMOUNT, client=caller))
    assert (answer.adapter, counted(tally)) == ("POOL", {})
    assert tally.uncounted == 1001 - MOST_OF_CALLER


@pytest.mark.parametrize(
    ("sold", "bought", "receiver", "weighs"),
    [
        ("USDC", "WETH", None, True),
        ("USDC", "ETH", None, False),
        ("USDC", "WETH", "other", False),
    ],
)
async def test_what_is_promised_is_what_was_answered(
    quotes: QuoteFixture, sold: str, bought: str, receiver: str | None, weighs: bool
) -> None:
    tally = ScoreTally(system_clock)
    here = quotes.with_(honest(quotes), prices=dollars(quotes), scores=tally)
    request = quotes.ask(sold, bought, AMOUNT)
    answer = await here.service.answer(replace(request, receiver=quotes.receiver) if receiver else request)
    (promise,) = tally.take().promises
    assert promise.transaction_id == answer.transaction_id
    assert promise.pair == AdapterPair("POOL", quotes.chain.id, quotes.chain.id)
    assert (promise.output, promise.seconds, promise.weighs) == (answer.output_amount, None, weighs)
    assert promise.value_cents == 1_500_00


async def test_no_answer_of_an_upstream_is_too_large_to_be_kept(
    quotes: QuoteFixture, store_engine: AsyncEngine
) -> None:
    """One that could not be written would take with it what waits beside it."""
    tally = ScoreTally(system_clock)
    here = quotes.with_(honest(quotes), prices=dollars(quotes)).service
    context = await here.prepare(quotes.ask("USDC", "WETH", AMOUNT))
    found = (await here.populate(await here.gather(context))).best
    assert found is not None
    vast = replace(context, request=replace(context.request, amount=2**255))
    for number, (seconds, output) in enumerate(((2**80, 2**300), (-(2**80), 1), (None, 1))):
        quote = replace(found[0].offer.quote, seconds=seconds, output_amount=output)
        built = replace(found[0], offer=replace(found[0].offer, quote=quote), id=bytes([number] * 32))
        note_promise(tally, vast, built, system_clock())
    await ScoreWriter(store_engine, tally, system_clock, timedelta(days=90)).write()
    assert await count(store_engine, promises) == 3


def ranked(quotes: QuoteFixture, costs: Fraction) -> dict[AdapterPair, Fraction]:
    """What the record of POOL costs it."""
    origin = quotes.ask("USDC", "WETH", AMOUNT).origin.id
    return {AdapterPair("POOL", origin, origin): costs}


async def test_a_track_record_moves_who_wins_within_its_bound(quotes: QuoteFixture) -> None:
    """The same pool twice, one of them a little behind: it wins once the other's record costs more than that."""

    def behind(share: Fraction, costs: Fraction) -> QuoteFixture:
        venues = honest(quotes), skimmer(quotes, key="SECOND", boasted=Fraction(0), told=share, skimmed=share)
        return quotes.with_(*venues, prices=dollars(quotes), handicaps=ranked(quotes, costs))

    request = quotes.ask("USDC", "WETH", AMOUNT)
    bound = Fraction(5, 10_000)
    for share, costs, winner in (
        (Fraction(3, 10_000), Fraction(0), "POOL"),
        (Fraction(3, 10_000), bound, "SECOND"),
        (Fraction(10, 10_000), bound, "POOL"),
    ):
        assert (await behind(share, costs).service.answer(request)).adapter == winner
        plans = await Planner(behind(share, costs).service, (KEY,)).routes(request, 5)
        assert plans[0].steps[0].adapter == winner


async def test_a_wanted_output_is_counted_and_ranked_alike(quotes: QuoteFixture) -> None:
    tally = ScoreTally(system_clock)
    second = skimmer(quotes, key="SECOND", boasted=Fraction(0), told=Fraction(3, 10_000), skimmed=Fraction(3, 10_000))
    venues = honest(quotes), second, Pathless(quotes.described, quotes.rpc, key="PATHLESS")
    request = asking(quotes, "USDC", "WETH", 10**17)
    for costs, winner in ((Fraction(0), "POOL"), (Fraction(5, 10_000), "SECOND")):
        here = quotes.with_(
            *venues,
            prices=prices_of(quotes),
            scores=tally,
            handicaps=ranked(quotes, costs),
        ).service
        assert (await ExactOutput(here).answer(request)).adapter == winner
        (promise,) = tally.take().promises
        assert promise.pair.adapter == winner
        plans = await ExactPlanner(Planner(here, (KEY,))).routes(request, 5)
        assert plans[0].steps[0].adapter == winner
        found = counted(tally)
        assert found["PATHLESS"] == {"asked": 1, "no_route": 1}
        assert found["POOL"] == found["SECOND"] == {"asked": 1, "answered": 1, "built": 1}
    await ExactOutput(here).answer(request)
    found = counted(tally)
    assert found["SECOND"] == {"asked": 1, "answered": 1, "built": 1, "won": 1}
    assert found["POOL"] == {"asked": 1, "answered": 1}
