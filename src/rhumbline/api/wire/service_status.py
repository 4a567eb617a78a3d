"""``/status.json``: what the status page tells, for programs."""

from rhumbline.api.wire.scorecard import ScorecardEntry
from rhumbline.api.wire.shape import Timestamp, Wire
from rhumbline.domain.service_status import (
    AdapterStatus,
    ChainStatus,
    NodeState,
    Overall,
    PausedPart,
    PushStatus,
    ServiceStatus,
    UpstreamState,
    WaitingTransfers,
)


class ChainEntry(Wire):
    """A served chain, its node and how far it is followed."""

    id: str
    key: str
    name: str
    node: NodeState
    head: int | None
    head_age_seconds: int | None
    followed: bool | None
    behind: int | None

    @classmethod
    def of(cls, chain: ChainStatus) -> "ChainEntry":
        return cls(
            id=str(chain.id),
            key=chain.key,
            name=chain.name,
            node=chain.node,
            head=chain.head,
            head_age_seconds=chain.head_age_s,
            followed=chain.followed,
            behind=chain.behind,
        )


class AdapterEntry(Wire):
    """An adapter that is configured."""

    key: str
    name: str
    state: UpstreamState

    @classmethod
    def of(cls, adapter: AdapterStatus) -> "AdapterEntry":
        return cls(key=adapter.key, name=adapter.name, state=adapter.state)


class TransfersEntry(Wire):
    """How many transfers of a bridge have not ended."""

    key: str | None
    name: str
    waiting: int

    @classmethod
    def of(cls, transfers: WaitingTransfers) -> "TransfersEntry":
        return cls(key=transfers.key, name=transfers.name, waiting=transfers.count)


class PushEntry(Wire):
    """The webhook deliveries of all endpoints together."""

    delivering: bool
    waiting: int
    retrying: int

    @classmethod
    def of(cls, push: PushStatus) -> "PushEntry":
        return cls(delivering=push.delivering, waiting=push.waiting, retrying=push.retrying)


class PausedEntry(Wire):
    """What the operator has paused; without adapter and chain it is quoting as a whole."""

    adapter: str | None
    chain: str | None
    name: str
    since: Timestamp
    reason: str | None

    @classmethod
    def of(cls, part: PausedPart) -> "PausedEntry":
        return cls(adapter=part.adapter, chain=part.chain, name=part.name, since=part.since, reason=part.reason)


class StatusBody(Wire):
    """Its fields only ever become more, and its states too: a reader passes over those that it does not know."""

    status: Overall
    timestamp: Timestamp
    store: bool
    clock: bool
    chains: list[ChainEntry]
    adapters: list[AdapterEntry]
    transfers: list[TransfersEntry] | None
    push: PushEntry | None
    paused: list[PausedEntry]
    scorecards: list[ScorecardEntry] | None

    @classmethod
    def of(cls, found: ServiceStatus) -> "StatusBody":
        return cls(
            status=found.overall,
            timestamp=found.at,
            store=found.store_ok,
            clock=found.clock_ok,
            chains=[ChainEntry.of(each) for each in found.chains],
            adapters=[AdapterEntry.of(each) for each in found.adapters],
            transfers=None if found.transfers is None else [TransfersEntry.of(each) for each in found.transfers],
            push=None if found.push is None else PushEntry.of(found.push),
            paused=[PausedEntry.of(each) for each in found.paused],
            scorecards=(
                None if found.scorecards is None else [ScorecardEntry.of(each.card) for each in found.scorecards]
            ),
        )
