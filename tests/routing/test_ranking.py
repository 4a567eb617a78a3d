"""The three orders: what decides in each, and by how much at the most."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.domain.quote import Quote
from rhumbline.domain.route import Order
from rhumbline.routing.planner import Planner
from rhumbline.routing.ranking import UNSAID_S, Merits, RankingContext, duration, score, tags
from tests.routing.quote_fixture import KEY, QuoteFixture
from tests.routing.venues import PoolVenue, ranked_by, toy_chain, toy_request

BEST, CHEAP, FAST = Order
HERE, ACROSS = toy_request(), toy_request(destination=toy_chain(2))


def merits(gained: int | Fraction, cost: int = 0, seconds: int = 0, failed: str = "0") -> Merits:
    return Merits(Fraction(gained), Fraction(cost), seconds, Fraction(failed))


@pytest.mark.parametrize(
    ("routes", "expected"),
    [
        ([merits(1000)], [(BEST, CHEAP, FAST)]),
        ([merits(1000), merits(1001)], [(), (BEST, CHEAP, FAST)]),
        ([merits(1000), merits(1000)], [(BEST, CHEAP, FAST)] * 2),
        ([merits(1003, cost=2), merits(1002)], [(), (BEST, CHEAP, FAST)]),
        # 0.04 % more value for twenty minutes is not worth the wait, 0.06 % is.
        ([merits(10_004, seconds=1200), merits(10_000)], [(CHEAP,), (BEST, FAST)]),
        ([merits(10_006, seconds=1200), merits(10_000)], [(BEST, CHEAP), (FAST,)]),
        ([merits(10_006, seconds=10**6), merits(10_000)], [(BEST, CHEAP), (FAST,)]),
        ([merits(10_004, failed="1"), merits(10_000)], [(CHEAP, FAST), (BEST,)]),
        ([merits(10_006, failed="1"), merits(10_000)], [(BEST, CHEAP, FAST), ()]),
        ([merits(10_009, seconds=1200, failed="1"), merits(10_000)], [(CHEAP,), (BEST, FAST)]),
        ([merits(10_011, seconds=1200, failed="1"), merits(10_000)], [(BEST, CHEAP), (FAST,)]),
        # What nobody stands for is never the fastest.
        ([merits(0, seconds=1), merits(1000, seconds=600)], [(), (BEST, CHEAP, FAST)]),
        ([], []),
    ],
)
def test_tags(routes: list[Merits], expected: list[tuple[Order, ...]]) -> None:
    assert tags(routes) == expected
    assert tags(routes[::-1]) == expected[::-1]


MERITS = st.builds(
    Merits,
    st.fractions(0, 10**6),
    st.fractions(0, 100),
    st.integers(0, 10_000),
    st.fractions(0, 1, max_denominator=100),
)


@given(MERITS, st.fractions(Fraction(1, 10**9), 10**6), st.sampled_from(Order))
def test_more_output_never_ranks_lower(one: Merits, more: Fraction, order: Order) -> None:
    assert score(replace(one, gained=one.gained + more), order) > score(one, order)


@given(MERITS, MERITS)
def test_time_and_failures_decide_within_a_tenth_of_a_percent_only(one: Merits, other: Merits) -> None:
    lead = (one.gained - one.cost) - (other.gained - other.cost)
    if lead > one.gained / 1000:
        assert score(one, BEST) > score(other, BEST)
        assert score(one, CHEAP) > score(other, CHEAP)


@given(st.lists(MERITS, min_size=1, max_size=6), st.integers(0, 5))
def test_a_duplicate_changes_nothing(routes: list[Merits], which: int) -> None:
    again = routes[which % len(routes)]
    before, after = tags(routes), tags([*routes, again])
    assert after == [*before, before[routes.index(again)]]
    assert {tag for each in before for tag in each} == set(Order)


@given(st.lists(st.tuples(st.integers(1, 10**9), st.integers(0, 5000)), min_size=1, max_size=6), st.sampled_from(Order))
def test_the_same_quotes_in_any_sequence_rank_the_same(told: list[tuple[int, int]], order: Order) -> None:
    quotes = [Quote(f"A{at}", ACROSS, output, None, seconds=took) for at, (output, took) in enumerate(told)]
    blind = RankingContext(None, None, None, order=order)
    ranked = ranked_by(blind, quotes)
    assert ranked_by(blind, quotes[::-1]) == ranked
    doubled = [each for each in ranked_by(blind, [*quotes, quotes[0]]) if each is not quotes[0]]
    assert doubled == [each for each in ranked if each is not quotes[0]]
    scores = [blind.score(each, each.output_amount) for each in ranked]
    assert scores == sorted(scores, reverse=True)


def test_how_long_a_quote_takes() -> None:
    quote = Quote("A", ACROSS, 1, None)
    assert [duration(each) for each in (quote, replace(quote, seconds=9))] == [UNSAID_S, 9]
    assert duration(replace(quote, request=HERE, seconds=9)) == 0


async def test_the_first_of_an_order_bears_its_tag(quotes: QuoteFixture) -> None:
    venues = [PoolVenue(quotes.described, quotes.rpc, fee, f"POOL{fee}") for fee in (500, 3000)]
    service = quotes.with_(*venues).service
    for order in Order:
        plans = await Planner(service, (KEY,)).routes(quotes.ask("USDC", "WETH", 10**8, order=order), 10)
        assert len(plans) >= 2
        assert [plan.tags for plan in plans] == [tuple(Order), *[()] * (len(plans) - 1)]
        answer = await service.answer(quotes.ask("USDC", "WETH", 10**8, order=order))
        assert answer.adapter == plans[0].steps[0].adapter
    assert [service.failures.share(venue.key) for venue in venues] == [0, 0]
