"""Our service with twelve real adapters on the sandbox's first chain, for `quote-cpu`; it has no store.

All that a quote goes through is what `rhumbline serve` builds: HTTP, keys, limits, catalog, prices from pools, adapters
over HTTP, ranking, building, simulation on the chain's node, metrics, the log. Run with `python -m bench.quotes_service
<settings>`; prints ``port <number>``.
"""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from bench.http_load import Server
from bench.http_peers import server_with_port
from bench.http_service import MadeAccounts, NoTransactions, print_port
from bench.quotes_load import AT_ONCE
from rhumbline.accounts.admission import Admission
from rhumbline.accounts.counters import Limiter, LocalCounters
from rhumbline.accounts.rate_limits import Tiers
from rhumbline.accounts.trail_store import EVERY_S
from rhumbline.accounts.trails import MOST_WAITING, Trails
from rhumbline.adapters import kyberswap, nordstern, okx, openocean
from rhumbline.api.metrics.service_metrics import ServiceMetrics
from rhumbline.api.server.application import create_app
from rhumbline.api.server.listener import reserve, serve
from rhumbline.api.v1.services import Services
from rhumbline.app.adapters import built_adapters, host_rules
from rhumbline.app.chains import build_chains
from rhumbline.app.frequent_lines import request_log
from rhumbline.app.log import configure_logging
from rhumbline.app.onchain_pools import opened_pools
from rhumbline.app.prices import follow_listed, price_sources
from rhumbline.app.quotes import build_quotes
from rhumbline.app.run import run, until_signalled
from rhumbline.app.sections import LogSettings
from rhumbline.app.settings import Settings, load_settings
from rhumbline.app.tokens import fixed_tokens
from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.catalog.tools import ToolCatalog
from rhumbline.domain.account import Integrator
from rhumbline.domain.clock import system_clock
from rhumbline.domain.rate import Limit
from rhumbline.domain.transfer import IssuedTransaction
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.loop_watch import LoopWatch
from rhumbline.gateways.upstreams.guard.guards import UpstreamGuards
from rhumbline.gateways.upstreams.spec import AdapterSpec
from rhumbline.pricing.book import PriceBook
from rhumbline.pricing.throttled_source import ThrottledSource
from rhumbline.routing.exact_output import ExactOutput
from rhumbline.routing.indicative_prices import IndicativePrices
from rhumbline.routing.planner import Planner

KINDS: tuple[AdapterSpec[Any], ...] = (
    kyberswap.SPEC,
    nordstern.SPEC,
    okx.SPEC,
    openocean.SPEC,
)
COPIES = (1, 2, 3)
_LIMIT = 1_000_000_000


@asynccontextmanager
async def quoting_service(settings: Path) -> AsyncIterator[Server]:
    """Run the service below in a process of its own, on the other core than the upstreams'."""
    argv = [sys.executable, "-m", "bench.quotes_service", str(settings)]
    log = settings.with_suffix(".log")
    async with server_with_port("rhumbline", list(argv), log, core=-1) as server:
        yield server


def specs() -> tuple[AdapterSpec[Any], ...]:
    """Return the twelve, which are on one host; an operator who expects so many quotes at once allows as many calls."""
    at_once = 2 * len(KINDS) * len(COPIES) * AT_ONCE
    return tuple(replace(kind, key=f"{kind.key}_{copy}", at_once=at_once) for kind in KINDS for copy in COPIES)


async def _no_integrator(name: str) -> Integrator | None:
    return None


async def _no_store(build: IssuedTransaction) -> None:
    raise RuntimeError("a quote on one chain keeps nothing")


async def _ready() -> dict[str, str]:
    return {}


async def _forget(trails: Trails) -> None:
    """Take trails as their writer does, which is not measured here: there is no store."""
    while True:
        await asyncio.sleep(EVERY_S)
        trails.take(MOST_WAITING)


async def _serve(settings: Settings) -> None:
    metrics, accounts, began, admission = ServiceMetrics(), MadeAccounts(), system_clock(), Admission()
    trails = Trails(system_clock)
    async with AsyncExitStack() as stack:
        http = await stack.enter_async_context(HttpClient())
        chains = build_chains(settings, http)
        tokens = TokenCatalog(chains.catalog, fixed_tokens(settings, chains), chains.token_readers)
        guards = UpstreamGuards(host_rules(settings, specs()), metrics)
        adapters = await stack.enter_async_context(built_adapters(settings, chains, tokens, specs(), guards))
        pools = await stack.enter_async_context(opened_pools(settings, chains, tokens))
        sources = await stack.enter_async_context(price_sources(settings.prices, chains, tokens, pools, guards))
        book = PriceBook(chains.catalog, [ThrottledSource(source) for source in sources], system_clock)
        follow_listed(book, chains, tokens)
        await book.refresh_due()
        quotes = build_quotes(
            settings, adapters, tokens, chains.rpcs, chains.svm_rpcs, _no_integrator, (b"k" * 32,), metrics, book.read,
            _no_store,
        )  # fmt: skip
        services = Services(
            brand=settings.brand,
            base_url=settings.base_url,
            chains=chains.catalog,
            tokens=tokens,
            tools=ToolCatalog(adapter.info for adapter in adapters),
            # One clock for all: upstreams are asked for transactions with the quote's deadline, and remember by that.
            quotes=replace(quotes, clock=lambda: began).answer,
            outputs=ExactOutput(quotes).answer,
            planner=Planner(quotes, (b"k" * 32,)),
            pairs=IndicativePrices(quotes),
            accounts=accounts.caller,
            listing=NoTransactions(),
            prices=book.read,
            ready=_ready,
            clock=system_clock,
            limiter=Limiter(Tiers(Limit(_LIMIT, 7200), Limit(_LIMIT, 60)), LocalCounters(system_clock)),
            metrics=metrics,
            listed_prices=book.peek,
            cached_prices=book.read_all,
            known_caller=accounts.known_caller,
            request_log=request_log(),
            admission=admission,
            trails=trails,
        )
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(book.run())
            tasks.create_task(LoopWatch(admission.adapt).run())
            tasks.create_task(_forget(trails))
            await serve(create_app(services), reserve("127.0.0.1", 0), started=print_port)


if __name__ == "__main__":
    configure_logging(LogSettings(format="json"))
    run(until_signalled(_serve(load_settings(Path(sys.argv[1])))))
