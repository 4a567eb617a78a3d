"""Builds the service: every concrete class is chosen and joined here."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass

import aiohttp
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine
from starlette.types import ASGIApp

from rhumbline.accounts.ledger import Accounts
from rhumbline.accounts.service_keys import load_keys
from rhumbline.api.server import create_app
from rhumbline.api.services import Services
from rhumbline.app.quotes import build_quotes
from rhumbline.app.registry import build_adapters
from rhumbline.app.settings import ChainSettings, Settings, SettingsError
from rhumbline.catalog.chains import ChainCatalog
from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.catalog.tools import ToolCatalog
from rhumbline.domain.chain import NATIVE_EVM, Chain, ChainType
from rhumbline.domain.clock import system_clock
from rhumbline.domain.price import PriceSnapshot
from rhumbline.domain.token import Token
from rhumbline.gateways.evm.deployment import diamond_address, executor_address
from rhumbline.gateways.evm.rpc import EvmRpc, RpcError, RpcUnavailable
from rhumbline.tracking.enrichment import Enricher, FeeWallets
from rhumbline.tracking.indexing import Indexer, IndexingSettings
from rhumbline.tracking.listing import Listing
from rhumbline.tracking.running import Tracker, run_trackers

READY_TIMEOUT_S = 2.0
TRANSACTION_IDS = "transaction-ids"
CURSORS = "cursors"


@dataclass(frozen=True, slots=True)
class Wiring:
    """The built service: what answers HTTP, and what follows the chains."""

    app: ASGIApp
    trackers: tuple[Tracker, ...]
    engine: AsyncEngine

    async def follow(self) -> None:
        """Follow every chain until cancelled."""
        await run_trackers(self.trackers, self.engine, asyncio.Event())


@asynccontextmanager
async def wired(settings: Settings, engine: AsyncEngine) -> AsyncIterator[Wiring]:
    """Build the service on an opened store; its connections to nodes end with the context."""
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=100)) as session:
        rpcs = {chain.id: EvmRpc(chain.rpc.get_secret_value(), session, chain.key) for chain in settings.chains}
        catalog = _chains(settings)
        tokens = TokenCatalog(catalog, [Token(**token.model_dump()) for token in settings.tokens], rpcs)
        accounts = Accounts(engine, system_clock)
        adapters = build_adapters(settings, rpcs)
        quotes = build_quotes(
            settings, adapters, tokens, rpcs, accounts.integrator, await load_keys(engine, TRANSACTION_IDS)
        )
        listing = Listing(engine, catalog, await load_keys(engine, CURSORS))

        async def ready() -> Mapping[str, str]:
            return await _readiness(engine, rpcs)

        services = Services(
            brand=settings.brand,
            base_url=settings.base_url.rstrip("/"),
            chains=catalog,
            tokens=tokens,
            tools=ToolCatalog(adapter.info for adapter in adapters),
            quotes=quotes.answer,
            accounts=accounts.caller,
            listing=listing,
            prices=no_price,
            ready=ready,
            clock=system_clock,
        )
        trackers = tuple(
            _tracker(settings, chain, catalog, rpcs[chain.id], engine, tokens, accounts)
            for chain in settings.chains
            if chain.diamond
        )
        yield Wiring(create_app(services), trackers, engine)


def no_price(chain_id: int, token: str) -> PriceSnapshot | None:
    """Know no price: this service has no price source."""
    return None


def _chains(settings: Settings) -> ChainCatalog:
    try:
        return ChainCatalog(_chain(chain) for chain in settings.chains)
    except ValueError as error:
        raise SettingsError([f"chains: {error}"]) from None


def _chain(chain: ChainSettings) -> Chain:
    native = chain.native
    return Chain(
        id=chain.id,
        key=chain.key,
        name=chain.name,
        type=ChainType.EVM,
        native=Token(
            chain.id, NATIVE_EVM, native.symbol, native.decimals, native.name, native.coin_key, native.logo_uri
        ),
        mainnet=chain.mainnet,
        rpc_urls=chain.rpc_urls,
        explorer_url=chain.explorer_url,
        logo_uri=chain.logo_uri,
        multicall=chain.multicall,
        wrapped_native=chain.wrapped_native,
        diamond=diamond_address() if chain.diamond else None,
        executor=executor_address() if chain.diamond else None,
        confirmations=chain.confirmations,
        aliases=chain.aliases,
    )


def _tracker(
    settings: Settings,
    chain: ChainSettings,
    catalog: ChainCatalog,
    rpc: EvmRpc,
    engine: AsyncEngine,
    tokens: TokenCatalog,
    accounts: Accounts,
) -> Tracker:
    described = catalog.by_id(chain.id)
    if described is None:
        raise LookupError(f"chain {chain.id} is not in the catalog made of the same settings")

    async def keys() -> tuple[bytes, ...]:
        return await load_keys(engine, TRANSACTION_IDS)

    async def wallet(integrator: str) -> str | None:
        found = await accounts.integrator(integrator)
        return None if found is None else found.evm_wallet

    tracking = settings.tracking
    indexing = IndexingSettings(start_block=chain.start_block, block_range=tracking.block_range)
    return Tracker(
        Indexer(described, rpc, engine, keys, system_clock, indexing),
        Enricher(described, rpc, engine, tokens, FeeWallets(settings.fees.evm_wallet, wallet), system_clock),
        tracking.poll_ms / 1000,
    )


async def _readiness(engine: AsyncEngine, rpcs: Mapping[int, EvmRpc]) -> Mapping[str, str]:
    """Ask the store and every node at once; each answers ``ok`` or what is wrong, without addresses."""

    async def store() -> str:
        try:
            async with asyncio.timeout(READY_TIMEOUT_S), engine.connect() as connection:
                await connection.execute(text("SELECT 1"))
        except (SQLAlchemyError, OSError, TimeoutError) as error:
            return f"does not answer ({type(error).__name__})"
        return "ok"

    async def node(chain_id: int, rpc: EvmRpc) -> str:
        try:
            async with asyncio.timeout(READY_TIMEOUT_S):
                there = await rpc.chain_id()
        except (RpcError, RpcUnavailable, TimeoutError) as error:
            return f"does not answer ({type(error).__name__})"
        return "ok" if there == chain_id else f"is on chain {there}"

    names = ["store", *(f"rpc:{rpc.name}" for rpc in rpcs.values())]
    states = await asyncio.gather(store(), *(node(chain_id, rpc) for chain_id, rpc in rpcs.items()))
    return dict(zip(names, states, strict=True))
