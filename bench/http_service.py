"""Our service as `rhumbline serve` runs it, with made chains, tokens and prices, and without a store or a chain.

The real application and all that surrounds it: keys, limits, metrics, the log. Run with `python -m bench.http_service
<number of tokens>`; prints ``port <number>``.
"""

import asyncio
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from decimal import Decimal
from hashlib import sha256
from pathlib import Path

from bench.http_load import Server
from bench.http_peers import server_with_port
from rhumbline.accounts.counters import Limiter, LocalCounters
from rhumbline.accounts.keys import digest, is_key
from rhumbline.accounts.rate_limits import Tiers
from rhumbline.accounts.ttl_cache import TtlCache
from rhumbline.api.metrics.service_metrics import ServiceMetrics
from rhumbline.api.server.application import create_app
from rhumbline.api.server.listener import reserve, serve
from rhumbline.api.v1.services import Services
from rhumbline.app.frequent_lines import request_log
from rhumbline.app.log import configure_logging
from rhumbline.app.run import run, until_signalled
from rhumbline.app.sections import LogSettings
from rhumbline.catalog.chains import ChainCatalog
from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.catalog.tools import ToolCatalog
from rhumbline.domain.account import ApiClient, Integrator
from rhumbline.domain.chain import NATIVE_EVM, Chain, ChainType
from rhumbline.domain.clock import system_clock
from rhumbline.domain.errors import NotFound
from rhumbline.domain.indicative import IndicativePrice, PairRequest
from rhumbline.domain.plan import Plan, StepRequest
from rhumbline.domain.price import PriceKey, PriceQuote
from rhumbline.domain.rate import Limit
from rhumbline.domain.route import OnAnswer, RouteAnswer, RouteRequest
from rhumbline.domain.token import Token
from rhumbline.domain.tracking import (
    PublicRecord,
    TrackedTransaction,
    TransactionFilter,
    TransactionPage,
    TransactionRecord,
)
from rhumbline.gateways.evm import address as evm
from rhumbline.pricing.book import Bounds, PriceBook
from rhumbline.pricing.throttled_source import Patience, ThrottledSource

KEY = "rl_live_" + "0123456789abcdef" * 2
CHAIN_IDS = (1, 10, 56, 137, 8453, 42161, 43114, 59144)
_LIMIT = 1_000_000_000
_WORDS = ("Wrapped", "Liquid", "Staked", "Bridged", "Yield", "Vault", "Ether", "Dollar", "Protocol", "Finance")


@asynccontextmanager
async def service(folder: Path, tokens: int) -> AsyncIterator[Server]:
    """Run the service below in a process of its own, with a number of tokens."""
    argv = [sys.executable, "-m", "bench.http_service", str(tokens)]
    async with server_with_port("rhumbline", list(argv), folder / "service.log") as server:
        yield server


def made_tokens(number: int) -> list[Token]:
    """Return tokens of all chains with addresses, names and logos of the usual length; the same ones every time."""
    made = []
    for count in range(number):
        seed = sha256(count.to_bytes(8)).digest()
        chain_id, address = CHAIN_IDS[count % len(CHAIN_IDS)], evm.checksummed("0x" + seed[:20].hex())
        name = f"{_WORDS[seed[20] % 10]} {_WORDS[seed[21] % 10]}"
        symbol = f"{name[0]}T{count}"
        logo = f"https://assets.example.org/{chain_id}/{address}.png"
        made.append(Token(chain_id, address, symbol, (6, 8, 18)[seed[22] % 3], name, symbol, logo))
    return made


class MadePrices:
    """A price source in memory: every token has a price, which depends on its address."""

    name, batch_size, interval_s = "made", 1000, 0.0

    def covers(self, chain_id: int, /) -> bool:
        return True

    async def prices(self, tokens: Sequence[PriceKey], /) -> Mapping[PriceKey, PriceQuote]:
        now = system_clock()
        usd = {token: Decimal(int(token[1][-6:], 16) + 1) / 1000 for token in tokens}
        return {token: PriceQuote(usd[token], Decimal(10**9), now) for token in tokens}


class MadeAccounts:
    """One integrator with one key; asked as the store is, through the same short memory."""

    def __init__(self) -> None:
        self._digest = digest(KEY)
        self._nobody = ApiClient()
        self._caller = ApiClient(Integrator("Acme", None, None, datetime(2026, 1, 1, tzinfo=UTC)), 1)
        self._known: TtlCache[ApiClient] = TtlCache(0.5, 10_000)

    def known_caller(self, key: str | None) -> ApiClient | None:
        if key is None:
            return self._nobody
        return self._known.known(digest(key)) if is_key(key) else ApiClient(key_invalid=True)

    async def caller(self, key: str | None) -> ApiClient:
        if key is None:
            return self._nobody
        if not is_key(key):
            return ApiClient(key_invalid=True)
        known_as = digest(key)

        async def look_up() -> ApiClient:
            return self._caller if known_as == self._digest else ApiClient(key_invalid=True)

        return await self._known.get(known_as, look_up)


class NoTransactions:
    """An empty list of records."""

    async def page(
        self, integrator: str, filter: TransactionFilter, limit: int, cursor: str | None, /
    ) -> TransactionPage:
        return TransactionPage((), None)

    async def find(self, integrator: str, lookup_key: str, /) -> TrackedTransaction | None:
        return None

    async def seen(self, transaction_id: str, /) -> PublicRecord | None:
        return None

    def shown(self, record: TransactionRecord, /) -> TrackedTransaction:
        raise NotFound("There is no record here")

    def public(self, record: TransactionRecord, /) -> PublicRecord:
        raise NotFound("There is no record here")


async def _no_quote(request: RouteRequest, on_answer: OnAnswer | None = None, /) -> RouteAnswer:
    raise NotFound("There is no adapter here")


class NoPlanner:
    """Plans nothing: no row of this bench asks for routes."""

    async def routes(self, request: RouteRequest, most: int) -> tuple[Plan, ...]:
        raise NotFound("There is no adapter here")

    async def step(self, request: StepRequest) -> RouteAnswer:
        raise NotFound("There is no adapter here")


class NoPairs:
    """Prices nothing: no row of this bench asks for a pair."""

    def known(self, request: PairRequest) -> IndicativePrice | None:
        return None

    async def price(self, request: PairRequest) -> IndicativePrice:
        raise NotFound("There is no adapter here")


async def _ready() -> Mapping[str, str]:
    return {"store": "ok"}


async def _serve(number: int) -> None:
    native = [Token(chain_id, NATIVE_EVM, "ETH", 18, "Ether") for chain_id in CHAIN_IDS]
    chains = ChainCatalog(
        Chain(token.chain_id, f"c{token.chain_id}", f"Chain {token.chain_id}", ChainType.EVM, token, mainnet=True)
        for token in native
    )
    tokens = made_tokens(number)
    everything = Bounds(entries=2 * number, unknown=2 * number, round=number)
    book = PriceBook(chains, [ThrottledSource(MadePrices(), Patience())], system_clock, bounds=everything)
    book.follow((token.chain_id, token.address) for token in tokens)
    await book.refresh_due()
    accounts = MadeAccounts()
    app_services = Services(
        brand="Rhumbline",
        base_url="http://127.0.0.1:8700",
        chains=chains,
        tokens=TokenCatalog(chains, tokens, {}),
        tools=ToolCatalog(()),
        quotes=_no_quote,
        outputs=_no_quote,
        planner=NoPlanner(),
        pairs=NoPairs(),
        accounts=accounts.caller,
        listing=NoTransactions(),
        prices=book.read,
        ready=_ready,
        clock=system_clock,
        limiter=Limiter(Tiers(Limit(_LIMIT, 7200), Limit(_LIMIT, 60)), LocalCounters(system_clock)),
        metrics=ServiceMetrics(),
        listed_prices=book.peek,
        cached_prices=book.read_all,
        known_caller=accounts.known_caller,
        request_log=request_log(),
    )
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(book.run())
        await serve(create_app(app_services), reserve("127.0.0.1", 0), started=print_port)


def print_port(url: str) -> None:
    """Print where the service answers."""
    print(f"port {url.rpartition(':')[2]}", flush=True)


if __name__ == "__main__":
    configure_logging(LogSettings())
    run(until_signalled(_serve(int(sys.argv[1]))))
