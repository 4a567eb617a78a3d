"""A local chain with our contracts on it, a store, and what follows the one into the other."""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import datetime

import pytest
from sqlalchemy import Column, MetaData, Table, TypeDecorator, delete, select
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.catalog.evm.token_reader import token_readers
from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.devnet.sandbox import Sandbox
from rhumbline.domain.chain import NATIVE_EVM, Chain, ChainType
from rhumbline.domain.clock import Clock, system_clock
from rhumbline.domain.token import Token
from rhumbline.domain.tracking import TransactionRecord
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.evm.rpc import EvmRpc
from rhumbline.gateways.postgres.engine import create_engine
from rhumbline.tracking.enrichment import Enricher, FeeWallets
from rhumbline.tracking.evm.indexer import Indexer, IndexingSettings
from rhumbline.tracking.evm.positions import blocks, cursors, wallet_call_cursors
from rhumbline.tracking.evm.receipts import EvmFees
from rhumbline.tracking.store import read_records, transactions
from rhumbline.tracking.values import PriceReader, no_prices
from tests.postgres_fixture import Databases
from tests.tracking.market import PATIENCE_S, Given, Market
from tests.tracking.node import Node, running_node

KEY = b"k" * 32
SERVICE_WALLET = "0x8626f6940E2eb28930eFb4CeF49B2d1F2C9C1199"
WALLETS = {"acme": "0xdD2FD4581271e230360230F9337D5c0430Bf44C0"}

SecondStore = Callable[[], AbstractAsyncContextManager[AsyncEngine]]


async def service_keys() -> tuple[bytes, ...]:
    return (KEY,)


async def wallet_of(integrator: str) -> str | None:
    return WALLETS.get(integrator)


def new_id(sender: str, integrator: str = "acme", chain_id: int = 900_001, nonce: int = 0) -> Given:
    return Given(KEY, sender, integrator, chain_id, nonce.to_bytes(16))


@pytest.fixture
async def market(restored_sandbox: Sandbox, http: HttpClient) -> Market:
    described = restored_sandbox.chain("sbxa")
    rpc = EvmRpc(described.rpc_url, http, described.key, PATIENCE_S)
    weth = described.contracts["weth9"]
    native = Token(described.id, NATIVE_EVM, "ETH", 18, "Ether")
    chain = Chain(
        id=described.id,
        key=described.key,
        name=described.name,
        type=ChainType.EVM,
        native=native,
        mainnet=False,
        multicall=described.contracts["multicall3"],
        wrapped_native=weth,
        diamond=described.contracts["diamond"],
    )
    accounts = tuple(account.address for account in restored_sandbox.accounts)
    return Market(rpc, chain, weth, described.contracts["multicall3"], accounts, await rpc.block_number() + 1)


@pytest.fixture
async def node(market: Market, http: HttpClient) -> AsyncIterator[Node]:
    async with running_node(market.rpc.url, http) as running:
        yield running


@pytest.fixture(scope="session")
def second_dsn(postgres_databases: Databases) -> Iterator[str]:
    dsn = postgres_databases.create()
    yield dsn
    postgres_databases.drop(dsn)


@pytest.fixture
async def second_store(second_dsn: str) -> AsyncIterator[SecondStore]:
    """Another store, which each use finds empty: emptying is quicker than making one."""
    engine = create_engine(second_dsn)

    @asynccontextmanager
    async def empty() -> AsyncIterator[AsyncEngine]:
        async with engine.begin() as connection:
            for table in (transactions, blocks, cursors, wallet_call_cursors):
                await connection.execute(delete(table))
        yield engine

    yield empty
    await engine.dispose()


def indexer(
    market: Market,
    engine: AsyncEngine,
    rpc: EvmRpc | None = None,
    block_range: int = 2000,
    chain: Chain | None = None,
    start_block: int | None = -1,
    checkpoints: int = 512,
) -> Indexer:
    start = market.first_block if start_block == -1 else start_block
    settings = IndexingSettings(start, block_range, checkpoints)
    return Indexer(chain or market.chain, rpc or market.rpc, engine, service_keys, system_clock, settings)


def enricher(
    market: Market,
    engine: AsyncEngine,
    rpc: EvmRpc | None = None,
    clock: Clock = system_clock,
    prices: PriceReader = no_prices,
) -> Enricher:
    rpc = rpc or market.rpc
    tokens = TokenCatalog([market.chain], [], token_readers({market.chain.id: rpc}))
    return Enricher(market.chain, EvmFees(rpc), engine, tokens, FeeWallets(SERVICE_WALLET, wallet_of), clock, prices)


async def catch_up(chain_indexer: Indexer) -> int:
    """Steps until nothing is waiting; answers how many it took."""
    steps = 1
    while await chain_indexer.step():
        steps += 1
        assert steps < 10_000
    return steps


Record = dict[str, object]
STORED = Table(
    "transactions",
    MetaData(),
    *(Column(c.name, c.type.impl_instance if isinstance(c.type, TypeDecorator) else c.type) for c in transactions.c),
)
"""The records as the store itself has them: its own names, plain texts and JSON."""


async def kept(engine: AsyncEngine) -> list[TransactionRecord]:
    """All records in the order of the chain."""
    query = select(transactions).order_by(transactions.c.origin_block_number, transactions.c.origin_log_index)
    async with engine.connect() as connection:
        return await read_records(connection, query)


async def records(engine: AsyncEngine) -> list[Record]:
    """All rows in the order of the chain, without the columns that tell when we saw them."""
    columns = [c for c in STORED.c if c.name not in {"created_at", "updated_at", "last_receipt_checked_at"}]
    order = (STORED.c.source_block_number, STORED.c.source_log_index)
    async with engine.connect() as connection:
        return [dict(row) for row in (await connection.execute(select(*columns).order_by(*order))).mappings()]


async def fresh_index(market: Market, second_store: SecondStore) -> list[Record]:
    """What somebody sees who reads the chain now, for the first time."""
    async with second_store() as engine:
        await catch_up(indexer(market, engine))
        return await records(engine)


def fixed_clock(moment: datetime) -> Clock:
    return lambda: moment
