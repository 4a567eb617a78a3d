"""Crossings from Solana: their records, whether the bridge took the tokens, and what their bridges are asked."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.devnet.svm.chain import SOL
from rhumbline.domain.chain import NATIVE_SVM, ChainType
from rhumbline.domain.deposit import BURNT, BridgeDeposit
from rhumbline.domain.svm import AccountRole, SvmInstruction
from rhumbline.domain.token import Token
from rhumbline.domain.tracking import KeptAmount, RouteType, TransactionRecord, TransferState
from rhumbline.gateways.svm.fingerprint import fingerprint, parts_of
from rhumbline.gateways.svm.instructions import SystemTransfer
from rhumbline.gateways.svm.programs import SPL
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
    BRIDGE,
    KNOWN,
    OTHER,
    OWN_FEE,
    SENDER,
    SERVICE_FEE,
    SOLANA,
    USDC,
    USDC_MINT,
    USER,
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


def paying(order: Order, calls: Sequence[SvmInstruction], deposit: BridgeDeposit) -> Order:
    """The same crossing with another way of paying the bridge."""
    service, own, *_, tracking = order.calls
    changed = (service, own, *calls, tracking)
    return Order(replace(order.issued, data=fingerprint(changed), parts=parts_of(changed), deposit=deposit), changed)


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
    assert record.input == KeptAmount(USDC_MINT, AMOUNT)
    assert record.service_fee == KeptAmount(USDC_MINT, SERVICE_FEE)
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
    assert record.output == KeptAmount(WETH_THERE, 995_000, "WETH", 18)
    assert record.next_bridge_check_at is None


async def test_one_that_paid_the_bridge_too_little_is_nobody_s(solana: SolanaOrders, store_engine: AsyncEngine) -> None:
    await started(solana, store_engine, solana.crossing(paid=NET - 1))
    bridge = Scripted(says(TransferState.SUCCESS))
    await poller(solana, store_engine, bridge).poll("TOYBRIDGE")
    record = await only(store_engine)
    assert (record.status, record.terms, bridge.asked) == (TransferState.UNKNOWN, None, [])


BURNING = SvmInstruction(
    SPL,
    (
        AccountRole(str(USDC.account(USER.pubkey())), writable=True),
        AccountRole(USDC_MINT, writable=True),
        AccountRole(SENDER, signer=True),
    ),
    bytes([8]) + NET.to_bytes(8, "little"),
)
PAYING_SOL = SystemTransfer(SENDER, BRIDGE, SOL).encode()


@pytest.mark.parametrize(
    ("call", "deposit", "there"),
    [
        (BURNING, BridgeDeposit(USDC_MINT, NET, (BURNT,)), True),
        (BURNING, BridgeDeposit(USDC_MINT, NET + 1, (BURNT,)), False),
        (PAYING_SOL, BridgeDeposit(NATIVE_SVM, SOL, (BRIDGE,)), True),
        (PAYING_SOL, BridgeDeposit(NATIVE_SVM, SOL + 1, (BRIDGE,)), False),
        (PAYING_SOL, BridgeDeposit(NATIVE_SVM, SOL, (SENDER,)), False),
        (PAYING_SOL, BridgeDeposit(USDC_MINT, 1, (BRIDGE,)), False),
    ],
)
async def test_a_bridge_may_be_paid_otherwise(
    solana: SolanaOrders, store_engine: AsyncEngine, call: SvmInstruction, deposit: BridgeDeposit, *, there: bool
) -> None:
    await started(solana, store_engine, paying(solana.crossing(), [call], deposit))
    record = await only(store_engine)
    deposits = SvmDeposits({SOLANA.id: solana.rpc})
    assert await deposits.is_there(transfer_of(record), deposit, record.origin_block_hash) is there


async def test_what_no_node_tells_of_is_looked_for_again(solana: SolanaOrders, store_engine: AsyncEngine) -> None:
    await started(solana, store_engine, solana.crossing())
    record = await only(store_engine)
    transfer, deposit = transfer_of(record), BridgeDeposit(USDC_MINT, NET, ())
    unreachable = replace(solana.rpc, url="http://127.0.0.1:1")
    for rpcs in ({}, {SOLANA.id: unreachable}):
        assert await SvmDeposits(rpcs).is_there(transfer, deposit, record.origin_block_hash) is None
    # Nor is a transaction in another slot the record's.
    there = SvmDeposits({SOLANA.id: solana.rpc})
    assert await there.is_there(transfer, deposit, str(record.origin_block_number + 1)) is None


async def test_one_that_failed_has_no_deposit(solana: SolanaOrders, store_engine: AsyncEngine) -> None:
    await started(solana, store_engine, solana.crossing())
    record = await only(store_engine)
    failed = await solana.send(SystemTransfer(SENDER, BRIDGE, 2**62).encode())
    executed = await solana.rpc.transaction(failed)
    assert executed is not None
    assert executed.error is not None
    transfer = replace(transfer_of(record), tx_hash=failed)
    deposit = BridgeDeposit(NATIVE_SVM, 0, (BRIDGE,))
    assert await SvmDeposits({SOLANA.id: solana.rpc}).is_there(transfer, deposit, str(executed.slot)) is False
