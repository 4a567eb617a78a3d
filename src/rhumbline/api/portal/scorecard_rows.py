"""Scorecards in words, for the status page. Pure."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from rhumbline.api.pages.language import Language
from rhumbline.domain.scorecard import Counted, Scorecard
from rhumbline.domain.sentence import Sentence
from rhumbline.domain.service_status import NamedScorecard

_REASONS: Mapping[Counted, Sentence] = MappingProxyType({
    Counted.NO_ROUTE: Sentence("no route"),
    Counted.BELOW_MINIMUM: Sentence("amount too low"),
    Counted.SLIPPAGE: Sentence("slippage too tight"),
    Counted.BAD_REQUEST: Sentence("request refused"),
    Counted.UNAUTHORIZED: Sentence("credentials refused"),
    Counted.TRANSIENT: Sentence("failed or late"),
    Counted.REVERTED: Sentence("simulation failed"),
    Counted.REFUSED: Sentence("not let through by us"),
    Counted.OURS: Sentence("our node was away"),
    Counted.OTHER: Sentence("another reason"),
})  # fmt: skip


class ScorecardRow(NamedTuple):
    """One row of the page's table, in words; empty where nothing is known."""

    adapter: str
    chains: str
    asked: str
    answered: str
    won: str
    executed: str
    deviation: str
    time: str
    refusals: str


def scorecard_rows(language: Language, scorecards: Sequence[NamedScorecard]) -> list[ScorecardRow]:
    return [_row(language, each) for each in scorecards]


def _row(language: Language, named: NamedScorecard) -> ScorecardRow:
    card, number = named.card, language.number
    chains = named.origin if named.origin == named.destination else f"{named.origin} – {named.destination}"
    executed = number(card.executed)
    if card.failed:
        executed = language.say(
            "%(executed)s, of which failed: %(failed)s", executed=executed, failed=number(card.failed)
        )
    return ScorecardRow(
        named.name,
        chains,
        number(card.asked),
        number(card.answered),
        number(card.won),
        executed,
        "" if card.deviation_ppm is None else deviation_percent(language, card.deviation_ppm),
        _time(language, card),
        language.listed(
            f"{language.translated(_REASONS[reason])}: {number(count)}"
            for reason, count in sorted(card.refusals.items(), key=lambda item: (-item[1], item[0]))
        ),
    )


def deviation_percent(language: Language, ppm: int) -> str:
    """Write millionths as a percentage, with a sign."""
    sign = "−" if ppm < 0 else "+" if ppm > 0 else ""
    return sign + language.percent(f"{abs(ppm) // 10_000}.{abs(ppm) % 10_000:04d}")


def _time(language: Language, card: Scorecard) -> str:
    if card.taken_s is None:
        return ""
    taken = language.duration(card.taken_s)
    if card.promised_s is None:
        return taken
    return language.say("%(taken)s, promised %(promised)s", taken=taken, promised=language.duration(card.promised_s))
