"""What the settings of scorecards do: the bound of a track record's cost, and how long anything is kept."""

from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.accounts.score_store import callers, counts, promises
from rhumbline.api.metrics.service_metrics import ServiceMetrics
from rhumbline.app.scorecards import build_scorecards
from rhumbline.app.sections import ScorecardSettings
from rhumbline.app.settings import SettingsError, load_settings
from rhumbline.domain.clock import system_clock
from rhumbline.domain.scorecard import ScorecardFilter
from rhumbline.tracking.scorecards.executions import executions
from tests.accounts.test_request_store import count
from tests.accounts.test_score_tally import ASKED, CALLER, PAIR, promise
from tests.tracking.scorecards.test_track_records import seen


@pytest.mark.parametrize(
    ("told", "late_bps"),
    [({}, 5), ({"most_bps": "0.5"}, Fraction(1, 2)), ({"most_bps": 20}, Fraction(10) + Fraction(30, 1200) * 5)],
)
async def test_what_transactions_have_shown_costs_up_to_the_bound(
    store_engine: AsyncEngine, told: dict[str, Any], late_bps: Fraction
) -> None:
    """Of 20 senders, each 10 basis points less and 30 seconds later than promised."""
    await seen(store_engine, 20)
    built = build_scorecards(ScorecardSettings(**told), store_engine, system_clock, ServiceMetrics())
    assert built.records.costs == {}, "nothing is known before it was read"
    await built.records.read()
    assert built.records.costs.get(PAIR, 0) * 10_000 == late_bps
    assert built.records.costs.keys() <= {PAIR}
    (ranked,) = built.ranking().records
    assert (ranked.pair, ranked.cost) == (PAIR, built.records.costs.get(PAIR, 0))


async def test_nothing_is_read_for_a_bound_of_nothing(store_engine: AsyncEngine) -> None:
    built = build_scorecards(ScorecardSettings(most_bps=Decimal(0)), store_engine, system_clock, ServiceMetrics())
    works = built.works()
    assert (built.tally is not None, len(works)) == (True, 1)
    for work in works:
        work.close()


async def test_zero_days_count_nothing_and_what_was_kept_goes(store_engine: AsyncEngine) -> None:
    metrics = ServiceMetrics()
    built = build_scorecards(ScorecardSettings(), store_engine, system_clock, metrics)
    assert built.tally is not None
    built.tally.add(CALLER, [ASKED])
    built.tally.promise(promise(1, at=system_clock()))
    await built.writer.write()
    await seen(store_engine, 20)
    assert len((await built.reader.by_day(ScorecardFilter(1))).cards) == 1
    assert metrics.registry.get_sample_value("rhumbline_scores_lost_total") == 0

    off = build_scorecards(ScorecardSettings(keep_days=0), store_engine, system_clock, ServiceMetrics())
    await off.writer.write()
    await off.comparison.tidy()
    assert off.tally is None
    assert off.most == 0
    assert [await count(store_engine, table) for table in (counts, callers, promises, executions)] == [0] * 4


@pytest.mark.parametrize(
    ("name", "value"), [("MOST_BPS", "21"), ("MOST_BPS", "-1"), ("KEEP_DAYS", "366"), ("KEEP_DAYS", "-1")]
)
def test_a_setting_out_of_bounds_is_named(name: str, value: str) -> None:
    with pytest.raises(SettingsError, match=f"scorecards.{name.lower()}"):
        load_settings(environment={f"RHUMBLINE_SCORECARDS__{name}": value})
