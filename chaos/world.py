"""What chaos works on: two kinds of chain with their endpoints, a store, and the service as several processes."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import insert
from sqlalchemy.ext.asyncio import AsyncEngine

from chaos.nodes import EVM_WAYS, SVM_WAYS, Endpoint, running_endpoint
from rhumbline.accounts.service import Accounts
from rhumbline.accounts.service_keys import TRANSACTION_IDS, service_secrets
from rhumbline.devnet.evm.chains import running_chains
from rhumbline.devnet.sandbox import SandboxChain, SandboxConfig
from rhumbline.devnet.svm.chains import running_solana
from rhumbline.domain.chain import NATIVE_EVM, Chain, ChainType
from rhumbline.domain.clock import system_clock
from rhumbline.domain.token import Token
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.evm.rpc import EvmRpc
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from rhumbline.gateways.postgres.embedded import embedded_postgres
from rhumbline.gateways.postgres.engine import create_engine
from rhumbline.gateways.postgres.schema_upgrade import migrate
from tests.tracking.conftest import KEY
from tests.tracking.market import PATIENCE_S, Market
from tests.tracking.processes import chain_section
from tests.tracking.svm.solana_orders import SolanaOrders

CACHE = Path(".rhumbline/cache")
ENDPOINTS = 2
INTEGRATOR = "acme"
_SOLANA = """
[[chains]]
id = {id}
key = "{key}"
name = "Local Solana"
type = "SVM"
rpc = {rpc}
genesis = "{genesis}"
diamond = false
confirmations = 0
mainnet = false
wrapped_native = "{wrapped}"
native = {{ symbol = "SOL", name = "Solana", decimals = 9, coin_key = "SOL" }}
"""


@dataclass(frozen=True)
class World:
    """``settings`` are the chains' sections, ``endpoints`` those of each chain by its key, ``ways`` how they err."""

    market: Market
    solana: SolanaOrders
    dsn: str
    engine: AsyncEngine
    settings: str
    endpoints: dict[str, list[Endpoint]]
    ways: dict[str, tuple[str, ...]]


@asynccontextmanager
async def running_world(folder: Path, *, ticking: bool = True) -> AsyncIterator[World]:
    """Start the chains, their endpoints and an empty store; without ``ticking`` there are blocks with swaps alone."""
    async with AsyncExitStack() as stack:
        enter = stack.enter_async_context
        http = await enter(HttpClient())
        local = await enter(running_chains(SandboxConfig(CACHE), (0, 0)))
        first, second = local.chains
        running = await enter(running_solana())
        (described,) = running.local.chains
        market = await _market(first, tuple(each.address for each in local.accounts), http)
        solana = SolanaOrders(SvmRpc(described.rpc_url, http, described.key, PATIENCE_S), running.server.chain)
        endpoints = {
            first.key: [await enter(running_endpoint(first.rpc_url, second.rpc_url)) for _ in range(ENDPOINTS)],
            described.key: [await enter(running_endpoint(described.rpc_url, None)) for _ in range(ENDPOINTS)],
        }
        dsn = await enter(embedded_postgres(folder / "store", durable=False))
        engine = await enter(prepared_store(dsn))
        settings = chain_section(market, *(each.url for each in endpoints[first.key])) + _SOLANA.format(
            id=described.id, key=described.key, genesis=described.genesis, wrapped=described.tokens["WSOL"].address,
            rpc=json.dumps([each.url for each in endpoints[described.key]]),
        )  # fmt: skip
        if ticking:
            stack.callback(asyncio.create_task(_blocks(market)).cancel)
        yield World(market, solana, dsn, engine, settings, endpoints, {first.key: EVM_WAYS, described.key: SVM_WAYS})


@asynccontextmanager
async def prepared_store(dsn: str) -> AsyncIterator[AsyncEngine]:
    """Have a store's tables made, with the key of the wallets' IDs and the integrator."""
    engine = create_engine(dsn)
    try:
        await migrate(engine)
        async with engine.begin() as connection:
            await connection.execute(insert(service_secrets).values(purpose=TRANSACTION_IDS, secret=KEY))
        await Accounts(engine, system_clock).create_integrator(INTEGRATOR, None, None)
        yield engine
    finally:
        await engine.dispose()


async def _market(described: SandboxChain, accounts: tuple[str, ...], http: HttpClient) -> Market:
    rpc, contracts = EvmRpc(described.rpc_url, http, described.key, PATIENCE_S), described.contracts
    native = Token(described.id, NATIVE_EVM, "ETH", 18, "Ether")
    chain = Chain(
        described.id, described.key, described.name, ChainType.EVM, native, mainnet=False,
        multicall=contracts["multicall3"], wrapped_native=contracts["weth9"], diamond=contracts["diamond"],
    )  # fmt: skip
    first = await rpc.block_number() + 1
    return Market(rpc, chain, contracts["weth9"], contracts["multicall3"], accounts, first)


async def _blocks(market: Market) -> None:
    """Have the chain go on where nobody sends anything."""
    while True:
        await asyncio.sleep(0.5)
        await market.mine(1)
