"""Crossings from Solana: their records, whether the bridge took the tokens, and what their bridges are asked."""

from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.domain.chain import ChainType
from rhumbline.domain.token import Token
from rhumbline.domain.tracking import RecordAmount, RouteType, TransactionRecord, TransferState
from rhumbline.tracking.chain_types import Destinations
from rhumbline.tracking.deliveries import Deliveries
from rhumbline.tracking.evm.destinations import EvmDestinations
from rhumbline.tracking.status_worker import StatusWorker
from rhumbline.tracking.svm.deposits import SvmDeposits
from rhumbline.tracking.svm.destinations import SvmDestinations
from rhumbline.tracking.transfers import transfer_of
from tests.tracking.conftest import kept
from tests.tracking.svm.conftest import catch_up, chain_indexer, keep
from tests.tracking.svm.solana_orders import (
    AMOUNT,
    KNOWN,
    OTHER,
    OWN_FEE,
    SENDER,
    SERVICE_FEE,
    SOLANA,
    USDC_MINT,
    WETH_THERE,
    Order,
    SolanaOrders,
)
from tests.tracking.test_status_worker import Scripted, says

THERE = Token(OTHER.id, WETH_THERE, "WETH", 18, "Ether")
NET = AMOUNT - SERVICE_FEE - OWN_FEE


def poller(solana: SolanaOrders, engine: AsyncEngine, bridge: Scripted) -> StatusWorker:
    rpcs = {SOLANA.id: solana.rpc}
    readers: dict[ChainType, Destinations] = {ChainType.EVM: EvmDestinations({}), ChainType.SVM: SvmDestinations(rpcs)}
    deliveries = Deliveries(KNOWN.chains, TokenCatalog([SOLANA, OTHER], [THERE], {}), readers)
    return StatusWorker(
        {"TOYBRIDGE": bridge}, engine, deliveries, {ChainType.SVM: SvmDeposits(rpcs)}, lambda: solana.now
    )


async def only(engine: AsyncEngine) -> TransactionRecord:
    [record] = await kept(engine)
    return record


async def started(solana: SolanaOrders, engine: AsyncEngine, order: Order) -> str:
    await keep(engine, order)
    signature = await solana.send(*order.calls)
    await catch_up(chain_indexer(solana, engine))
    return signature


async def test_a_crossing_becomes_a_transfer(solana: SolanaOrders, store_engine: AsyncEngine) -> None:
    order = solana.crossing()
    signature = await started(solana, store_engine, order)
    record = await only(store_engine)
    assert (record.origin_tx_hash, record.origin_log_index) == (signature, 3)
    assert (record.destination_chain_id, record.destination_tx_hash) == (OTHER.id, None)
    assert (record.protocol, record.route_type) == ("TOYBRIDGE", RouteType.BRIDGE)
    assert (record.sender, record.receiver, record.integrator) == (SENDER, WETH_THERE, "acme")
    assert (record.status, record.bridge_scan_url) == (
        TransferState.BRIDGE_PENDING, f"https://scan.example/{signature}",
    )  # fmt: skip
    assert record.input == RecordAmount(USDC_MINT, AMOUNT)
    assert record.service_fee == RecordAmount(USDC_MINT, SERVICE_FEE)
    transfer = transfer_of(record)
    assert (transfer.sent_amount, transfer.reference, transfer.log_index) == (NET, "r-1", 3)
    assert transfer.min_output == 900_000


async def test_its_bridge_is_asked_until_it_has_ended(solana: SolanaOrders, store_engine: AsyncEngine) -> None:
    await started(solana, store_engine, solana.crossing())
    bridge = Scripted(says(TransferState.SUCCESS, output_amount=995_000, destination_tx_hash="0x" + "ab" * 32))
    await poller(solana, store_engine, bridge).poll("TOYBRIDGE")
    record = await only(store_engine)
    assert [each.tx_hash for each in bridge.asked] == [record.origin_tx_hash]
    assert (record.status, record.destination_tx_hash) == (TransferState.SUCCESS, "0x" + "ab" * 32)
    assert record.output == RecordAmount(WETH_THERE, 995_000, "WETH", 18)
    assert record.next_bridge_check_at is None
