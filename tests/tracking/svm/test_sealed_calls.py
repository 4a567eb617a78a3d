"""Messages that others signed, which hold no tracking instruction: found among their senders' transactions."""

from dataclasses import replace
from datetime import timedelta

import pytest
from solders.keypair import Keypair
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.domain.svm import AccountRole, SvmInstruction
from rhumbline.domain.tracking import NO_EVENT, RecordAmount, TransferState
from rhumbline.domain.transfer import IssuedTransaction
from rhumbline.gateways.svm.fingerprint import SIZE, sealed_fingerprint
from rhumbline.gateways.svm.instructions import SystemTransfer
from rhumbline.gateways.svm.messages import compile_v0
from rhumbline.tracking.issued_transactions import LATEST, IssuedTransactions
from rhumbline.tracking.svm.sealed_calls import READ_AT_ONCE, SealedCalls
from tests.tracking.conftest import kept, service_keys
from tests.tracking.node import Node
from tests.tracking.svm.conftest import catch_up, chain_indexer
from tests.tracking.svm.solana_orders import (
    AMOUNT,
    KNOWN,
    OWN_FEE,
    SENDER,
    SERVICE_FEE,
    SOLANA,
    STRANGER,
    USDC_MINT,
    USER,
    SolanaOrders,
    identifier_of,
    signed,
)

NET = AMOUNT - SERVICE_FEE - OWN_FEE


def looker(solana: SolanaOrders, engine: AsyncEngine, node: Node | None = None) -> SealedCalls:
    rpc = solana.rpc if node is None else replace(solana.rpc, url=node.rpc.url)
    return SealedCalls(SOLANA, rpc, engine, service_keys, solana.clock, KNOWN)


def sealed(solana: SolanaOrders, *, breaks: bool = False) -> tuple[bytes, tuple[SvmInstruction, ...]]:
    """A maker's message: the maker pays its fee, and the user has yet to sign."""
    swap = solana.swap().calls[2]
    maker = SystemTransfer(str(STRANGER.pubkey()), SENDER, 2**62 if breaks else 10**6).encode()
    return compile_v0(str(STRANGER.pubkey()), [swap, maker], [], str(solana.chain.blockhash())), (swap, maker)


def build(solana: SolanaOrders, message: bytes, nonce: int = 0) -> IssuedTransaction:
    plain = replace(solana.swap().issued, input_amount=NET, sent_amount=NET, charges=(), transaction_id="")
    identifier = identifier_of(plain, nonce)
    return replace(plain, transaction_id="0x" + identifier.hex(), data=sealed_fingerprint(message))


async def send(solana: SolanaOrders, message: bytes, *signers: Keypair) -> str:
    signature = await solana.rpc.send(signed(message, *(signers or (STRANGER, USER))), preflight=False)
    solana.chain.advance()
    return signature


async def look(looking: SealedCalls) -> None:
    for _ in range(100):
        if not await looking.step():
            return
    pytest.fail("it has no end")


async def test_a_message_of_others_is_found_by_its_sender(solana: SolanaOrders, store_engine: AsyncEngine) -> None:
    message, _ = sealed(solana)
    issued = build(solana, message)
    assert len(issued.data) > SIZE
    await IssuedTransactions(store_engine).keep(issued)
    looking = looker(solana, store_engine)
    await look(looking)
    assert await kept(store_engine) == []
    signature = await send(solana, message)
    await catch_up(chain_indexer(solana, store_engine))
    assert await kept(store_engine) == []
    await look(looking)
    [record] = await kept(store_engine)
    assert (record.origin_tx_hash, record.transaction_id) == (signature, issued.transaction_id)
    assert (record.origin_log_index, record.status) == (NO_EVENT, TransferState.SUCCESS)
    assert (record.sender, record.protocol) == (SENDER, "GENERIC_SWAP")
    assert record.input == RecordAmount(USDC_MINT, NET)
    assert (record.service_fee, record.integrator_fee) == (None, None)


async def test_one_message_is_one_record(solana: SolanaOrders, store_engine: AsyncEngine) -> None:
    """An upstream gave the same message twice, so two quotes hold it: the newest counts."""
    message, _ = sealed(solana)
    await IssuedTransactions(store_engine).keep(build(solana, message))
    newer = replace(build(solana, message, nonce=1), created_at=solana.now + timedelta(seconds=1))
    await IssuedTransactions(store_engine).keep(newer)
    await send(solana, message)
    for _ in range(2):
        await look(looker(solana, store_engine))
    assert [record.transaction_id for record in await kept(store_engine)] == [newer.transaction_id]


async def test_what_was_changed_or_failed_does_not_count(solana: SolanaOrders, store_engine: AsyncEngine) -> None:
    message, calls = sealed(solana)
    await IssuedTransactions(store_engine).keep(build(solana, message))
    # The maker and the user agree on another blockhash, say.
    await solana.send(*calls, signers=(STRANGER, USER))
    breaking, _ = sealed(solana, breaks=True)
    await IssuedTransactions(store_engine).keep(build(solana, breaking, nonce=1))
    executed = await solana.rpc.transaction(await send(solana, breaking))
    assert executed is not None
    assert executed.error is not None
    await look(looker(solana, store_engine))
    assert await kept(store_engine) == []


async def test_a_flood_at_the_sender_costs_a_bounded_number_of_requests(
    solana: SolanaOrders, store_engine: AsyncEngine, between: Node
) -> None:
    message, _ = sealed(solana)
    await IssuedTransactions(store_engine).keep(build(solana, message))
    signature = await send(solana, message)
    stranger = str(STRANGER.pubkey())
    for number in range(3 * READ_AT_ONCE):
        named = (AccountRole(SENDER),)
        call = SystemTransfer(stranger, stranger, number, named).encode()
        blockhash = str(solana.chain.blockhash())
        await solana.rpc.send(signed(compile_v0(stranger, [call], [], blockhash), STRANGER))
    solana.chain.advance()
    looking, waiting, most = looker(solana, store_engine, between), True, 0
    while waiting:
        before = len(between.calls)
        waiting = await looking.step()
        most = max(most, len(between.calls) - before)
    assert [record.origin_tx_hash for record in await kept(store_engine)] == [signature]
    # Beside them a page, and the end of the list.
    assert most <= READ_AT_ONCE + 2


async def test_after_its_time_it_is_not_looked_for(
    solana: SolanaOrders, store_engine: AsyncEngine, between: Node
) -> None:
    """Nor as soon as it is found, nor where there is a tracking instruction."""
    message, _ = sealed(solana)
    await IssuedTransactions(store_engine).keep(build(solana, message))
    await IssuedTransactions(store_engine).keep(solana.swap(nonce=5).issued)
    await send(solana, message)
    await look(looker(solana, store_engine))
    assert len(await kept(store_engine)) == 1
    later, _ = sealed(solana)
    await IssuedTransactions(store_engine).keep(build(solana, later, nonce=1))
    solana.chain.advance(int((LATEST + timedelta(minutes=2)) / timedelta(seconds=0.4)))
    await look(looker(solana, store_engine, between))
    assert between.calls == []


async def test_who_did_not_sign_sent_nothing(solana: SolanaOrders, store_engine: AsyncEngine) -> None:
    """A message that a stranger may send alone is not the wallet's, whatever was stored."""
    stranger = str(STRANGER.pubkey())
    call = SystemTransfer(stranger, SENDER, 10**6).encode()
    message = compile_v0(stranger, [call], [], str(solana.chain.blockhash()))
    await IssuedTransactions(store_engine).keep(build(solana, message))
    await send(solana, message, STRANGER)
    await look(looker(solana, store_engine))
    assert await kept(store_engine) == []
