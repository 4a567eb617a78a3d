"""An integrator's earnings for the pages: values by day, chain and token, and each token's amounts."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from rhumbline.api.pages.language import Language
from rhumbline.api.portal.charts import Amount, Charts, Words, column_charts, row_charts
from rhumbline.api.portal.display import brief, brief_usd, dollars, labelled, micro_usd, quantity, short
from rhumbline.api.portal.filters import LONGEST, NO_CHAIN, NO_TOKEN, find_chain, named_tokens
from rhumbline.api.portal.services import PortalServices
from rhumbline.domain.sentence import Sentence
from rhumbline.tracking.collected_fees import CollectedFees

SPANS = (7, 30, 90)
DAYS = 30
MOST_UNLISTED = 20
MOST_ROWS = 8


@dataclass(frozen=True, slots=True)
class Span:
    """The filters of the fees page: days until today, chain and tokens, None for all."""

    days: int = DAYS
    chain: str = ""
    token: str = ""
    chain_id: int | None = None
    tokens: frozenset[tuple[int, str]] | None = None
    faults: tuple[Sentence, ...] = ()

    def shows(self, fees: CollectedFees) -> bool:
        here = self.chain_id is None or fees.chain_id == self.chain_id
        return here and (self.tokens is None or (fees.chain_id, fees.token) in self.tokens)


@dataclass(frozen=True, slots=True)
class DayRow:
    """A day in a table: its value in USD and, for one token, the amount."""

    day: str
    value: str
    amount: str


@dataclass(frozen=True, slots=True)
class Earned:
    """Fees in one listed token: in total, in the period, and by day."""

    chain: str
    symbol: str
    token: str
    total: str
    usd: str
    unpriced: int
    count: int
    charts: Charts | None
    rows: tuple[DayRow, ...]


@dataclass(frozen=True, slots=True)
class Unlisted:
    """Fees in one unlisted token: ``total`` in whole tokens by its contract's decimals, without a name."""

    chain: str
    token: str
    total: str
    count: int


@dataclass(frozen=True, slots=True)
class Earnings:
    """Earnings in listed tokens, and separately in others, of which ``more`` are not shown.

    ``span_usd`` is what the span brought, ``usd`` what all time did; ``unpriced`` fees of the span are in neither, for
    nobody told what they were worth. Charts are None where there is nothing to draw.
    """

    usd: str
    span_usd: str
    count: int
    unpriced: int
    by_day: Charts | None
    days: tuple[DayRow, ...]
    by_chain: Charts | None
    by_token: Charts | None
    earned: tuple[Earned, ...]
    others: tuple[Unlisted, ...]
    more: int


def read_span(query: Mapping[str, str], services: PortalServices) -> Span:
    """Read what a page of fees is asked for; nothing is guessed of what cannot be read."""
    days, chain_name, token_name = (query.get(name, "").strip()[:LONGEST] for name in ("days", "chain", "token"))
    faults = []
    if days and days not in {str(each) for each in SPANS}:
        faults.append(Sentence("days: must be one of %(days)s", days=", ".join(map(str, SPANS))))
        days = ""
    chain = find_chain(services.chains, chain_name) if chain_name else None
    if chain_name and chain is None:
        faults.append(NO_CHAIN)
    tokens = frozenset(named_tokens(services.chains, services.tokens, token_name)) if token_name else None
    if tokens is not None and not tokens:
        faults.append(NO_TOKEN)
    chain_id = None if chain is None else chain.id
    return Span(int(days or DAYS), chain_name, token_name, chain_id, tokens, tuple(faults))


async def earned_by(language: Language, services: PortalServices, integrator: str, span: Span) -> Earnings:
    """Return earnings with charts; unlisted tokens, which anybody can send, are separate and few."""
    today = services.clock().astimezone(UTC).date()
    days = tuple(today - timedelta(days=back) for back in reversed(range(span.days)))
    found = await services.collected.of(integrator, datetime.combine(days[0], time(), UTC))
    found = tuple(fees for fees in found if span.shows(fees))
    listed, others = [fees for fees in found if fees.listed], [fees for fees in found if not fees.listed]

    def network(fees: CollectedFees) -> str:
        chain = services.chains.by_id.get(fees.chain_id)
        return str(fees.chain_id) if chain is None else chain.name

    def token(fees: CollectedFees) -> str:
        return f"{fees.symbol}, {network(fees)}"

    by_day = dict.fromkeys(days, 0)
    for fees in listed:
        for of_day in fees.days:
            by_day[of_day.day] = by_day.get(of_day.day, 0) + micro_usd(of_day.usd)
    worth = sum(by_day.values())
    first, last = language.day_name(days[0]), language.day_name(today)

    def value(raw: int) -> str:
        return dollars(language, raw)

    def in_short(raw: int) -> str:
        return brief_usd(language, raw)

    def by(name_of: Callable[[CollectedFees], str], label: str) -> Charts:
        return _by(language, listed, name_of, label)

    return Earnings(
        usd=value(sum(micro_usd(fees.usd) for fees in listed)),
        span_usd=value(worth),
        count=sum(each.count for fees in listed for each in fees.days),
        unpriced=sum(each.count - each.priced for fees in listed for each in fees.days),
        by_day=(
            _by_day(
                language,
                by_day,
                language.say("Fees a day in USD, %(first)s to %(last)s", first=first, last=last),
                in_short,
                value,
                value,
            )
            if worth
            else None
        ),
        days=tuple(DayRow(language.day(day), value(raw), "") for day, raw in reversed(by_day.items()) if raw),
        by_chain=(
            by(network, language.say("Fees by chain in USD, %(first)s to %(last)s", first=first, last=last))
            if worth
            else None
        ),
        by_token=(
            by(token, language.say("Fees by token in USD, %(first)s to %(last)s", first=first, last=last))
            if worth
            else None
        ),
        earned=tuple(_earned(language, fees, network(fees), days) for fees in listed),
        others=tuple(
            Unlisted(network(fees), fees.token, quantity(language, fees.raw, fees.decimals), fees.count)
            for fees in others[:MOST_UNLISTED]
        ),
        more=max(len(others) - MOST_UNLISTED, 0),
    )


def _by_day(
    language: Language, by_day: Mapping[date, int], label: str, words: Words, written: Words, value: Words
) -> Charts:
    """Draw days: ``words`` writes the axis, ``written`` a day in full, ``value`` what the greatest has over it."""
    amounts = [
        Amount(raw, language.day_name(day), labelled(language, language.day(day), written(raw)))
        for day, raw in by_day.items()
    ]
    return column_charts(label, amounts, words, value)


def _by(
    language: Language, listed: Iterable[CollectedFees], name_of: Callable[[CollectedFees], str], label: str
) -> Charts:
    """Sum the period by name, the largest first; the rest is one row."""
    sums: dict[str, int] = {}
    for fees in listed:
        name = name_of(fees)
        sums[name] = sums.get(name, 0) + sum(micro_usd(of_day.usd) for of_day in fees.days)
    ordered = sorted(((raw, name) for name, raw in sums.items() if raw), key=lambda each: (-each[0], each[1]))
    rest = sum(raw for raw, _ in ordered[MOST_ROWS:])
    shown = [
        *ordered[:MOST_ROWS],
        *([(rest, language.say("%(count)s others", count=len(ordered) - MOST_ROWS))] if rest else []),
    ]
    amounts = [
        Amount(raw, name if len(name) <= 40 else f"{name[:39]}…", labelled(language, name, dollars(language, raw)))
        for raw, name in shown
    ]
    return row_charts(label, amounts, lambda raw: brief_usd(language, raw), lambda raw: dollars(language, raw))


def _earned(language: Language, fees: CollectedFees, network: str, days: tuple[date, ...]) -> Earned:
    by_day = dict.fromkeys(days, 0) | {each.day: each.raw for each in fees.days}

    def written(raw: int) -> str:
        return quantity(language, raw, fees.decimals, fees.symbol)

    def in_short(raw: int) -> str:
        return brief(language, raw, fees.decimals)

    label = language.say(
        "%(token)s on %(chain)s a day, %(first)s to %(last)s",
        token=fees.symbol,
        chain=network,
        first=language.day_name(days[0]),
        last=language.day_name(days[-1]),
    )
    return Earned(
        chain=network,
        symbol=fees.symbol,
        token=short(fees.token),
        total=written(fees.raw),
        usd=dollars(language, micro_usd(fees.usd)),
        unpriced=fees.count - fees.priced,
        count=fees.count,
        charts=_by_day(language, by_day, label, in_short, written, in_short) if fees.days else None,
        rows=tuple(
            DayRow(
                language.day(each.day),
                dollars(language, micro_usd(each.usd)) if each.priced else language.say("not known"),
                written(each.raw),
            )
            for each in reversed(fees.days)
        ),
    )
