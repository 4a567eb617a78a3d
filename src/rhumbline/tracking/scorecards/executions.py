"""What became of a quote on chain: its record compared with what was promised. The table, and the comparison.

Only what a chain shows is measured: the Diamond's event, the balances of a Solana transaction, or a delivery that was
found on its chain. What a bridge merely says of a delivery is an end, and measures nothing.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from sqlalchemy import BigInteger, Boolean, Column, DateTime, Integer, MetaData, Numeric, Table, Text

from rhumbline.domain.scorecard import Promise
from rhumbline.domain.tracking import StatusSource, TransactionRecord, TransferState

WEIGHED_WITHIN = timedelta(minutes=2)
"""Later transactions do not count in the ranking: who waits chooses a price that has moved."""
LEAST_CENTS = 100_00
"""Nor do transactions that send less than so many hundredths of a USD."""
_MILLION = 1_000_000
_LONGEST_S = 14 * 86_400
_ENDED = frozenset({TransferState.RECOVERED, TransferState.REFUNDED, TransferState.BRIDGE_FAILED})

executions = Table(
    "score_executions",
    MetaData(),
    Column("record_id", Text, primary_key=True),
    Column("at", DateTime(timezone=True), nullable=False),
    Column("adapter", Text, nullable=False),
    Column("source_chain_id", BigInteger, key="origin_chain_id", nullable=False),
    Column("dest_chain_id", BigInteger, key="destination_chain_id", nullable=False),
    Column("sender", Text, nullable=False),
    Column("promised_output", Numeric(78, 0), nullable=False),
    Column("promised_s", Integer),
    Column("promised_at", DateTime(timezone=True), nullable=False),
    Column("value_cents", BigInteger),
    Column("weighs", Boolean, nullable=False),
    Column("outcome", Text, nullable=False),
    Column("deviation_ppm", Integer),
    Column("taken_s", Integer),
)


class Outcome(StrEnum):
    """How an executed transaction stands: what was bought has arrived, or something else has, or nothing."""

    PENDING = "pending"
    COMPLETED = "completed"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Execution:
    """An executed transaction beside its promise; ``deviation_ppm`` and ``taken_s`` are None if not measured."""

    record_id: str
    at: datetime
    sender: str
    promise: Promise
    outcome: Outcome
    deviation_ppm: int | None
    taken_s: int | None

    @property
    def weighs(self) -> bool:
        """Whether it may count in the ranking, once it is measured."""
        promise = self.promise
        is_fresh = self.at <= promise.at + WEIGHED_WITHIN
        return promise.weighs and is_fresh and promise.value_cents is not None and promise.value_cents >= LEAST_CENTS

    def columns(self) -> Mapping[str, object]:
        promise = self.promise
        return {
            "record_id": self.record_id,
            "at": self.at,
            **promise.pair._asdict(),
            "sender": self.sender,
            "promised_output": promise.output,
            "promised_s": promise.seconds,
            "promised_at": promise.at,
            "value_cents": promise.value_cents,
            "weighs": self.weighs,
            "outcome": self.outcome.value,
            "deviation_ppm": self.deviation_ppm,
            "taken_s": self.taken_s,
        }


def execution_of(record: TransactionRecord, promise: Promise) -> Execution:
    """Return how a record stands beside the promise of its transaction ID."""
    outcome, deviation, taken_s = Outcome.PENDING, None, None
    if record.status in _ENDED:
        outcome = Outcome.FAILED
    elif record.status is TransferState.SUCCESS:
        outcome = Outcome.COMPLETED
        # What is left of MIXED is a bridge's word about one of its sides.
        if record.status_source is StatusSource.ANALYTICS and record.output is not None:
            deviation = deviation_ppm(record.output.raw, promise.output)
            taken_s = _taken_s(record)
    return Execution(record.id, record.origin_time, record.sender, promise, outcome, deviation, taken_s)


def deviation_ppm(delivered: int, promised: int) -> int:
    """Return delivered less promised in millionths of what was promised, at most the whole of it, towards zero.

    So less than a millionth is no deviation.
    """
    off = delivered - promised
    whole = min(abs(off) * _MILLION // max(promised, 1), _MILLION)
    return whole if off > 0 else -whole


def _taken_s(record: TransactionRecord) -> int | None:
    """Return how long a transfer took; chains' clocks may differ, so it is not less than nothing."""
    arrived, crossing = record.destination_time, record.destination_chain_id != record.origin_chain_id
    if not crossing or arrived is None:
        return None
    return min(max(int((arrived - record.origin_time).total_seconds()), 0), _LONGEST_S)
