"""Whether a bridge took what was handed out, by the balances of the transaction."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.devnet.svm.chain import SOL
from rhumbline.domain.chain import NATIVE_SVM
from rhumbline.domain.deposit import BURNT, BridgeDeposit
from rhumbline.domain.svm import AccountRole, SvmInstruction
from rhumbline.domain.tracking import TransferState
from rhumbline.gateways.svm.fingerprint import fingerprint, parts_of
from rhumbline.gateways.svm.instructions import SystemTransfer
from rhumbline.gateways.svm.programs import SPL
from rhumbline.tracking.svm.deposits import SvmDeposits
from rhumbline.tracking.transfers import transfer_of
from tests.tracking.svm.solana_orders import (
    BRIDGE,
    SENDER,
    SOLANA,
    USDC,
    USDC_MINT,
    USER,
    Order,
    SolanaOrders,
)
from tests.tracking.svm.test_crossings import NET, only, poller, started
from tests.tracking.test_status_worker import Scripted, says


def paying(order: Order, calls: Sequence[SvmInstruction], deposit: BridgeDeposit) -> Order:
    """The same crossing with another way of paying the bridge."""
    service, own, *_, tracking = order.calls
    changed = (service, own, *calls, tracking)
    return Order(replace(order.issued, data=fingerprint(changed), parts=parts_of(changed), deposit=deposit), changed)


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
