"""Deliveries on Solana, and what transactions cost there."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from solders.message import TransactionConfig
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.devnet.svm.chain import SOL
from rhumbline.domain.chain import NATIVE_SVM
from rhumbline.domain.errors import NodeUnavailable
from rhumbline.domain.transfer import Transfer
from rhumbline.gateways.svm.instructions import SystemTransfer, TokenTransfer
from rhumbline.gateways.svm.programs import SPL
from rhumbline.gateways.svm.tracking_instruction import reference_key
from rhumbline.tracking.chain_types import DeliveryReceipt
from rhumbline.tracking.svm.destinations import SvmDestinations
from tests.gateways.svm.versions import signed_v1
from tests.tracking.conftest import KEY, kept
from tests.tracking.svm.conftest import catch_up, chain_indexer, keep
from tests.tracking.svm.solana_orders import (
    BRIDGE,
    OTHER,
    SENDER,
    SOLANA,
    STRANGER,
    USDC,
    USDC_MINT,
    USER,
    SolanaOrders,
    budget,
    dust,
)

RECEIVER = str(STRANGER.pubkey())


def transfer(token: str) -> Transfer:
    return Transfer(
        adapter="TOYBRIDGE", origin_chain_id=OTHER.id, destination_chain_id=SOLANA.id, tx_hash="0x" + "ab" * 32,
        log_index=0, sender="", receiver=RECEIVER, refund_to="", sent_token="", sent_amount=1, output_token=token,
        min_output=1, reference=None, started_at=datetime(2027, 1, 1, tzinfo=UTC),
    )  # fmt: skip


async def test_a_delivery_is_read(solana: SolanaOrders) -> None:
    there = SvmDestinations({SOLANA.id: solana.rpc})
    source, destination = (str(USDC.account(each.pubkey())) for each in (USER, STRANGER))
    pays = TokenTransfer(SPL, source, destination, SENDER, 1500, USDC_MINT, 6).encode()
    signature = await solana.send(*budget(), pays, SystemTransfer(SENDER, RECEIVER, SOL).encode())
    executed = await solana.rpc.transaction(signature)
    assert executed is not None
    assert executed.block_time is not None
    plain = DeliveryReceipt(True, datetime.fromtimestamp(executed.block_time, UTC), executed.fee)
    assert await there.receipt(SOLANA.id, signature, None) == plain
    assert await there.receipt(SOLANA.id, signature, transfer(USDC_MINT)) == replace(plain, gained=1500)
    assert await there.receipt(SOLANA.id, signature, transfer(NATIVE_SVM)) == replace(plain, gained=SOL)


async def test_one_that_failed_delivered_nothing(solana: SolanaOrders) -> None:
    there = SvmDestinations({SOLANA.id: solana.rpc})
    signature = await solana.send(SystemTransfer(SENDER, BRIDGE, 2**62).encode())
    assert await there.receipt(SOLANA.id, signature, transfer(NATIVE_SVM)) == DeliveryReceipt(succeeded=False)


async def test_what_no_node_knows_is_not_told(solana: SolanaOrders) -> None:
    signature = await solana.send(SystemTransfer(SENDER, SENDER, 1).encode())
    unknown = str(USER.sign_message(b"never sent"))
    there = SvmDestinations({SOLANA.id: solana.rpc})
    assert await there.receipt(SOLANA.id, unknown, None) is None
    assert await there.receipt(OTHER.id, signature, None) is None
    unreachable = SvmDestinations({SOLANA.id: replace(solana.rpc, url="http://127.0.0.1:1")})
    with pytest.raises(NodeUnavailable):
        await unreachable.receipt(SOLANA.id, signature, None)


@pytest.mark.parametrize("told", ["", "0x" + "ab" * 32, "1" * 65, "z" * 88, "l" * 88, "ä" * 88, SENDER])
def test_what_is_no_signature_is_none(told: str) -> None:
    assert SvmDestinations({}).tx_hash(told) is None


def test_names_are_taken_as_they_are() -> None:
    there, signature = SvmDestinations({}), str(USER.sign_message(b"told"))
    assert there.tx_hash(signature) == signature
    assert there.address(SENDER) == SENDER
    assert there.address("0x" + "ab" * 20) is None


BUDGET = TransactionConfig(priority_fee=7_000, compute_unit_limit=300_000, loaded_accounts_data_size_limit=2**20)


async def test_a_wallet_that_writes_it_anew_as_version_1_has_its_record(
    solana: SolanaOrders, store_engine: AsyncEngine
) -> None:
    order = solana.swap()
    await keep(store_engine, order)
    solana.chain.advance()
    sent = signed_v1(USER, order.calls, str(solana.chain.blockhash()), BUDGET)
    signature = await solana.rpc.send(sent, preflight=False)
    foreign = await solana.rpc.send(signed_v1(STRANGER, [dust(1)], str(solana.chain.blockhash())))
    solana.chain.advance()
    listed = await solana.rpc.signatures(reference_key(KEY))
    assert [each.signature for each in listed] == [foreign, signature]
    await catch_up(chain_indexer(solana, store_engine))
    [record] = await kept(store_engine)
    assert record.input is not None
    assert (record.origin_tx_hash, record.input.raw) == (signature, order.issued.input_amount)
    assert record.output is not None
    assert record.output.raw > 0


async def test_a_delivery_in_version_1_is_read(solana: SolanaOrders) -> None:
    pays = SystemTransfer(SENDER, str(STRANGER.pubkey()), 10**9).encode()
    solana.chain.advance()
    signature = await solana.rpc.send(signed_v1(USER, [pays], str(solana.chain.blockhash()), BUDGET))
    solana.chain.advance()
    receipt = await SvmDestinations({SOLANA.id: solana.rpc}).receipt(SOLANA.id, signature, transfer(NATIVE_SVM))
    assert receipt is not None
    assert (receipt.succeeded, receipt.gained) == (True, 10**9)
