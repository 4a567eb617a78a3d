"""Words of scorecards: what is counted of adapters, and what became of the transactions that they won with."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple


class AdapterPair(NamedTuple):
    """An adapter on a pair of chains; for a swap both are the same."""

    adapter: str
    origin_chain_id: int
    destination_chain_id: int


class Counted(StrEnum):
    """What is counted of one adapter in one request; from ``NO_ROUTE`` on the reasons for which it gave nothing.

    ``ASKED``, ``ANSWERED`` with an amount, ``BUILT``: its transaction was made and found sound, ``WON``: it was the
    answer. ``OURS``: a node or a price source of the service was away.
    """

    ASKED = "asked"
    ANSWERED = "answered"
    BUILT = "built"
    WON = "won"
    NO_ROUTE = "no_route"
    BELOW_MINIMUM = "below_minimum"
    SLIPPAGE = "slippage"
    BAD_REQUEST = "bad_request"
    UNAUTHORIZED = "unauthorized"
    TRANSIENT = "transient"
    REVERTED = "reverted"
    REFUSED = "refused"
    OURS = "ours"
    OTHER = "other"


REFUSALS = tuple(Counted)[tuple(Counted).index(Counted.NO_ROUTE) :]
"""The reasons for which an adapter gave nothing."""


@dataclass(frozen=True, slots=True)
class Promise:
    """What an answered transaction was quoted with, kept to be compared with what it brings.

    ``output`` is in raw units of the bought token, ``seconds`` the bridge's estimate. ``value_cents`` is what was sent
    in hundredths of a USD, by the service's prices; None without one. ``weighs``: nothing that its caller has chosen
    can make it bring less for nothing, so that it may count in the ranking if enough was sent.
    """

    transaction_id: str
    pair: AdapterPair
    output: int
    seconds: int | None
    value_cents: int | None
    weighs: bool
    at: datetime


@dataclass(frozen=True, slots=True)
class TrackRecord:
    """What an adapter's measured transactions on a pair of chains have shown, as it counts in the ranking.

    ``shortfall`` is the share of a quoted output that did not arrive, ``late_s`` how many seconds longer than estimated
    it took, both at the weighted median of senders and 0 or more; ``senders`` how many were counted, ``value_cents``
    what they count for.
    """

    shortfall: Fraction
    late_s: int
    senders: int
    value_cents: int


@dataclass(frozen=True, slots=True)
class RankedRecord:
    """An adapter's track record, and the share of the value that it costs in the ranking."""

    pair: AdapterPair
    record: TrackRecord
    cost: Fraction


@dataclass(frozen=True, slots=True)
class RecordRanking:
    """What track records cost in the ranking: ``most`` is the largest share of the value, 0 if they cost nothing."""

    most: Fraction
    records: tuple[RankedRecord, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scorecard:
    """One adapter on one pair of chains, on one day (UTC), None for several days together.

    ``executed`` transactions were seen on chain, of which ``completed`` have brought what was bought, and ``failed``
    something else, or nothing; the others are under way. ``senders`` are their wallets. Of ``measured`` ones the
    chain shows how much arrived: ``deviation_ppm`` is the median of delivered less quoted, in millionths of the quoted
    amount. ``promised_s`` and ``taken_s`` are medians of transfers whose arrival was measured.
    """

    pair: AdapterPair
    day: date | None = None
    asked: int = 0
    answered: int = 0
    built: int = 0
    won: int = 0
    refusals: Mapping[Counted, int] = field(default_factory=dict)
    executed: int = 0
    completed: int = 0
    failed: int = 0
    senders: int = 0
    measured: int = 0
    deviation_ppm: int | None = None
    promised_s: int | None = None
    taken_s: int | None = None


@dataclass(frozen=True, slots=True)
class ScorecardFilter:
    """Which scorecards are wanted: of the last ``days`` days, today included; None for all adapters, or chains."""

    days: int
    adapters: frozenset[str] | None = None
    origin_chain_id: int | None = None
    destination_chain_id: int | None = None


@dataclass(frozen=True, slots=True)
class Scorecards:
    """The scorecards found, newest day first; ``complete`` is False if there are more than are told."""

    cards: tuple[Scorecard, ...]
    complete: bool
    read_at: datetime
