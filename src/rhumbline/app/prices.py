"""Builds the price book with its sources from the settings."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager

from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.app.chains import Chains
from rhumbline.app.sections import PriceSettings
from rhumbline.app.settings import SettingsError
from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.domain.chain import Chain
from rhumbline.domain.clock import Clock, system_clock
from rhumbline.domain.price import PriceKey
from rhumbline.gateways.upstreams.guard.guards import UpstreamGuards
from rhumbline.gateways.upstreams.upstream import NOTHING, Upstream, open_upstream
from rhumbline.liquidity.chain_pools import ChainPools
from rhumbline.pricing.book import PriceBook
from rhumbline.pricing.checks import PriceChecks
from rhumbline.pricing.evm.onchain import OnChain, Venue
from rhumbline.pricing.plausibility import Rules
from rhumbline.pricing.shared_round import SharedRound
from rhumbline.pricing.source import PriceSource
from rhumbline.pricing.sources import coingecko, defillama, dexscreener, jupiter
from rhumbline.pricing.sources.chain_names import COINGECKO, DEFILLAMA, DEXSCREENER
from rhumbline.pricing.sources.coingecko import CoinGecko
from rhumbline.pricing.sources.defillama import DefiLlama
from rhumbline.pricing.sources.dexscreener import DexScreener
from rhumbline.pricing.sources.jupiter import Jupiter
from rhumbline.pricing.store import PriceStore
from rhumbline.pricing.throttled_source import ThrottledSource

Opener = Callable[..., Awaitable[Upstream]]
"""Opens an upstream by name and URL, with headers."""
STABLE_SYMBOLS = frozenset({"USDC", "USDT", "DAI"})
"""Symbols that count as a dollar on a chain: the operator's or the package's token with the symbol, never a list's.

Whoever could define a dollar could set every price that is read from pools.
"""


@asynccontextmanager
async def build_prices(
    settings: PriceSettings,
    chains: Chains,
    tokens: TokenCatalog,
    pools: Mapping[int, ChainPools],
    engine: AsyncEngine,
    guards: UpstreamGuards | None = None,
    clock: Clock = system_clock,
) -> AsyncIterator[PriceBook]:
    """Build the book and load the last good prices; its connections end with the context."""
    async with price_sources(settings, chains, tokens, pools, guards, clock) as sources:
        book = PriceBook(
            chains.catalog,
            [ThrottledSource(source) for source in sources],
            clock,
            pinned=[
                key for chain in chains.catalog for key in ((chain.id, chain.native.address), *_stables(chain, tokens))
            ],
            store=PriceStore(engine),
            shared=SharedRound(PriceChecks(engine)),
            rules=Rules(
                least_liquidity_usd=settings.least_liquidity_usd, lone_liquidity_usd=settings.lone_liquidity_usd
            ),
        )
        await book.load()
        if settings.follow_listed:
            follow_listed(book, chains, tokens)
        yield book


@asynccontextmanager
async def price_sources(
    settings: PriceSettings,
    chains: Chains,
    tokens: TokenCatalog,
    pools: Mapping[int, ChainPools],
    guards: UpstreamGuards | None = None,
    clock: Clock = system_clock,
) -> AsyncIterator[tuple[PriceSource, ...]]:
    """Make the price sources that the settings name, in their order; their connections end with the context.

    Each host has its guard among ``guards``, if they are given. Raise SettingsError when a chain is named
    that is not known.
    """
    _check_names(settings, chains)
    async with AsyncExitStack() as stack:
        names = dict.fromkeys(settings.sources)

        async def opened(name: str, url: str, headers: Mapping[str, str] = NOTHING) -> Upstream:
            return await stack.enter_async_context(
                open_upstream(name, url, headers=headers, guard=None if guards is None else guards.of(url, name))
            )

        venues = _venues(settings, chains, tokens, pools)
        yield tuple([await _source(name, settings, venues, opened, clock) for name in names])


def follow_listed(book: PriceBook, chains: Chains, tokens: TokenCatalog) -> None:
    """Keep the prices of all listed tokens; to be called again when the lists have changed."""
    book.follow((chain.id, token.address) for chain in chains.catalog for token in tokens.listed(chain.id))


async def _source(
    name: str, settings: PriceSettings, venues: Mapping[int, Venue], opened: Opener, clock: Clock
) -> PriceSource:
    """Make a source; raise ValueError for a name that none has."""
    match name:
        case "dexscreener":
            url = settings.dexscreener_url or dexscreener.URL
            names = {**DEXSCREENER, **settings.dexscreener_chains}
            return DexScreener(await opened(name, url), clock, chain_names=names)
        case "defillama":
            url = settings.defillama_url or defillama.URL
            names = {**DEFILLAMA, **settings.defillama_chains}
            return DefiLlama(await opened(name, url), chain_names=names)
        case "jupiter":
            key = None if settings.jupiter_key is None else settings.jupiter_key.get_secret_value()
            url = settings.jupiter_url or jupiter.URL
            headers = {jupiter.KEY_HEADER: key} if key else {}
            upstream = await opened(name, url, headers)
            return Jupiter(upstream, clock, interval_s=1.1 if key else jupiter.INTERVAL_WITHOUT_KEY_S)
        case "coingecko":
            key = None if settings.coingecko_key is None else settings.coingecko_key.get_secret_value()
            paid = settings.coingecko_paid and key is not None
            url = settings.coingecko_url or (coingecko.URL_PAID if paid else coingecko.URL)
            headers = {coingecko.KEY_HEADER_PAID if paid else coingecko.KEY_HEADER: key} if key else {}
            upstream = await opened(name, url, headers)
            names = {**COINGECKO, **settings.coingecko_chains}
            if paid:
                return CoinGecko(upstream, batch_size=100, interval_s=0.15, chain_names=names)
            return CoinGecko(upstream, interval_s=2.1 if key else 6.5, chain_names=names)
        case "onchain":
            return OnChain(venues, clock)
    raise ValueError(f"there is no price source {name!r}")


def _check_names(settings: PriceSettings, chains: Chains) -> None:
    known = {chain.id for chain in chains.catalog}
    keys = ("dexscreener_chains", "defillama_chains", "coingecko_chains")
    faults = [
        f"prices.{key}.{chain_id}: there is no such chain; add it as one of the [[chains]]"
        for key in keys
        for chain_id in getattr(settings, key)
        if chain_id not in known
    ]
    if faults:
        raise SettingsError(faults)


def _venues(
    settings: PriceSettings, chains: Chains, tokens: TokenCatalog, pools: Mapping[int, ChainPools]
) -> Mapping[int, Venue]:
    venues: dict[int, Venue] = {}
    for served in chains.evm:
        own = pools.get(served.chain.id)
        stables = tuple(address for _, address in _stables(served.chain, tokens))
        if own is None or not stables:
            continue
        venues[served.chain.id] = Venue(served.rpc, own, stables, settings.least_liquidity_usd)
    return venues


def _stables(chain: Chain, tokens: TokenCatalog) -> list[PriceKey]:
    found = (tokens.find_fixed(chain, symbol) for symbol in sorted(STABLE_SYMBOLS))
    return [(chain.id, token.address) for token in found if token is not None]
