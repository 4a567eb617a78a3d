"""Collects what the status page tells: of nodes, upstreams and the store nothing but states, counts and heads.

Whoever asks, and however often: nodes and store are asked once within ``KEPT_S`` by each process.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from time import monotonic
from typing import Any

from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.app.chains import Chains, ServedChain
from rhumbline.app.followed_chains import FollowedChains
from rhumbline.app.paused_places import chain_key
from rhumbline.app.readiness import TIMEOUT_S, Readiness
from rhumbline.domain.adapter import Adapter, is_bridge
from rhumbline.domain.clock import Clock
from rhumbline.domain.errors import NodeRefused, NodeUnavailable, StoreUnavailable
from rhumbline.domain.followed_chain import FollowedChain
from rhumbline.domain.pauses import Pause
from rhumbline.domain.scorecard import ScorecardFilter
from rhumbline.domain.sentence import Sentence
from rhumbline.domain.service_status import (
    AdapterStatus,
    ChainStatus,
    NamedScorecard,
    NodeState,
    PausedPart,
    PushStatus,
    ServiceStatus,
    UpstreamState,
    WaitingTransfers,
)
from rhumbline.gateways.nodes.comparison import Sight
from rhumbline.gateways.postgres.failures import DATABASE_ERRORS
from rhumbline.gateways.upstreams.guard.guards import UpstreamGuards
from rhumbline.steering.known_state import Steering
from rhumbline.tracking.leadership import WEBHOOKS
from rhumbline.tracking.scorecards.reader import ScorecardReader
from rhumbline.tracking.waiting_counts import waiting_transfers
from rhumbline.tracking.webhooks.push_state import standing

KEPT_S = 10.0
"""How long an answer is repeated."""
LATE_S = 120
"""From this age on the head of a main network is old; test networks may make blocks only when something is sent."""
SCORED_DAYS = 7
MOST_SCORECARDS = 20
_HIGHEST = 2**53
"""No chain has come so far, and above it readers of JSON round."""
_OTHERS = "bridges that are not configured any more"
_WORST_FIRST = (
    UpstreamState.BREAKER_OPEN,
    UpstreamState.RATE_LIMITED,
    UpstreamState.ANSWERING,
    UpstreamState.QUIET,
)


@dataclass(eq=False, repr=False)
class StatusReader:
    """Reads everything at once; ``clock`` is the store's, ``now`` in seconds."""

    engine: AsyncEngine
    chains: Chains
    adapters: Sequence[Adapter[Any]]
    guards: UpstreamGuards
    followed: FollowedChains
    ready: Readiness
    steering: Steering
    clock: Clock
    scorecards: ScorecardReader
    now: Callable[[], float] = monotonic

    def __post_init__(self) -> None:
        self._reading: asyncio.Task[ServiceStatus] | None = None
        self._read_at = 0.0

    async def __call__(self) -> ServiceStatus:
        """Return the last answer, or a new one if that is too old, with the pauses of this moment."""
        if self._reading is None or (self._reading.done() and self.now() - self._read_at >= KEPT_S):
            self._read_at = self.now()
            self._reading = asyncio.create_task(self._read())
        return self._with_pauses(await asyncio.shield(self._reading))

    async def _read(self) -> ServiceStatus:
        store, counts, scorecards, chains = await asyncio.gather(
            self.ready.store_state(),
            self._counts(),
            self._scorecards(),
            asyncio.gather(*map(self._chain, self.chains.served)),
        )
        transfers, push = counts or (None, None)
        return ServiceStatus(
            self.clock(),
            store == "ok",
            self.ready.clock_state() == "ok",
            tuple(chains),
            self._adapters(chains),
            transfers,
            push,
            scorecards=scorecards,
        )

    def _with_pauses(self, status: ServiceStatus) -> ServiceStatus:
        pauses = self.steering.pauses
        if not pauses.each:
            return status
        adapters = tuple(
            each if pauses.of(each.key) is None else replace(each, state=UpstreamState.PAUSED)
            for each in status.adapters
        )
        return replace(status, adapters=adapters, paused=tuple(map(self._part, pauses.each)))

    def _part(self, pause: Pause) -> PausedPart:
        catalog = self.chains.catalog
        names = {adapter.info.key: adapter.info.name for adapter in self.adapters}
        adapter = None if pause.adapter is None else names.get(pause.adapter, pause.adapter)
        chain = None if pause.chain is None else catalog.by_id.get(pause.chain)
        place = str(pause.chain) if chain is None else chain.name
        if adapter is None:
            name = Sentence("Quoting") if pause.chain is None else place
        else:
            there = Sentence("%(adapter)s on %(chain)s", adapter=adapter, chain=place)
            name = adapter if pause.chain is None else there
        key = None if pause.chain is None else chain_key(pause.chain, catalog)
        return PausedPart(pause.adapter, key, name, pause.since, pause.shown_reason)

    async def _counts(self) -> tuple[tuple[WaitingTransfers, ...], PushStatus] | None:
        """Count what waits in the store; None if it is away, or so much waits that it takes too long."""
        try:
            async with asyncio.timeout(TIMEOUT_S), self.engine.connect() as connection:
                transfers = await waiting_transfers(connection)
                deliveries = await standing(connection)
        except (TimeoutError, *DATABASE_ERRORS):
            return None
        lease = self.followed.leases.states().get(WEBHOOKS)
        delivering = lease is not None and lease.left_s > 0
        bridges = [adapter.info for adapter in self.adapters if is_bridge(adapter)]
        known = [WaitingTransfers(info.key, info.name, transfers.get(info.key, 0)) for info in bridges]
        others = sum(transfers.values()) - sum(each.count for each in known)
        more = [WaitingTransfers(None, _OTHERS, others)] if others else []
        untried = deliveries.waiting - deliveries.retrying
        return (*known, *more), PushStatus(delivering, untried, deliveries.retrying)

    async def _scorecards(self) -> tuple[NamedScorecard, ...] | None:
        """Return the busiest scorecards; None if the store is away, or takes too long."""
        try:
            async with asyncio.timeout(TIMEOUT_S):
                found = await self.scorecards.together(ScorecardFilter(SCORED_DAYS))
        except (StoreUnavailable, TimeoutError):
            return None
        names = {adapter.info.key: adapter.info.name for adapter in self.adapters}
        chains = {chain_id: chain.name for chain_id, chain in self.chains.catalog.by_id.items()}
        return tuple(
            NamedScorecard(
                names.get(card.pair.adapter, card.pair.adapter),
                chains.get(card.pair.origin_chain_id, str(card.pair.origin_chain_id)),
                chains.get(card.pair.destination_chain_id, str(card.pair.destination_chain_id)),
                card,
            )
            for card in found.cards[:MOST_SCORECARDS]
        )

    async def _chain(self, served: ServedChain) -> ChainStatus:
        chain = served.chain
        sight = await _sight(served)
        age_s = None if sight is None else max(0, int(self.clock().timestamp()) - sight.time)
        if age_s is None:
            node = NodeState.SILENT
        else:
            node = NodeState.LATE if chain.mainnet and age_s > LATE_S else NodeState.ANSWERING
        state = self.followed().get(chain.key, FollowedChain())
        known = self.followed.leases.is_heard
        return ChainStatus(
            chain.id,
            chain.key,
            chain.name,
            node,
            None if sight is None else sight.head,
            age_s,
            followed=state.leader is not None if known else None,
            behind=state.behind,
        )

    def _adapters(self, chains: Sequence[ChainStatus]) -> tuple[AdapterStatus, ...]:
        """Return the adapters that quote from a served chain. One without a host asks the chains' nodes."""
        answering = {chain.id for chain in chains if chain.node is not NodeState.SILENT}
        found = []
        for info in sorted((each.info for each in self.adapters), key=lambda each: each.key):
            if self.chains.served_ids.isdisjoint(info.chains):
                continue
            states = self.guards.states(info.key)
            if not states:
                reached = not answering.isdisjoint(info.chains)
                states = frozenset({UpstreamState.ANSWERING if reached else UpstreamState.QUIET})
            found.append(AdapterStatus(info.key, info.name, min(states, key=_WORST_FIRST.index)))
        return tuple(found)


async def _sight(served: ServedChain) -> Sight | None:
    """Return a node's head; None if it does not answer, is on another chain, or tells what no chain has."""
    try:
        async with asyncio.timeout(TIMEOUT_S):
            sight = await served.look()
    except (NodeRefused, NodeUnavailable, TimeoutError):
        return None
    return sight if sight.head < _HIGHEST and sight.time < _HIGHEST else None
