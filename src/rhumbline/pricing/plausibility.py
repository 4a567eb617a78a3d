"""Whether what sources say can be believed: no price is better than a wrong one (rules: docs/prices.md). Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from decimal import Decimal

from rhumbline.domain.price import PriceQuote, cut, ratio


@dataclass(frozen=True, slots=True)
class Rules:
    """The bounds. Ratios are of the larger to the smaller price.

    ``least_liquidity_usd`` makes a quote count at all; ``lone_liquidity_usd`` makes one count that nobody confirms.
    ``jump`` bounds what one source may move a price that is younger than an hour, ``long_jump`` one younger than a day;
    two sources that agree may move it by ``confirmed`` times as much.
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
class Heard:
    """What one source says about a token."""

    source: str
    quote: PriceQuote


@dataclass(frozen=True, slots=True)
class LastPrice:
    """The last price that was believed, and when."""

    usd: Decimal
    at: datetime


@dataclass(frozen=True, slots=True)
class Believed:
    """A price, the source it is of, and the other sources that agree with it, in order of trust."""

    usd: Decimal
    source: str
    agreeing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Doubted:
    """Something was heard, and nothing of it can be believed: there is no price until that changes."""

    reason: str


def judge(
    heard: Sequence[Heard], last: LastPrice | None, now: datetime, rules: Rules, witnesses: int
) -> Believed | Doubted | None:
    """Return the verdict, None when nothing was heard. ``heard`` is in order of trust.

    ``witnesses`` is how many sources cover the token's chain: where there is but one, it need not be confirmed.
    """
    current = [each for each in heard if -rules.ahead <= now - each.quote.at <= rules.oldest]
    if not current:
        return None
    usable = [each for each in current if _fault(each.quote, rules) is None]
    if not usable:
        return Doubted(_fault(current[0].quote, rules) or "")
    agreed = confirmed(usable, rules)
    if agreed is not None:
        verdict = _unless_jump(agreed, last, now, rules, rules.confirmed)
        return replace(verdict, agreeing=_agreeing(agreed, usable, rules)) if isinstance(verdict, Believed) else verdict
    if len(usable) > 1:
        return Doubted("sources disagree")
    (only,) = usable
    verdict = _unless_jump(only, last, now, rules, Decimal(1))
    if isinstance(verdict, Doubted) or witnesses <= 1:
        return verdict
    liquidity = only.quote.liquidity_usd
    is_deep = liquidity is None or liquidity >= rules.lone_liquidity_usd
    goes_on = last is not None and now - last.at <= rules.oldest
    return verdict if is_deep or goes_on else Doubted("one source only, and thin")


def confirmed(heard: Sequence[Heard], rules: Rules) -> Heard | None:
    """Return the first of these that another one agrees with; those that cannot count do not count."""
    usable = [each for each in heard if _fault(each.quote, rules) is None]
    return next((each for each in usable if _agreeing(each, usable, rules)), None)


def _agreeing(each: Heard, usable: Sequence[Heard], rules: Rules) -> tuple[str, ...]:
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
    each: Heard, last: LastPrice | None, now: datetime, rules: Rules, factor: Decimal
) -> Believed | Doubted:
    age = timedelta.max if last is None else now - last.at
    bound = rules.jump if age <= timedelta(hours=1) else rules.long_jump if age <= timedelta(days=1) else None
    if last is not None and bound is not None and _apart(each.quote.usd, last.usd) > bound * factor:
        return Doubted("jumps too far")
    return Believed(cut(each.quote.usd), each.source)


def _apart(one: Decimal, other: Decimal) -> Decimal:
    return ratio(max(one, other), min(one, other))
