"""Builds the service: chooses and joins every concrete class."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass

from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.accounts.service_keys import CURSORS, TRANSACTION_IDS, load_keys
from rhumbline.accounts.sessions import Sessions
from rhumbline.accounts.trail_store import TrailHistory
from rhumbline.api.hot.front import HotApp
from rhumbline.api.metrics.service_metrics import ServiceMetrics
from rhumbline.api.server.application import create_app
from rhumbline.api.v1.services import Services
from rhumbline.app.adapters import built_adapters, host_rules
from rhumbline.app.chains import Chains, build_chains
from rhumbline.app.followed_chains import FollowedChains
from rhumbline.app.foundation import Foundation, founded
from rhumbline.app.frequent_lines import request_log
from rhumbline.app.onchain_pools import opened_pools
from rhumbline.app.portal import build_portal
from rhumbline.app.prices import build_prices, follow_listed
from rhumbline.app.quotes import build_quotes, opened_tenderly
from rhumbline.app.readiness import Readiness
from rhumbline.app.service_status import StatusReader
from rhumbline.app.settings import Settings
from rhumbline.app.tokens import fixed_tokens, token_sync
from rhumbline.app.tracking import build_trackers, build_transfer_tracker
from rhumbline.app.webhooks import build_event_work, report_push
from rhumbline.catalog.token_sync import TokenSync
from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.catalog.tools import ToolCatalog
from rhumbline.domain.errors import StoreUnavailable
from rhumbline.gateways.postgres.failures import DATABASE_ERRORS
from rhumbline.gateways.postgres.leases import Leases
from rhumbline.gateways.postgres.notices import Notices
from rhumbline.gateways.upstreams.guard.guards import UpstreamGuards
from rhumbline.gateways.upstreams.guard.shared import SharedBudgets
from rhumbline.pricing.book import PriceBook
from rhumbline.routing.exact_output import ExactOutput
from rhumbline.routing.exact_planner import ExactPlanner
from rhumbline.routing.indicative_prices import IndicativePrices
from rhumbline.routing.planner import Planner
from rhumbline.tracking.awaited import Awaited
from rhumbline.tracking.first_steps import StoredFirstSteps
from rhumbline.tracking.issued_transactions import IssuedTransactions
from rhumbline.tracking.listing import Listing
from rhumbline.tracking.loops import LeasedWork
from rhumbline.tracking.record_events.feed import EventFeed
from rhumbline.tracking.trackers import Tracker, TransferTracker, run_trackers
from rhumbline.tracking.webhooks.endpoints import Webhooks

_LOOK_AT_LISTS_S = 30.0
_COUNT_S = 30.0


@dataclass(frozen=True, slots=True)
class Wiring:
    """The built service: its HTTP application, its background refreshes, and its trackers."""

    app: HotApp
    chains: Chains
    tokens: TokenCatalog
    sync: TokenSync
    prices: PriceBook
    trackers: tuple[Tracker, ...]
    transfer_tracker: TransferTracker
    engine: AsyncEngine
    metrics: ServiceMetrics
    follow_listed: bool
    leases: Leases
    followed: FollowedChains
    notices: Notices
    events: EventFeed
    event_work: tuple[LeasedWork, ...]

    async def refresh(self) -> None:
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self.sync.run())
            tasks.create_task(self.prices.run())
            if self.follow_listed:
                tasks.create_task(self._follow_listed())

    async def _follow_listed(self) -> None:
        version = self.tokens.version
        while True:
            await asyncio.sleep(_LOOK_AT_LISTS_S)
            if self.tokens.version != version:
                version = self.tokens.version
                follow_listed(self.prices, self.chains, self.tokens)

    async def follow(self) -> None:
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._count())
            stop, transfers = asyncio.Event(), self.transfer_tracker
            tracked = run_trackers(
                self.trackers, self.engine, stop, transfers, self.leases, self.notices, self.event_work
            )
            tasks.create_task(tracked)

    async def _count(self) -> None:
        while True:
            with suppress(*DATABASE_ERRORS):
                await self.transfer_tracker.worker.count()
                await report_push(self.engine, self.metrics)
            await asyncio.sleep(_COUNT_S)

    async def watch(self) -> None:
        """Hear who follows the chains, and the store's time, where others follow them."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self.leases.run(asyncio.Event()))
            tasks.create_task(self.notices.run(asyncio.Event()))


@asynccontextmanager
async def wired(settings: Settings, engine: AsyncEngine) -> AsyncIterator[Wiring]:
    """Build the service on an opened store; its connections to nodes end with the context."""
    async with founded(settings, engine) as foundation, built(settings, foundation) as wiring:
        foundation.report(wiring.followed, wiring.chains.catalog)
        yield wiring


@asynccontextmanager
async def built(settings: Settings, foundation: Foundation) -> AsyncIterator[Wiring]:
    """Build the service on its foundation, possibly beside others; its connections end with the context."""
    engine, http, clock, leases = foundation.engine, foundation.http, foundation.clock, foundation.leases
    limiter, metrics, accounts = foundation.limiter, foundation.metrics, foundation.accounts
    async with AsyncExitStack() as stack:
        budgets = None if foundation.shared is None else SharedBudgets(foundation.shared)
        guards = UpstreamGuards(host_rules(settings), metrics, budgets)
        chains = build_chains(settings, http, metrics)
        fixed = fixed_tokens(settings, chains)
        tokens = TokenCatalog(chains.catalog, fixed, chains.token_readers)
        sync = token_sync(settings, chains, tokens, fixed, http, engine, clock)
        with suppress(StoreUnavailable):
            await sync.load()
        pools = await stack.enter_async_context(opened_pools(settings, chains, tokens, engine))
        built = built_adapters(settings, chains, tokens, guards=guards, clock=clock, pools=pools)
        adapters = await stack.enter_async_context(built)
        ids = await load_keys(engine, TRANSACTION_IDS)
        awaited = Awaited(engine)
        stack.push_async_callback(awaited.close)
        priced = build_prices(settings.prices, chains, tokens, pools, engine, guards, clock)
        book = await stack.enter_async_context(priced)
        quotes = build_quotes(
            settings,
            adapters,
            tokens,
            chains.rpcs,
            chains.svm_rpcs,
            accounts.integrator,
            ids,
            metrics,
            book.read,
            IssuedTransactions(engine).keep,
            await stack.enter_async_context(opened_tenderly(settings.tenderly, guards)),
            clock,
            clock.require,
            awaited.note,
            lambda: foundation.steering.pauses,
            foundation.scorecards,
        )
        followed = FollowedChains(leases, [served.chain for served in chains.served])
        notices, cursor_keys = Notices(engine), await load_keys(engine, CURSORS)
        listing = Listing(engine, chains.catalog, cursor_keys, tokens.listed_at)
        events, ready = (
            EventFeed(engine, notices),
            Readiness(Sessions(engine, clock), chains.served, limiter, clock, foundation.steering),
        )
        services = Services(
            brand=settings.brand,
            base_url=settings.base_url.rstrip("/"),
            chains=chains.catalog,
            tokens=tokens,
            tools=ToolCatalog(
                (each.info for each in adapters),
                beyond_contract=settings.adapters.beyond_contract,
                served=chains.served_ids,
            ),
            quotes=quotes.answer,
            outputs=ExactOutput(quotes).answer,
            pairs=IndicativePrices(quotes),
            planner=ExactPlanner(Planner(quotes, ids, StoredFirstSteps(engine))),
            accounts=accounts.caller,
            listing=listing,
            prices=book.read,
            listed_prices=book.peek,
            ready=ready,
            clock=clock,
            limiter=limiter,
            metrics=metrics if settings.metrics.port is not None else None,
            cached_prices=book.read_all,
            known_caller=accounts.known_caller,
            request_log=request_log(),
            served=chains.served_ids,
            followed=followed,
            process=leases.holder,
            admission=foundation.admission,
            tally=foundation.tally,
            events=events,
            cursor_keys=cursor_keys,
            streams=foundation.streams,
            webhooks=Webhooks(engine, clock, settings.webhooks.allow_private),
            tracing=foundation.tracing,
            trails=foundation.trails,
            kept_trails=TrailHistory(engine),
            scorecards=foundation.scorecards.reader,
            record_ranking=foundation.scorecards.ranking,
            signer=settings.signing.signer(),
        )
        tracked = (metrics, book.read, clock)
        trackers = build_trackers(settings, chains, engine, tokens, accounts, adapters, *tracked, leases, awaited)
        transfers = (*tracked, leases, foundation.tracing)
        transfer_tracker = build_transfer_tracker(settings, chains, engine, tokens, adapters, *transfers)
        kept = foundation.steering, clock, foundation.scorecards.reader
        status = StatusReader(engine, chains, adapters, guards, followed, ready, *kept)
        portal = build_portal(settings, engine, chains, tokens, accounts, listing, limiter, adapters, status, clock)
        yield Wiring(
            create_app(services, portal),
            chains,
            tokens,
            sync,
            book,
            trackers,
            transfer_tracker,
            engine,
            metrics,
            settings.prices.follow_listed,
            leases,
            followed,
            notices,
            events,
            (*build_event_work(settings, engine, listing, leases, clock, metrics), foundation.scorecards.comparison),
        )
