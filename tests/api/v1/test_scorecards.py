"""``GET /v1/scorecards``: for anybody, bounded, and a bad filter is named."""

from datetime import date
from fractions import Fraction

import pytest

from rhumbline.domain.errors import StoreUnavailable
from rhumbline.domain.scorecard import (
    AdapterPair,
    Counted,
    RankedRecord,
    RecordRanking,
    Scorecard,
    ScorecardFilter,
    TrackRecord,
)
from tests.api.api_service import ApiService
from tests.api.conftest import Client

PATH = "/v1/scorecards"
PAIR, OTHER = AdapterPair("ACROSS", 1, 8453), AdapterPair("ONCHAIN", 1, 1)
CARD = Scorecard(
    pair=PAIR, day=date(2026, 11, 27), asked=9, answered=7, built=3, won=2, refusals={Counted.BELOW_MINIMUM: 2},
    executed=2, completed=1, failed=1, senders=2, measured=1, deviation_ppm=-1234, promised_s=60, taken_s=75,
)  # fmt: skip
RECORD = TrackRecord(Fraction(12, 10_000), 15, 12, 6_000_50)


async def test_figures_are_told_to_anybody(client: Client, api_service: ApiService) -> None:
    api_service.cards = (CARD,)
    api_service.ranking = RecordRanking(
        Fraction(5, 10_000), (RankedRecord(PAIR, RECORD, Fraction(5, 10_000)), RankedRecord(OTHER, RECORD, Fraction(0)))
    )
    answer = await client.ask(PATH)
    assert (answer.status, answer.headers["cache-control"]) == (200, "private, max-age=60")
    assert answer.headers["access-control-allow-origin"] == "*"
    entry = {
        "adapter": "ACROSS", "sourceChainId": 1, "destChainId": 8453, "senders": 12, "valueUsd": "6000.5",
        "shortfallBps": "12", "lateSeconds": 15, "costBps": "5",
    }  # fmt: skip
    assert answer.json == {
        "readAt": answer.json["readAt"],
        "complete": False,
        "scorecards": [
            {
                "day": "2026-11-27",
                "adapter": "ACROSS",
                "sourceChainId": 1,
                "destChainId": 8453,
                "requests": {"asked": 9, "answered": 7, "built": 3, "won": 2, "refusals": {"below_minimum": 2}},
                "executions": {
                    "executed": 2, "completed": 1, "failed": 1, "senders": 2, "measured": 1,
                    "deviationBps": "-12.34", "promisedSeconds": 60, "takenSeconds": 75,
                },
            }
        ],
        "mostCostBps": "5",
        "trackRecords": [entry, entry | {"adapter": "ONCHAIN", "destChainId": 1, "costBps": "0"}],
    }  # fmt: skip
    narrow = await client.ask(PATH, {"days": "90", "adapters": "onchain, RELAY", "sourceChainId": "1"})
    assert [each["adapter"] for each in narrow.json["trackRecords"]] == ["ONCHAIN"]
    assert [each["adapter"] for each in (await client.ask(PATH, {"destChainId": "8453"})).json["trackRecords"]] == [
        "ACROSS"
    ]
    assert api_service.scored == [
        ScorecardFilter(7),
        ScorecardFilter(90, frozenset({"ONCHAIN", "RELAY"}), 1),
        ScorecardFilter(7, None, None, 8453),
    ]


async def test_without_history_there_is_nothing(client: Client) -> None:
    answer = await client.ask(PATH)
    assert {name: answer.json[name] for name in ("complete", "scorecards", "mostCostBps", "trackRecords")} == {
        "complete": True, "scorecards": [], "mostCostBps": "0", "trackRecords": [],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("query", "status", "named"),
    [
        ({"days": "0"}, 400, "days"),
        ({"days": "91"}, 400, "days"),
        ({"days": "a week"}, 400, "days"),
        ({"adapters": "ACROSS,,RELAY"}, 400, "adapters"),
        ({"adapters": "NOBODY"}, 400, "NOBODY"),
        ({"sourceChainId": "base"}, 400, "sourceChainId"),
        ({"destChainId": "77"}, 404, "77"),
    ],
)
async def test_a_bad_filter_is_named(
    client: Client, api_service: ApiService, query: dict[str, str], status: int, named: str
) -> None:
    answer = await client.ask(PATH, query)
    assert answer.status == status
    assert named in answer.json["message"]
    assert api_service.scored == []


async def test_a_store_that_is_away_is_503(client: Client, api_service: ApiService) -> None:
    api_service.failure = StoreUnavailable("The store does not answer")
    assert (await client.ask(PATH)).status == 503
