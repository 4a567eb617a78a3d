"""Scorecards as they are answered, and what they cost in the ranking."""

from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Annotated

from pydantic import Field

from rhumbline.api.wire.shape import Number, Timestamp, Wire
from rhumbline.domain.scorecard import RankedRecord, RecordRanking, Scorecard, Scorecards

_BPS = 10_000
_PPM_OF_BPS = 100
_CENTS = 100


class RequestCounts(Wire):
    """Requests that were counted; ``refusals`` are the reasons for which the adapter gave nothing, without zeros."""

    asked: int
    answered: int
    built: int
    won: int
    refusals: dict[str, int]


class ExecutionCounts(Wire):
    """Transactions that were seen on chain, and what was measured there of those that brought what was bought."""

    executed: int
    completed: int
    failed: int
    senders: int
    measured: int
    deviation_bps: Annotated[
        Number | None, Field(description="Median of delivered less quoted, in ten-thousandths of the quoted amount.")
    ]
    promised_seconds: Annotated[int | None, Field(description="Median of what the bridge had estimated.")]
    taken_seconds: Annotated[int | None, Field(description="Median of what the same transfers took.")]


class ScorecardEntry(Wire):
    """One adapter on one pair of chains, on one day (UTC); ``day`` is null for all days of the answer together."""

    day: date | None
    adapter: str
    source_chain_id: int
    dest_chain_id: int
    requests: RequestCounts
    executions: ExecutionCounts

    @classmethod
    def of(cls, card: Scorecard) -> "ScorecardEntry":
        deviation = card.deviation_ppm
        return cls(
            day=card.day,
            adapter=card.pair.adapter,
            source_chain_id=card.pair.origin_chain_id,
            dest_chain_id=card.pair.destination_chain_id,
            requests=RequestCounts(
                asked=card.asked,
                answered=card.answered,
                built=card.built,
                won=card.won,
                refusals={reason.value: number for reason, number in card.refusals.items()},
            ),
            executions=ExecutionCounts(
                executed=card.executed,
                completed=card.completed,
                failed=card.failed,
                senders=card.senders,
                measured=card.measured,
                deviation_bps=None if deviation is None else Decimal(deviation) / _PPM_OF_BPS,
                promised_seconds=card.promised_s,
                taken_seconds=card.taken_s,
            ),
        )


class TrackRecordEntry(Wire):
    """What an adapter's measured transactions of the last thirty days cost it in the ranking of recommended answers."""

    adapter: str
    source_chain_id: int
    dest_chain_id: int
    senders: int
    value_usd: Number
    shortfall_bps: Number
    late_seconds: int
    cost_bps: Number

    @classmethod
    def of(cls, ranked: RankedRecord) -> "TrackRecordEntry":
        record = ranked.record
        return cls(
            adapter=ranked.pair.adapter,
            source_chain_id=ranked.pair.origin_chain_id,
            dest_chain_id=ranked.pair.destination_chain_id,
            senders=record.senders,
            value_usd=Decimal(record.value_cents) / _CENTS,
            shortfall_bps=bps(record.shortfall),
            late_seconds=record.late_s,
            cost_bps=bps(ranked.cost),
        )


class ScorecardList(Wire):
    """The newest day first; ``mostCostBps`` is the most that a track record costs in the ranking, 0 for nothing."""

    read_at: Timestamp
    complete: Annotated[bool, Field(description="False if there are more than are told: ask for less.")]
    scorecards: list[ScorecardEntry]
    most_cost_bps: Number
    track_records: list[TrackRecordEntry]

    @classmethod
    def of(cls, found: Scorecards, ranking: RecordRanking) -> "ScorecardList":
        return cls(
            read_at=found.read_at,
            complete=found.complete,
            scorecards=[ScorecardEntry.of(each) for each in found.cards],
            most_cost_bps=bps(ranking.most),
            track_records=[TrackRecordEntry.of(each) for each in ranking.records],
        )


def bps(share: Fraction) -> Decimal:
    """Return a share in ten-thousandths, rounded to hundredths of one."""
    return Decimal(round(share * _BPS * _PPM_OF_BPS)) / _PPM_OF_BPS
