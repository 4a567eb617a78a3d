"""Builds what follows the chains and the transfers from the settings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.accounts.service import Accounts
from rhumbline.accounts.service_keys import TRANSACTION_IDS, load_keys
from rhumbline.app.chains import Chains, ServedEvm, ServedSvm
from rhumbline.app.settings import Settings
from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.domain.adapter import Adapter, is_bridge
from rhumbline.domain.chain import Chain, ChainType
from rhumbline.domain.fee import ChainWallets
from rhumbline.domain.metrics import Metrics
from rhumbline.domain.spans import Tracing
from rhumbline.gateways.nodes.endpoint import Use
from rhumbline.gateways.postgres.leases import Fence, Leases
from rhumbline.gateways.postgres.store_clock import StoreClock
from rhumbline.tracking.awaited import Awaited
from rhumbline.tracking.cadence import BLOCKS_READ, BlocksReader, Cadence, Pace, no_blocks
from rhumbline.tracking.chain_types import Deposits, Destinations, NetworkFees
from rhumbline.tracking.deliveries import Deliveries
from rhumbline.tracking.enrichment import Enricher, FeeWallets
from rhumbline.tracking.evm.deposits import EvmDeposits
from rhumbline.tracking.evm.destinations import EvmDestinations
from rhumbline.tracking.evm.indexer import Indexer, IndexingSettings
from rhumbline.tracking.evm.positions import block_times
from rhumbline.tracking.evm.receipts import EvmFees
from rhumbline.tracking.evm.wallet_calls import WalletCalls
from rhumbline.tracking.issued_transactions import IssuedTransactions
from rhumbline.tracking.leadership import Loop, lease_name
from rhumbline.tracking.status_worker import PollingSettings, StatusWorker
from rhumbline.tracking.svm.deposits import SvmDeposits
from rhumbline.tracking.svm.destinations import SvmDestinations
from rhumbline.tracking.svm.indexer import SvmIndexer
from rhumbline.tracking.svm.receipts import SvmFees
from rhumbline.tracking.svm.sealed_calls import SealedCalls
from rhumbline.tracking.trackers import Tracker, TransferTracker
from rhumbline.tracking.transfers import Known, ScanPages
from rhumbline.tracking.values import PriceReader

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
    clock: StoreClock,
    leases: Leases,
    awaited: Awaited,
) -> tuple[Tracker, ...]:
    """Build a tracker for every served chain; its writes are fenced by ``leases``."""
    pages = {item.info.key: item.info.scan_url for item in adapters if item.info.scan_url is not None}
    proving = frozenset(item.info.key for item in adapters if item.info.proves_start and is_bridge(item))
    known = Known(chains.catalog, ScanPages(pages), proving, tokens.listed_at)
    joint = _Joint(settings, engine, tokens, accounts, known, metrics, prices, clock, leases, awaited)
    return (*map(joint.evm, chains.evm), *map(joint.svm, chains.svm))


def build_transfer_tracker(
    settings: Settings,
    chains: Chains,
    engine: AsyncEngine,
    tokens: TokenCatalog,
    adapters: Sequence[Adapter[Any]],
    metrics: Metrics,
    prices: PriceReader,
    clock: StoreClock,
    leases: Leases,
    tracing: Tracing | None,
) -> TransferTracker:
    """Build what asks the bridges about transfers."""
    pause_s = settings.tracking.bridge_poll_ms / 1000
    rpcs = {chain: rpc.of(Use.TRACKING) for chain, rpc in chains.rpcs.items()}
    svm_rpcs = {chain: rpc.of(Use.TRACKING) for chain, rpc in chains.svm_rpcs.items()}
    readers: Mapping[ChainType, Destinations] = {
        ChainType.EVM: EvmDestinations(rpcs),
        ChainType.SVM: SvmDestinations(svm_rpcs),
    }
    deposits: Mapping[ChainType, Deposits] = {
        ChainType.EVM: EvmDeposits(chains.catalog, rpcs),
        ChainType.SVM: SvmDeposits(svm_rpcs),
    }
    worker = StatusWorker(
        {adapter.info.key: adapter for adapter in adapters if is_bridge(adapter)},
        engine,
        Deliveries(chains.catalog, tokens, readers, prices),
        deposits,
        clock,
        PollingSettings(first_pause_s=pause_s),
        metrics,
        leases.holder,
        tracing,
    )
    rest_s = max(_MOST_OFTEN_S, pause_s / 5)
    return TransferTracker(worker, IssuedTransactions(engine), rest_s, lambda: clock.is_off)


@dataclass(frozen=True, slots=True)
class _Joint:
    """What trackers of all chains share."""

    settings: Settings
    engine: AsyncEngine
    tokens: TokenCatalog
    accounts: Accounts
    known: Known
    metrics: Metrics
    prices: PriceReader
    clock: StoreClock
    leases: Leases
    awaited: Awaited

    def evm(self, served: ServedEvm) -> Tracker:
        tracking, known, rpc = self.settings.tracking, self.known, served.rpc.of(Use.TRACKING)
        indexing = IndexingSettings(start_block=served.start_block, block_range=tracking.block_range)
        chain, engine, clock = served.chain, self.engine, self.clock
        events, calls = self.fence(chain, Loop.EVENTS), self.fence(chain, Loop.WALLET_CALLS)
        return Tracker(
            Indexer(chain, rpc, engine, self.keys, clock, indexing, self.metrics, known, events),
            self.enricher(chain, EvmFees(rpc)),
            tracking.poll_ms / 1000,
            WalletCalls(chain, rpc, engine, clock, known.pages, known.listed_at, calls),
            served.make_heads(),
            self.pace(chain, partial(block_times, engine, chain.id, BLOCKS_READ)),
        )

    def svm(self, served: ServedSvm) -> Tracker:
        chain, rpc = served.chain, served.rpc.of(Use.TRACKING)
        shared = (chain, rpc, self.engine, self.keys, self.clock, self.known)
        return Tracker(
            SvmIndexer(*shared, self.metrics, fence=self.fence(chain, Loop.EVENTS)),
            self.enricher(chain, SvmFees(rpc)),
            self.settings.tracking.poll_ms / 1000,
            SealedCalls(*shared, self.fence(chain, Loop.WALLET_CALLS)),
            served.make_heads(),
            self.pace(chain),
        )

    def pace(self, chain: Chain, blocks: BlocksReader = no_blocks) -> Pace:
        tracking = self.settings.tracking
        cadence = Cadence(tracking.poll_ms / 1000, tracking.idle_poll_ms / 1000)
        return Pace(cadence, partial(self.awaited.left_s, chain.id), blocks)

    def fence(self, chain: Chain, loop: Loop) -> Fence:
        return self.leases.fence(lease_name(chain.id, loop))

    async def keys(self) -> tuple[bytes, ...]:
        return await load_keys(self.engine, TRANSACTION_IDS)

    def enricher(self, chain: Chain, fees: NetworkFees) -> Enricher:
        async def wallet(integrator: str) -> str | None:
            found = await self.accounts.integrator(integrator)
            return None if found is None else found.wallet(chain.type)

        service = ChainWallets(self.settings.fees.evm_wallet, self.settings.fees.svm_wallet).of(chain.type)
        wallets = FeeWallets(service, wallet)
        fence = self.fence(chain, Loop.COMPLETION)
        return Enricher(chain, fees, self.engine, self.tokens, wallets, self.clock, self.prices, fence)
