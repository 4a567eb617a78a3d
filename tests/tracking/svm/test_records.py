"""Swaps within Solana: what counts as one that was handed out, and what its record says."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.domain.tracking import RecordAmount, RouteType, StatusSource, TransferState
from rhumbline.gateways.svm.fingerprint import fingerprint, parts_of
from rhumbline.gateways.svm.lighthouse import holds_lamports
from rhumbline.gateways.svm.tracking_instruction import reference_key, tracking_instruction
from rhumbline.tracking.issued_transactions import EARLIEST, LATEST, IssuedTransactions, find_builds
from rhumbline.tracking.svm.indexer import SvmIndexer
from tests.tracking.conftest import KEY, kept
from tests.tracking.svm.conftest import catch_up, chain_indexer, keep
from tests.tracking.svm.solana_orders import (
    AMOUNT,
    KNOWN,
    OWN_FEE,
    SENDER,
    SERVICE_FEE,
    SOLANA,
    STRANGER,
    USDC_MINT,
    USDT_MINT,
    SolanaOrders,
    budget,
)


async def test_a_swap_becomes_a_record(solana: SolanaOrders, store_engine: AsyncEngine) -> None:
    order = solana.swap()
    await keep(store_engine, order)
    signature = await solana.send(*budget(), *order.calls)
    await catch_up(chain_indexer(solana, store_engine))
    [record] = await kept(store_engine)
    executed = await solana.rpc.transaction(signature)
    assert executed is not None
    assert executed.error is None
    assert (record.origin_tx_hash, record.destination_tx_hash) == (signature, signature)
    assert (record.transaction_id, record.sender, record.receiver) == (order.issued.transaction_id, SENDER, SENDER)
    assert (record.protocol, record.route_type) == ("GENERIC_SWAP", RouteType.SWAP)
    assert (record.status, record.status_source) == (TransferState.SUCCESS, StatusSource.ANALYTICS)
    # Behind the two of the compute budget, the two fees and the swap.
    assert (record.origin_block_number, record.origin_log_index) == (executed.slot, 5)
    assert record.origin_time == record.destination_time == solana.now
    assert record.input == RecordAmount(USDC_MINT, AMOUNT)
    held = {(each.owner, each.mint): each.amount for each in executed.tokens_before}
    output = next(each.amount for each in executed.tokens_after if (each.owner, each.mint) == (SENDER, USDT_MINT))
    assert record.output == RecordAmount(USDT_MINT, output - held[SENDER, USDT_MINT])
    assert record.service_fee == RecordAmount(USDC_MINT, SERVICE_FEE)
    assert record.integrator_fee == RecordAmount(USDC_MINT, OWN_FEE)
    assert (record.terms, record.next_bridge_check_at) == (None, None)


async def test_what_is_kept_is_what_was_handed_out(solana: SolanaOrders, store_engine: AsyncEngine) -> None:
    order = solana.swap()
    await keep(store_engine, order)
    async with store_engine.connect() as connection:
        found = await find_builds(connection, [order.issued.transaction_id])
    assert found == {order.issued.transaction_id: order.issued}
    await IssuedTransactions(store_engine).keep(replace(order.issued, transaction_id="0x00", wallet_call=False))
    async with store_engine.connect() as connection:
        found = await find_builds(connection, ["0x00"])
    assert (found["0x00"].data, found["0x00"].charges) == (b"", ())


async def test_wallets_may_set_the_compute_budget_anew_and_guard_it(
    solana: SolanaOrders, store_engine: AsyncEngine
) -> None:
    order = solana.swap()
    await keep(store_engine, order)
    guard = holds_lamports(SENDER, 1)
    signature = await solana.send(*budget(units=300_000, price=99_999), guard, *order.calls, guard)
    executed = await solana.rpc.transaction(signature)
    assert executed is not None
    assert executed.error is None, executed.logs
    await catch_up(chain_indexer(solana, store_engine))
    [record] = await kept(store_engine)
    assert (record.origin_tx_hash, record.origin_log_index) == (signature, 6)
    assert record.service_fee == RecordAmount(USDC_MINT, SERVICE_FEE)


async def test_a_stranger_s_repetition_is_nobody_s(solana: SolanaOrders, store_engine: AsyncEngine) -> None:
    order = solana.swap()
    await keep(store_engine, order)
    identifier = bytes.fromhex(order.issued.transaction_id[2:])
    own = tracking_instruction(str(STRANGER.pubkey()), reference_key(KEY), identifier)
    await solana.send(own, signers=(STRANGER,))
    await catch_up(chain_indexer(solana, store_engine))
    assert await kept(store_engine) == []


@pytest.mark.parametrize("change", ["less", "more", "other order", "no fee", "two tracking instructions", "other ID"])
async def test_what_does_something_else_does_not_count(
    solana: SolanaOrders, store_engine: AsyncEngine, change: str
) -> None:
    order, other = solana.swap(), solana.swap(nonce=1)
    await keep(store_engine, order)
    service, own, swap, tracking = order.calls
    calls = {
        "less": (tracking,),
        "more": (service, own, swap, swap, tracking),
        "other order": (own, service, swap, tracking),
        "no fee": (swap, tracking),
        "two tracking instructions": (service, own, swap, tracking, tracking),
        # An ID that the service made, and has no build of.
        "other ID": (service, own, swap, other.calls[-1]),
    }
    signature = await solana.send(*calls[change])
    executed = await solana.rpc.transaction(signature)
    assert executed is not None
    assert executed.error is None
    await catch_up(chain_indexer(solana, store_engine))
    assert await kept(store_engine) == []


async def test_one_that_failed_does_not_count(solana: SolanaOrders, store_engine: AsyncEngine) -> None:
    order = solana.swap()
    service, own, swap, tracking = order.calls
    # A minimum that the pool cannot give.
    greedy = replace(swap, data=swap.data[:9] + (2**60).to_bytes(8, "little"))
    calls = (service, own, greedy, tracking)
    issued = replace(order.issued, data=fingerprint(calls), parts=parts_of(calls))
    await IssuedTransactions(store_engine).keep(issued)
    signature = await solana.send(*calls)
    executed = await solana.rpc.transaction(signature)
    assert executed is not None
    assert executed.error is not None
    await catch_up(chain_indexer(solana, store_engine))
    assert await kept(store_engine) == []


@pytest.mark.parametrize("field", ["integrator", "adapter", "expected_output", "min_output", "input_amount", "sender"])
async def test_an_id_holds_for_its_terms_alone(solana: SolanaOrders, store_engine: AsyncEngine, field: str) -> None:
    """Crossings say what is expected, so all but that is of swaps too."""
    order = solana.crossing() if field == "expected_output" else solana.swap()
    value = getattr(order.issued, field)
    changed: dict[str, Any] = {field: value + 1 if isinstance(value, int) else str(STRANGER.pubkey())}
    await IssuedTransactions(store_engine).keep(replace(order.issued, **changed))
    await solana.send(*order.calls)
    await catch_up(chain_indexer(solana, store_engine))
    assert await kept(store_engine) == []


@pytest.mark.parametrize(
    ("shift", "counts"),
    [
        (EARLIEST - timedelta(minutes=1), True),
        (EARLIEST + timedelta(minutes=1), False),
        (timedelta(minutes=-1) - LATEST, True),
        (timedelta(minutes=-2) - LATEST, False),
    ],
)
async def test_it_counts_in_its_time(
    solana: SolanaOrders, store_engine: AsyncEngine, shift: timedelta, *, counts: bool
) -> None:
    start = solana.now + shift
    order = solana.swap(created_at=start, expires_at=start + timedelta(seconds=61))
    await keep(store_engine, order)
    await solana.send(*order.calls)
    await catch_up(chain_indexer(solana, store_engine))
    assert len(await kept(store_engine)) == counts


async def test_an_id_counts_three_times(solana: SolanaOrders, store_engine: AsyncEngine) -> None:
    order = solana.swap()
    await keep(store_engine, order)
    sent = [await solana.send(*order.calls) for _ in range(4)]
    await catch_up(chain_indexer(solana, store_engine))
    assert [record.origin_tx_hash for record in await kept(store_engine)] == sent[:3]


async def test_keys_of_before_are_read_too(solana: SolanaOrders, store_engine: AsyncEngine) -> None:
    old, new = solana.swap(), solana.swap(nonce=1, key=b"n" * 32)
    await keep(store_engine, old, new)
    sent = [await solana.send(*old.calls), await solana.send(*new.calls)]

    async def both() -> tuple[bytes, ...]:
        return b"n" * 32, KEY

    await catch_up(SvmIndexer(SOLANA, solana.rpc, store_engine, both, solana.clock, KNOWN))
    assert [record.origin_tx_hash for record in await kept(store_engine)] == sent
