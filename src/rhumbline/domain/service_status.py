"""What the service tells anybody of how it is doing: states, counts and heads, and no text that a stranger wrote."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from rhumbline.domain.scorecard import Scorecard


class NodeState(StrEnum):
    """How a chain's node is doing: all its endpoints together."""

    ANSWERING = "answering"
    LATE = "late"
    """It answers, with a head that is old."""
    SILENT = "silent"
    """It does not answer, or is on another chain."""


class UpstreamState(StrEnum):
    """How an upstream is doing, as the last quotes and builds of this process have shown."""

    ANSWERING = "answering"
    QUIET = "quiet"
    """It has not answered recently, usually because nobody asked."""
    RATE_LIMITED = "rate_limited"
    """It has told the service to wait."""
    BREAKER_OPEN = "breaker_open"
    """It failed several times in a row: it is left alone, and then tried by one call."""
    PAUSED = "paused"
    """The operator has paused it on all chains."""


class Overall(StrEnum):
    """How the service is doing as a whole."""

    OK = "ok"
    DEGRADED = "degraded"
    UNAVAILABLE = "unavailable"


@dataclass(frozen=True, slots=True)
class ChainStatus:
    """A served chain; ``head`` and its age in seconds are None while its node is silent.

    ``followed`` tells whether a process reads the chain for tracking, and ``behind`` how many blocks it has not read
    yet; both are None where that is not known.
    """

    id: int
    key: str
    name: str
    node: NodeState
    head: int | None
    head_age_s: int | None
    followed: bool | None
    behind: int | None


@dataclass(frozen=True, slots=True)
class AdapterStatus:
    """An adapter that is configured."""

    key: str
    name: str
    state: UpstreamState


@dataclass(frozen=True, slots=True)
class WaitingTransfers:
    """How many transfers of a bridge have not ended; ``key`` is None for bridges that are not configured any more."""

    key: str | None
    name: str
    count: int


@dataclass(frozen=True, slots=True)
class PushStatus:
    """The webhook deliveries of all endpoints together: not tried yet, and to be tried again.

    ``delivering`` tells whether a process delivers them.
    """

    delivering: bool
    waiting: int
    retrying: int


@dataclass(frozen=True, slots=True)
class PausedPart:
    """What the operator has paused: ``adapter`` and ``chain`` are keys, None for all; ``name`` is in words.

    ``reason`` is None unless the operator wants it to be known.
    """

    adapter: str | None
    chain: str | None
    name: str
    since: datetime
    reason: str | None


@dataclass(frozen=True, slots=True)
class NamedScorecard:
    """How an adapter did on a pair of chains in the last seven days; with the names of all three."""

    name: str
    origin: str
    destination: str
    card: Scorecard


@dataclass(frozen=True, slots=True)
class ServiceStatus:
    """Everything at one time; ``transfers`` and ``push`` are None where the store has not said in time.

    So are ``scorecards``, the busiest ones.
    """

    at: datetime
    store_ok: bool
    clock_ok: bool
    chains: tuple[ChainStatus, ...]
    adapters: tuple[AdapterStatus, ...]
    transfers: tuple[WaitingTransfers, ...] | None
    push: PushStatus | None
    paused: tuple[PausedPart, ...] = ()
    scorecards: tuple[NamedScorecard, ...] | None = ()

    @property
    def overall(self) -> Overall:
        if not (self.store_ok and self.clock_ok):
            return Overall.UNAVAILABLE
        faults = (
            *(chain.node is not NodeState.ANSWERING or chain.followed is False for chain in self.chains),
            *(adapter.state is UpstreamState.BREAKER_OPEN for adapter in self.adapters),
            self.push is not None and not self.push.delivering,
            bool(self.paused),
        )
        return Overall.DEGRADED if any(faults) else Overall.OK
