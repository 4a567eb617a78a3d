"""A seeded sample of the attacks on scorecards, and that they are found where a bound is left out."""

from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from attack.campaign import Campaign, Report
from attack.judge import Verdict
from attack.lies import Lie
from attack.scores.board import board_on
from attack.scores.campaign import KINDS, ScoreCampaign, Victim
from attack.service import AttackedService
from rhumbline.accounts import score_store, score_tally
from rhumbline.tracking.scorecards import executions, track_records
from tests.attack.test_sample import SEED, bad
from tests.postgres_fixture import Databases

KEY = "KYBERSWAP"


@pytest.fixture(scope="module")
async def campaign(service: AttackedService, postgres_databases: Databases) -> AsyncIterator[ScoreCampaign]:
    dsn = postgres_databases.create()
    async with board_on(dsn) as board:
        yield ScoreCampaign(Campaign(service, SEED), board, each=1)
    postgres_databases.drop(dsn)


@pytest.fixture(scope="module")
async def victims(campaign: ScoreCampaign) -> list[Victim]:
    return await campaign.victims(KEY)


def largest(values: list[tuple[int, int]]) -> int:
    """Return what the worst of all says."""
    return max(value for value, _ in values)


async def test_nobody_moves_a_ranking_but_by_bringing_less(campaign: ScoreCampaign, victims: list[Victim]) -> None:
    report = Report()
    await campaign.attack_all(victims, report)
    assert bad(report, len(KINDS)) == []


@pytest.mark.parametrize(
    ("kind", "left_out", "verdict"),
    [
        ("quotes", [(score_tally, "MOST_OF_CALLER", 10**9), (score_store, "MOST_OF_CALLER", 10**9)], Verdict.INFLATED),
        # Known to each process alone, two count twice as much.
        ("quotes", [(score_store, "MOST_OF_CALLER", 10**9)], Verdict.INFLATED),
        ("dust", [(executions, "LEAST_CENTS", 0), (track_records, "LEAST_CENTS_TOGETHER", 0)], Verdict.LOST),
        ("few", [(track_records, "FEWEST_SENDERS", 10)], Verdict.LOST),
        ("sender", [(track_records, "FEWEST_SENDERS", 1), (track_records, "LEAST_CENTS_TOGETHER", 0)], Verdict.LOST),
        ("late", [(executions, "WEIGHED_WITHIN", timedelta(days=1))], Verdict.LOST),
        ("minority", [(track_records, "weighted_median", largest)], Verdict.LOST),
        ("short", [(track_records, "FEWEST_SENDERS", 1000)], Verdict.INFLATED),
    ],
)
async def test_a_bound_that_is_left_out_is_found(
    campaign: ScoreCampaign,
    victims: list[Victim],
    monkeypatch: pytest.MonkeyPatch,
    kind: str,
    left_out: list[tuple[object, str, object]],
    verdict: Verdict,
) -> None:
    for place, name, value in left_out:
        monkeypatch.setattr(place, name, value)
    outcome = await campaign.judged(victims[0], Lie(KEY, 0, f"score:{kind}", SEED))
    assert outcome.verdict is verdict, outcome.why
