"""Whether sources' prices are plausible: no price is better than a wrong one (rules: docs/prices.md). Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from decimal import Decimal

from rhumbline.domain.price import PriceQuote, cut, ratio


@dataclass(frozen=True, slots=True)
class Rules:
    """The bounds. Ratios are of the larger to the smaller price.

    ``least_liquidity_usd`` is the least liquidity of a quote that counts; ``lone_liquidity_usd`` that of one without
    confirmation. ``jump`` bounds how far one source may move a price younger than an hour, ``long_jump`` one younger
    than a day; two sources that agree may move it by ``confirmed`` times as much.
    """

    least_liquidity_usd: Decimal = Decimal(10_000)
    lone_liquidity_usd: Decimal = Decimal(100_000)
    smallest_usd: Decimal = Decimal("1e-24")
    largest_usd: Decimal = Decimal(10_000_000)
    agreement: Decimal = Decimal("1.05")
    jump: Decimal = Decimal(2)
    long_jump: Decimal = Decimal(10)
    confirmed: Decimal = Decimal(5)
    oldest: timedelta = timedelta(hours=1)
    ahead: timedelta = timedelta(minutes=5)


@dataclass(frozen=True, slots=True)
class SourcePrice:
    """One source's price of a token."""

    source: str
    quote: PriceQuote


@dataclass(frozen=True, slots=True)
class LastPrice:
    """The last accepted price, and its time."""

    usd: Decimal
    at: datetime


@dataclass(frozen=True, slots=True)
class AcceptedPrice:
    """An accepted price, its source, and the other sources that agree, in order of trust."""

    usd: Decimal
    source: str
    agreeing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Doubted:
    """There were answers, none of them acceptable: there is no price until that changes."""

    reason: str


def judge(
    answers: Sequence[SourcePrice], last: LastPrice | None, now: datetime, rules: Rules, witnesses: int
) -> AcceptedPrice | Doubted | None:
    """Return the verdict, None without an answer. ``answers`` is in order of trust.

    ``witnesses`` is how many sources cover the token's chain: a single one needs no confirmation.
    """
    current = [each for each in answers if -rules.ahead <= now - each.quote.at <= rules.oldest]
    if not current:
        return None
    usable = [each for each in current if _fault(each.quote, rules) is None]
    if not usable:
        return Doubted(_fault(current[0].quote, rules) or "")
    agreed = confirmed(usable, rules)
    if agreed is not None:
        verdict = _unless_jump(agreed, last, now, rules, rules.confirmed)
        return (
            replace(verdict, agreeing=_agreeing(agreed, usable, rules))
            if isinstance(verdict, AcceptedPrice)
            else verdict
        )
    if len(usable) > 1:
        return Doubted("sources disagree")
    (only,) = usable
    verdict = _unless_jump(only, last, now, rules, Decimal(1))
    if isinstance(verdict, Doubted) or witnesses <= 1:
        return verdict
    liquidity = only.quote.liquidity_usd
    is_deep = liquidity is None or liquidity >= rules.lone_liquidity_usd
    continues = last is not None and now - last.at <= rules.oldest
    return verdict if is_deep or continues else Doubted("one source only, and thin")


def confirmed(answers: Sequence[SourcePrice], rules: Rules) -> SourcePrice | None:
    """Return the first of these that another one agrees with; those below the bounds do not count."""
    usable = [each for each in answers if _fault(each.quote, rules) is None]
    return next((each for each in usable if _agreeing(each, usable, rules)), None)


def _agreeing(each: SourcePrice, usable: Sequence[SourcePrice], rules: Rules) -> tuple[str, ...]:
    return tuple(
        other.source
        for other in usable
        if other.source != each.source and _apart(each.quote.usd, other.quote.usd) <= rules.agreement
    )


def _fault(quote: PriceQuote, rules: Rules) -> str | None:
    if not quote.usd.is_finite() or not rules.smallest_usd <= quote.usd <= rules.largest_usd:
        return "beyond what a token can be worth"
    liquidity = quote.liquidity_usd
    if liquidity is not None and not (liquidity.is_finite() and liquidity >= rules.least_liquidity_usd):
        return "too little liquidity"
    return None


def _unless_jump(
    each: SourcePrice, last: LastPrice | None, now: datetime, rules: Rules, factor: Decimal
) -> AcceptedPrice | Doubted:
    age = timedelta.max if last is None else now - last.at
    bound = rules.jump if age <= timedelta(hours=1) else rules.long_jump if age <= timedelta(days=1) else None
    if last is not None and bound is not None and _apart(each.quote.usd, last.usd) > bound * factor:
        return Doubted("jumps too far")
    return AcceptedPrice(cut(each.quote.usd), each.source)


def _apart(one: Decimal, other: Decimal) -> Decimal:
    return ratio(max(one, other), min(one, other))
