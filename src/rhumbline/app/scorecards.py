"""Builds what counts for scorecards, and what the ranking makes of them, as the settings say."""

from collections.abc import Coroutine
from dataclasses import dataclass
from datetime import timedelta
from fractions import Fraction
from functools import partial
from typing import Any

from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.accounts.score_store import ScoreWriter
from rhumbline.accounts.score_tally import ScoreTally
from rhumbline.api.metrics.service_metrics import ServiceMetrics
from rhumbline.app.sections import ScorecardSettings
from rhumbline.domain.clock import Clock
from rhumbline.domain.scorecard import RankedRecord, RecordRanking
from rhumbline.routing.ranking import handicap
from rhumbline.tracking.scorecards.comparison import RecordComparison
from rhumbline.tracking.scorecards.reader import ScorecardReader
from rhumbline.tracking.scorecards.track_records import TrackRecords

_BPS = 10_000


@dataclass(frozen=True, slots=True)
class ScorecardParts:
    """What works for scorecards: ``tally`` counts, None if nothing is kept; the rest reads and writes the store."""

    tally: ScoreTally | None
    writer: ScoreWriter
    reader: ScorecardReader
    records: TrackRecords
    comparison: RecordComparison
    most: Fraction

    def ranking(self) -> RecordRanking:
        """Return all track records with what they cost, the most expensive first."""
        known = self.records()
        ranked = (RankedRecord(pair, record, handicap(record, self.most)) for pair, record in known.items())
        return RecordRanking(self.most, tuple(sorted(ranked, key=lambda each: (-each.cost, each.pair))))

    def works(self) -> tuple[Coroutine[Any, Any, None], ...]:
        """Return what goes on beside requests in every process."""
        ranks = self.tally is not None and self.most > 0
        return (self.writer.run(), self.records.run()) if ranks else (self.writer.run(),)


def build_scorecards(
    settings: ScorecardSettings, engine: AsyncEngine, clock: Clock, metrics: ServiceMetrics
) -> ScorecardParts:
    """Build the parts; without days nothing is counted, and what there is is removed."""
    most = Fraction(settings.most_bps) / _BPS if settings.keep_days else Fraction(0)
    tally, kept = ScoreTally(clock), timedelta(days=settings.keep_days)
    metrics.watch_scores(lambda: tally.lost, lambda: tally.uncounted)
    return ScorecardParts(
        tally if settings.keep_days else None,
        ScoreWriter(engine, tally, clock, kept),
        ScorecardReader(engine, clock),
        TrackRecords(engine, partial(handicap, most=most)),
        RecordComparison(engine, kept),
        most,
    )
