"""What adapters' measured transactions have shown, as it counts in the ranking: read from the store every five minutes.

Quotes count for nothing here: anybody can ask for a thousand. A transaction counts if its sender has paid for it on
chain, soon after its answer, for at least 100 USD of a listed token. Each sender has one voice for an adapter on a
pair of chains, with the weight of what it has sent, up to 1,000 USD; fewer than twenty senders, or 10,000 USD, say
nothing. The weighted median of the voices counts, so whoever wants to move it has to send more than all others.
"""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from fractions import Fraction
from typing import NamedTuple

import structlog
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.domain.errors import StoreUnavailable
from rhumbline.domain.scorecard import AdapterPair, TrackRecord
from rhumbline.gateways.postgres.failures import store_access

LOOKS_BACK = timedelta(days=30)
MOST_CENTS = 1_000_00
"""The weight of one sender's voice, at most, in hundredths of a USD."""
FEWEST_SENDERS = 20
LEAST_CENTS_TOGETHER = 10_000_00
MOST_VOICES = 1_000
"""So many senders of an adapter on a pair of chains are heard, those with the most weight."""
READ_EVERY_S = 300.0
_MILLION = 1_000_000
_VOICES = text("""
    WITH voices AS (
        SELECT adapter, source_chain_id, dest_chain_id, sender,
            least(sum(value_cents), :most)::bigint AS cents,
            percentile_disc(0.5) WITHIN GROUP (ORDER BY greatest(-deviation_ppm, 0)) AS short_ppm,
            percentile_disc(0.5) WITHIN GROUP (ORDER BY greatest(coalesce(taken_s - promised_s, 0), 0)) AS late_s
        FROM score_executions
        WHERE weighs AND deviation_ppm IS NOT NULL AND at > clock_timestamp() - CAST(:looks_back AS interval)
        GROUP BY adapter, source_chain_id, dest_chain_id, sender
    ), heard AS (
        SELECT *, row_number() OVER (
            PARTITION BY adapter, source_chain_id, dest_chain_id ORDER BY cents DESC, sender
        ) AS place FROM voices
    )
    SELECT adapter, source_chain_id, dest_chain_id, cents, short_ppm, late_s FROM heard WHERE place <= :voices
""")


class Voice(NamedTuple):
    """What one sender has seen: the median of its transactions, and its weight in hundredths of a USD."""

    cents: int
    short_ppm: int
    late_s: int


def track_record(voices: Sequence[Voice]) -> TrackRecord | None:
    """Return what the senders of an adapter's transactions say together; None of too few, or of too little. Pure."""
    total = sum(each.cents for each in voices)
    if len(voices) < FEWEST_SENDERS or total < LEAST_CENTS_TOGETHER:
        return None
    short = weighted_median([(each.short_ppm, each.cents) for each in voices])
    late = weighted_median([(each.late_s, each.cents) for each in voices])
    return TrackRecord(Fraction(short, _MILLION), late, len(voices), total)


def weighted_median(values: Iterable[tuple[int, int]]) -> int:
    """Return the smallest of the values, each with its weight, that at least half of the weight is not above. Pure.

    So what exactly half of it says, at most, moves nothing upwards.
    """
    ordered = sorted(values)
    total, passed = sum(weight for _, weight in ordered), 0
    for value, weight in ordered:
        passed += weight
        if 2 * passed >= total:
            return value
    return 0


@dataclass(slots=True, eq=False)
class TrackRecords:
    """Has the track records of all adapters as they were read last; none at first, nor while the store is away.

    ``cost`` says which share of the value a record costs in the ranking; ``costs`` has those above 0, and is kept up to
    date in place.
    """

    engine: AsyncEngine
    cost: Callable[[TrackRecord], Fraction]
    costs: dict[AdapterPair, Fraction] = field(default_factory=dict, init=False)
    _known: Mapping[AdapterPair, TrackRecord] = field(default_factory=dict, init=False)

    def __call__(self) -> Mapping[AdapterPair, TrackRecord]:
        return self._known

    async def run(self) -> None:
        """Read until cancelled."""
        while True:
            try:
                await self.read()
            except StoreUnavailable:
                structlog.get_logger().info("track_records_not_read")
            except Exception:
                structlog.get_logger().exception("track_records_not_read")
            await asyncio.sleep(READ_EVERY_S)

    async def read(self) -> None:
        """Read now. Raise StoreUnavailable, and keep what was known."""
        given = {"most": MOST_CENTS, "looks_back": LOOKS_BACK, "voices": MOST_VOICES}
        voices: dict[AdapterPair, list[Voice]] = {}
        with store_access():
            async with self.engine.connect() as connection:
                for adapter, origin, destination, *said in await connection.execute(_VOICES, given):
                    voices.setdefault(AdapterPair(adapter, origin, destination), []).append(Voice(*map(int, said)))
        self._known = {pair: found for pair, each in voices.items() if (found := track_record(each)) is not None}
        costs = {pair: self.cost(record) for pair, record in self._known.items()}
        self.costs.clear()
        self.costs.update((pair, cost) for pair, cost in costs.items() if cost)
