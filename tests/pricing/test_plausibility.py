from datetime import timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.domain.price import PriceQuote, cut, ratio
from rhumbline.pricing.plausibility import AcceptedPrice, Doubted, LastPrice, Rules, SourcePrice, judge
from tests.pricing.exchange import NOW

RULES = Rules()
DEEP = "5000000"


def heard(source: str, usd: str | Decimal, liquidity: str | None = DEEP, age_s: float = 0) -> SourcePrice:
    depth = None if liquidity is None else Decimal(liquidity)
    return SourcePrice(source, PriceQuote(Decimal(usd), depth, NOW - timedelta(seconds=age_s)))


def last(usd: str, age_s: float) -> LastPrice:
    return LastPrice(Decimal(usd), NOW - timedelta(seconds=age_s))


A, B, C = heard("a", "100"), heard("b", "101", None), heard("c", "1000")
THIN = "one source only, and thin"
SMALL = "too little liquidity"
JUMP = "jumps too far"
BEYOND = "beyond what a token can be worth"


@pytest.mark.parametrize(
    ("said", "before", "witnesses", "expected"),
    [
        ((), None, 2, None),
        ((A, B), None, 2, AcceptedPrice(Decimal(100), "a", ("b",))),
        ((B, A), None, 2, AcceptedPrice(Decimal(101), "b", ("a",))),
        ((A, C), None, 2, Doubted("sources disagree")),
        ((C, A, B), None, 3, AcceptedPrice(Decimal(100), "a", ("b",))),
        ((A, C, B, heard("d", "99")), None, 4, AcceptedPrice(Decimal(100), "a", ("b", "d"))),
        (
            (heard("a", "100"), heard("b", "96"), heard("d", "104.5")),
            None,
            3,
            AcceptedPrice(Decimal(100), "a", ("b", "d")),
        ),
        (
            (A, heard("b", "100", "1"), heard("d", "100", None, 3601), B),
            None,
            4,
            AcceptedPrice(Decimal(100), "a", ("b",)),
        ),
        ((A, heard("b", "105")), None, 2, AcceptedPrice(Decimal(100), "a", ("b",))),
        ((A, heard("b", "105.01")), None, 2, Doubted("sources disagree")),
        ((heard("a", "100"), heard("a", "100")), None, 2, Doubted("sources disagree")),
        ((A,), None, 2, AcceptedPrice(Decimal(100), "a")),
        ((heard("a", "100", "99999.99"),), None, 2, Doubted(THIN)),
        ((heard("a", "100", "100000"),), None, 2, AcceptedPrice(Decimal(100), "a")),
        ((heard("a", "100", "10000"),), None, 1, AcceptedPrice(Decimal(100), "a")),
        ((heard("a", "100", "9999.99"),), None, 1, Doubted(SMALL)),
        ((heard("a", "100", "0"), heard("b", "100", "1")), None, 2, Doubted(SMALL)),
        ((heard("a", "100", "20000"),), last("101", 60), 2, AcceptedPrice(Decimal(100), "a")),
        ((heard("a", "100", "20000"),), last("101", 3601), 2, Doubted(THIN)),
        ((heard("a", "100", None),), None, 2, AcceptedPrice(Decimal(100), "a")),
        ((heard("a", "10000001"),), None, 1, Doubted(BEYOND)),
        ((heard("a", "292000000"), heard("b", "292000000")), None, 2, Doubted(BEYOND)),
        ((heard("a", "1e-25"),), None, 1, Doubted(BEYOND)),
        ((heard("a", "0"),), None, 1, Doubted(BEYOND)),
        ((heard("a", "-1"),), None, 1, Doubted(BEYOND)),
        ((heard("a", "NaN"),), None, 1, Doubted(BEYOND)),
        ((heard("a", "Infinity"),), None, 1, Doubted(BEYOND)),
        ((heard("a", "1", "NaN"),), None, 1, Doubted(SMALL)),
        ((heard("a", "100", DEEP, 3601),), None, 1, None),
        ((heard("a", "100", DEEP, 3600),), None, 1, AcceptedPrice(Decimal(100), "a")),
        ((heard("a", "100", DEEP, -301),), None, 1, None),
        ((A,), last("200", 60), 1, AcceptedPrice(Decimal(100), "a")),
        ((A,), last("200.1", 60), 1, Doubted(JUMP)),
        ((A,), last("49.9", 60), 1, Doubted(JUMP)),
        ((A,), last("200.1", 3601), 1, AcceptedPrice(Decimal(100), "a")),
        ((A,), last("1001", 3601), 1, Doubted(JUMP)),
        ((A,), last("1001", 86_401), 1, AcceptedPrice(Decimal(100), "a")),
        ((A, B), last("1000", 60), 2, AcceptedPrice(Decimal(100), "a", ("b",))),
        ((A, B), last("1001", 60), 2, Doubted(JUMP)),
        ((A, B), last("5000", 3601), 2, AcceptedPrice(Decimal(100), "a", ("b",))),
        ((A, B), last("5001", 3601), 2, Doubted(JUMP)),
    ],
)
def test_the_rules(
    said: tuple[SourcePrice, ...], before: LastPrice | None, witnesses: int, expected: AcceptedPrice | Doubted | None
) -> None:
    assert judge(said, before, NOW, RULES, witnesses) == expected


prices = st.decimals(min_value="1e-20", max_value="1e6", allow_nan=False, allow_infinity=False).filter(lambda x: x > 0)
quotes = st.lists(
    st.builds(
        lambda source, usd, liquidity, age: heard(source, usd, None if liquidity is None else str(liquidity), age),
        st.sampled_from("abcd"),
        prices,
        st.none() | st.integers(0, 10**9),
        st.integers(-400, 4000),
    ),
    max_size=4,
    unique_by=lambda each: each.source,
)
lasts = st.none() | st.builds(LastPrice, prices, st.integers(0, 90_000).map(lambda s: NOW - timedelta(seconds=s)))


@given(quotes, lasts, st.integers(1, 4))
def test_what_is_believed_was_said_and_can_be_defended(
    said: list[SourcePrice], before: LastPrice | None, witnesses: int
) -> None:
    verdict = judge(said, before, NOW, RULES, witnesses)
    if not isinstance(verdict, AcceptedPrice):
        return
    (its_own,) = (each for each in said if each.source == verdict.source)
    quote = its_own.quote
    assert verdict.usd == cut(quote.usd)
    for name in verdict.agreeing:
        (other,) = (each.quote for each in said if each.source == name)
        assert name != verdict.source
        assert max(other.usd, quote.usd) / min(other.usd, quote.usd) <= Decimal("1.0501")
        assert NOW - other.at <= RULES.oldest
        assert other.liquidity_usd is None or other.liquidity_usd >= RULES.least_liquidity_usd
    assert quote.liquidity_usd is None or quote.liquidity_usd >= RULES.least_liquidity_usd
    assert NOW - quote.at <= RULES.oldest
    near = [
        each
        for each in said
        if max(each.quote.usd, quote.usd) <= Decimal("1.06") * min(each.quote.usd, quote.usd)
        and each.source != verdict.source
    ]
    if not near:
        others = [each for each in said if each.source != verdict.source and each.quote.liquidity_usd is None]
        assert all(not timedelta(0) <= NOW - each.quote.at <= RULES.oldest for each in others)
    if before is not None and NOW - before.at <= timedelta(hours=1):
        assert max(before.usd, verdict.usd) / min(before.usd, verdict.usd) <= Decimal("10.0001")


@given(st.integers(2, 10**6))
def test_one_liar_never_wins_against_two_that_agree(factor: int) -> None:
    honest = [heard("x", "100"), heard("y", "101")]
    liar = heard("liar", Decimal(100) * factor)
    for order in ([liar, *honest], [honest[0], liar, honest[1]], [*honest, liar]):
        verdict = judge(order, None, NOW, RULES, 3)
        assert isinstance(verdict, AcceptedPrice)
        assert verdict.source in ("x", "y")


@given(prices, prices)
def test_prices_are_cut_down_to_eighteen_digits(one: Decimal, other: Decimal) -> None:
    short = cut(one)
    assert short <= one < short + short.copy_abs() * Decimal("1e-16")
    assert len(short.as_tuple().digits) <= 18
    quotient = ratio(one, other)
    assert len(quotient.as_tuple().digits) <= 18
    # Rounded down: the product never exceeds what was divided.
    numerator, denominator = quotient.as_integer_ratio()
    top, bottom = one.as_integer_ratio()
    top_other, bottom_other = other.as_integer_ratio()
    assert numerator * bottom * top_other <= denominator * top * bottom_other
