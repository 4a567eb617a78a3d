"""The fees that a transaction really paid."""

from dataclasses import replace

from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.domain.fee import Charge, FeeKind
from rhumbline.domain.tracking import RecordAmount
from rhumbline.gateways.svm.fingerprint import fingerprint, parts_of
from rhumbline.tracking.issued_transactions import IssuedTransactions
from tests.tracking.conftest import kept
from tests.tracking.svm.conftest import catch_up, chain_indexer, keep
from tests.tracking.svm.solana_orders import (
    AMOUNT,
    INTEGRATOR,
    OWN_FEE,
    SERVICE_FEE,
    USDC_MINT,
    SolanaOrders,
)
from tests.tracking.svm.test_recognition import recorded


async def test_a_fee_that_is_paid_twice_counts_once(solana: SolanaOrders, store_engine: AsyncEngine) -> None:
    order = solana.swap()
    await keep(store_engine, order)
    service, own, swap, tracking = order.calls
    await solana.send(own, service, own, swap, tracking)
    record = await recorded(solana, store_engine)
    assert record.integrator_fee == RecordAmount(USDC_MINT, OWN_FEE)
    assert record.input == RecordAmount(USDC_MINT, AMOUNT)


async def test_one_wallet_may_earn_both_fees(solana: SolanaOrders, store_engine: AsyncEngine) -> None:
    """Each is counted once, though both have the same recipient."""
    order = solana.swap()
    service, own, swap, tracking = order.calls
    both = replace(service, accounts=own.accounts)
    calls = (both, own, swap, tracking)
    charges = (Charge(FeeKind.SERVICE, INTEGRATOR, SERVICE_FEE), Charge(FeeKind.INTEGRATOR, INTEGRATOR, OWN_FEE))
    await IssuedTransactions(store_engine).keep(
        replace(order.issued, data=fingerprint(calls), parts=parts_of(calls), charges=charges)
    )
    await solana.send(*calls)
    await catch_up(chain_indexer(solana, store_engine))
    [record] = await kept(store_engine)
    assert (record.service_fee, record.integrator_fee) == (
        RecordAmount(USDC_MINT, SERVICE_FEE), RecordAmount(USDC_MINT, OWN_FEE),
    )  # fmt: skip
