"""What a process keeps while its settings change."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from sqlalchemy import QueuePool
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.accounts.admission import Admission
from rhumbline.accounts.counters import Limiter
from rhumbline.accounts.request_store import RequestWriter
from rhumbline.accounts.request_tally import RequestTally
from rhumbline.accounts.service import Accounts
from rhumbline.accounts.trails import Trails
from rhumbline.api.http.event_stream import StreamPlaces
from rhumbline.api.metrics.service_metrics import ServiceMetrics
from rhumbline.app.followed_chains import FollowedChains
from rhumbline.app.paused_places import labels
from rhumbline.app.rate_limits import build_limiter, open_shared
from rhumbline.app.scorecards import ScorecardParts, build_scorecards
from rhumbline.app.settings import Settings
from rhumbline.app.traces import opened_tracing
from rhumbline.app.trails import build_trails
from rhumbline.catalog.chains import ChainCatalog
from rhumbline.domain.spans import Tracing
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.loop_watch import LoopWatch
from rhumbline.gateways.postgres.leases import Leases
from rhumbline.gateways.postgres.store_clock import StoreClock
from rhumbline.steering.known_state import Steering

if TYPE_CHECKING:
    from rhumbline.gateways.redis.counters import RedisCounters


@dataclass(frozen=True, slots=True)
class Foundation:
    """What stays while settings change: the store, its clock, leases, limits, metrics, the operator's pauses."""

    engine: AsyncEngine
    http: HttpClient
    shared: "RedisCounters | None"
    clock: StoreClock
    leases: Leases
    limiter: Limiter
    metrics: ServiceMetrics
    accounts: Accounts
    admission: Admission
    tally: RequestTally
    streams: StreamPlaces
    steering: Steering
    trails: Trails | None
    scorecards: ScorecardParts
    tracing: Tracing | None

    def report(self, followed: FollowedChains, catalog: ChainCatalog) -> None:
        """Have the metrics report the chains and the pauses by these names."""
        self.metrics.watch_chains(self.leases.holder, followed)
        self.metrics.watch_pauses(lambda: labels(self.steering.pauses, catalog))


@asynccontextmanager
async def founded(settings: Settings, engine: AsyncEngine) -> AsyncIterator[Foundation]:
    """Lay the foundation on an opened store."""
    async with HttpClient() as http, open_shared(settings.limits) as shared:
        clock = StoreClock()
        await clock.measure(engine)
        steering = Steering(engine)
        await steering.read()
        leases, metrics = Leases(engine, clock), ServiceMetrics()
        limiter, accounts = build_limiter(settings.limits, shared, clock), Accounts(engine, clock)
        metrics.watch_clock(lambda: clock.off_s)
        up = {"store": lambda: leases.is_heard} | ({} if shared is None else {"redis": lambda: not limiter.is_lost})
        pool = cast(QueuePool, engine.pool)
        metrics.watch_dependencies(up, {"in_use": pool.checkedout, "idle": pool.checkedin})
        admission = Admission(settings.server.quotes_at_once)
        loop = LoopWatch(admission.adapt)
        metrics.watch_load(admission, loop)
        tally, streams = RequestTally(clock), StreamPlaces()
        metrics.watch_streams(lambda: streams.open)
        trails, writer = build_trails(settings.explanations, engine, clock, metrics)
        scorecards = build_scorecards(settings.scorecards, engine, clock, metrics)
        works = (loop.run(), RequestWriter(engine, tally, clock).run(), steering.run(), writer.run())
        beside = [asyncio.create_task(work) for work in (*works, *scorecards.works())]
        kept = (leases, limiter, metrics, accounts, admission, tally, streams, steering, trails, scorecards)
        try:
            async with opened_tracing(settings.tracing, engine, leases.holder) as tracing:
                yield Foundation(engine, http, shared, clock, *kept, tracing)
        finally:
            for task in beside:
                task.cancel()
            await asyncio.gather(*beside, return_exceptions=True)
