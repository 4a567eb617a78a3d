"""Scorecards in words, in every language; what is not known is empty."""

import pytest

from rhumbline.api.pages.language import ENGLISH
from rhumbline.api.portal.scorecard_rows import deviation_percent, scorecard_rows
from rhumbline.domain.scorecard import REFUSALS, AdapterPair, Scorecard
from rhumbline.domain.service_status import NamedScorecard

PAIR = AdapterPair("ONCHAIN", 1, 1)


@pytest.mark.parametrize(
    ("ppm", "text"),
    [(0, "0.0000%"), (-1, "−0.0001%"), (1234, "+0.1234%"), (-1_000_000, "−100.0000%")],
)
def test_a_deviation_is_exact(ppm: int, text: str) -> None:
    assert deviation_percent(ENGLISH, ppm) == text


def test_each_reason_has_words_the_most_frequent_first() -> None:
    card = Scorecard(pair=PAIR, asked=1234, refusals={reason: at for at, reason in enumerate(REFUSALS, 1)}, taken_s=3)
    (row,) = scorecard_rows(ENGLISH, [NamedScorecard("Pools", "Ethereum", "Ethereum", card)])
    assert (row.chains, row.asked, row.executed, row.deviation, row.time) == ("Ethereum", "1,234", "0", "", "3 sec")
    reasons = row.refusals.split(", ")
    assert reasons[0] == f"another reason: {len(REFUSALS)}"
    assert len(reasons) == len(set(reasons)) == len(REFUSALS)
