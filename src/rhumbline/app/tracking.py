"""Joins what follows the chains and the transfers, from the settings."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.accounts.service import Accounts
from rhumbline.accounts.service_keys import load_keys
from rhumbline.app.chains import Chains, ServedEvm
from rhumbline.app.settings import Settings
from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.domain.adapter import Adapter, is_bridge
from rhumbline.domain.chain import ChainType
from rhumbline.domain.clock import system_clock
from rhumbline.domain.metrics import Metrics
from rhumbline.gateways.evm.heads import Heads
from rhumbline.tracking.builds import Builds
from rhumbline.tracking.chain_types import Destinations
from rhumbline.tracking.deliveries import Deliveries
from rhumbline.tracking.enrichment import Enricher, FeeWallets
from rhumbline.tracking.evm.deposits import EvmDeposits
from rhumbline.tracking.evm.destinations import EvmDestinations
from rhumbline.tracking.evm.indexer import Indexer, IndexingSettings
from rhumbline.tracking.evm.receipts import EvmFees
from rhumbline.tracking.evm.wallet_calls import WalletCalls
from rhumbline.tracking.running import Tracker, TransferTracker
from rhumbline.tracking.status_worker import PollingSettings, StatusWorker
from rhumbline.tracking.svm.destinations import SvmDestinations
from rhumbline.tracking.transfers import Known, ScanPages
from rhumbline.tracking.values import PriceReader

TRANSACTION_IDS = "transaction-ids"
_MOST_OFTEN_S = 0.2


def build_trackers(
    settings: Settings,
    chains: Chains,
    engine: AsyncEngine,
    tokens: TokenCatalog,
    accounts: Accounts,
    adapters: Sequence[Adapter[Any]],
    metrics: Metrics,
    prices: PriceReader,
) -> tuple[Tracker, ...]:
    """Build a tracker for every served chain of the EVM."""
    pages = {item.info.key: item.info.scan_url for item in adapters if item.info.scan_url is not None}
    proving = frozenset(item.info.key for item in adapters if item.info.proves_start and is_bridge(item))
    known = Known(chains.catalog, ScanPages(pages), proving, tokens.listed_at)
    return tuple(_tracker(settings, served, engine, tokens, accounts, known, metrics, prices) for served in chains.evm)


def build_transfer_tracker(
    settings: Settings,
    chains: Chains,
    engine: AsyncEngine,
    tokens: TokenCatalog,
    adapters: Sequence[Adapter[Any]],
    metrics: Metrics,
    prices: PriceReader,
) -> TransferTracker:
    """Build what asks the bridges about transfers."""
    pause_s = settings.tracking.bridge_poll_ms / 1000
    readers: Mapping[ChainType, Destinations] = {
        ChainType.EVM: EvmDestinations(chains.rpcs),
        ChainType.SVM: SvmDestinations(),
    }
    worker = StatusWorker(
        {adapter.info.key: adapter for adapter in adapters if is_bridge(adapter)},
        engine,
        Deliveries(chains.catalog, tokens, readers, prices),
        {ChainType.EVM: EvmDeposits(chains.catalog, chains.rpcs)},
        system_clock,
        PollingSettings(first_pause_s=pause_s),
        metrics,
    )
    return TransferTracker(worker, Builds(engine), system_clock, max(_MOST_OFTEN_S, pause_s / 5))


def _tracker(
    settings: Settings,
    served: ServedEvm,
    engine: AsyncEngine,
    tokens: TokenCatalog,
    accounts: Accounts,
    known: Known,
    metrics: Metrics,
    prices: PriceReader,
) -> Tracker:
    async def wallet(integrator: str) -> str | None:
        found = await accounts.integrator(integrator)
        return None if found is None else found.evm_wallet

    tracking, keys = settings.tracking, partial(load_keys, engine, TRANSACTION_IDS)
    wallets = FeeWallets(settings.fees.evm_wallet, wallet)
    indexing = IndexingSettings(start_block=served.start_block, block_range=tracking.block_range)
    return Tracker(
        Indexer(served.chain, served.rpc, engine, keys, system_clock, indexing, metrics, known),
        Enricher(served.chain, EvmFees(served.rpc), engine, tokens, wallets, system_clock, prices),
        tracking.poll_ms / 1000,
        WalletCalls(served.chain, served.rpc, engine, system_clock, known.pages, known.listed_at),
        None if served.socket is None else Heads(served.socket, served.chain.id),
    )
