"""The three orders: what decides in each, and by how much at the most."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.domain.quote import Quote
from rhumbline.domain.route import Order
from rhumbline.domain.scorecard import TrackRecord
from rhumbline.routing.planner import Planner
from rhumbline.routing.ranking import LONGEST_S, UNSAID_S, Merits, RankingContext, duration, handicap, score, tags
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


MOST = Fraction(5, 10_000)
RECORDS = st.builds(TrackRecord, st.fractions(0, 1), st.integers(0, 10**6), st.integers(10, 99), st.integers(1, 10**9))


@given(RECORDS, RECORDS, st.sampled_from([Fraction(0), MOST, Fraction(20, 10_000)]))
def test_a_track_record_costs_from_nothing_to_the_bound(one: TrackRecord, other: TrackRecord, most: Fraction) -> None:
    assert 0 <= handicap(one, most) <= most
    if one.shortfall <= other.shortfall and one.late_s <= other.late_s:
        assert handicap(one, most) <= handicap(other, most)
    assert handicap(None, most) == handicap(replace(one, shortfall=Fraction(0), late_s=0), most) == 0


@given(MERITS, MERITS, RECORDS, RECORDS)
def test_track_records_decide_within_their_bound_only(
    one: Merits, other: Merits, of_one: TrackRecord, of_other: TrackRecord
) -> None:
    """Whatever was made of either record, by whomever, a lead of more than the bound stays a lead."""
    before = [score(each, BEST)[0] / (2000 * LONGEST_S) for each in (one, other)]
    judged = [replace(each, handicap=handicap(record, MOST)) for each, record in ((one, of_one), (other, of_other))]
    if before[0] - before[1] > one.gained * MOST:
        assert score(judged[0], BEST) > score(judged[1], BEST)
    for order in (CHEAP, FAST):
        assert [score(each, order) for each in judged] == [score(each, order) for each in (one, other)]


@pytest.mark.parametrize(
    ("lied_s", "took_s", "boast"),
    [(0, 1200, 0), (0, 10**6, 0), (60, 600, 0), (0, 0, 3), (30, 90, 4), (0, 1200, 4)],
)
def test_who_lies_about_time_or_amount_gains_nothing_that_its_record_has_shown(
    lied_s: int, took_s: int, boast: int
) -> None:
    """Up to the bound, which is the whole price of time. ``boast`` is in ten-thousandths that never arrive."""
    honest = merits(10_000, seconds=took_s)
    liar = merits(10_000 + boast, seconds=lied_s)
    assert score(liar, BEST) > score(honest, BEST)
    record = TrackRecord(1 - Fraction(10_000, 10_000 + boast), took_s - lied_s, 10, 5_000_00)
    shown, most = replace(liar, handicap=handicap(record, MOST)), liar.gained * MOST
    gained = (score(shown, BEST)[0] - score(honest, BEST)[0]) / (2000 * LONGEST_S)
    gained_before = (score(liar, BEST)[0] - score(honest, BEST)[0]) / (2000 * LONGEST_S)
    assert gained <= max(gained_before - most, Fraction(1, 100))


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
