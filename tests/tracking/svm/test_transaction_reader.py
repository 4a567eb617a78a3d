"""A transaction that cannot be read holds up nobody, and is read when it can be."""

from base64 import b64encode
from datetime import timedelta

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.gateways.nodes.svm.transactions import LARGEST_ANSWER
from rhumbline.gateways.svm.tracking_instruction import reference_key
from rhumbline.tracking.svm.positions import Cursor, read_cursor
from rhumbline.tracking.svm.unread import AWAITED_FOR
from tests.tracking.conftest import KEY, kept
from tests.tracking.node import PASS, Node
from tests.tracking.svm.conftest import catch_up, keep, through
from tests.tracking.svm.solana_orders import SOLANA, STRANGER, SolanaOrders, dust
from tests.tracking.svm.test_stranger_flood import FINAL, Noted, chain_indexer

SLOT = timedelta(seconds=0.4)
REFUSED: dict[str, object] = {"error": {"code": -32015, "message": "Transaction version (2) is not supported by …"}}
NO_TRANSACTION: dict[str, object] = {"slot": 5, "transaction": ["AAAA", "base64"], "meta": {"err": None}}
UNREADABLE: dict[str, dict[str, object]] = {
    "a version that nobody knows": REFUSED,
    "no transaction": {"result": NO_TRANSACTION},
    "more than is let in": {"result": {**NO_TRANSACTION, "more": "0" * LARGEST_ANSWER}},
    "nothing": {"result": None},
    "no object": {"result": [5]},
}


async def cursor(engine: AsyncEngine) -> Cursor | None:
    async with engine.connect() as connection:
        return await read_cursor(connection, SOLANA.id, reference_key(KEY))


async def test_what_a_strangers_transaction_does_is_not_read(
    solana: SolanaOrders, store_engine: AsyncEngine, between: Node
) -> None:
    """Nothing but a signed transaction is sound in the answer about it: who read more would say so."""
    order, noted = solana.swap(), Noted()
    await keep(store_engine, order)
    stranger = await solana.send(dust(1), signers=(STRANGER,))
    told = await solana.rpc.fetch(stranger)
    signature = await solana.send(*order.calls)
    assert told is not None
    raw = bytes([1]) + told.message.signatures[told.message.payer] + told.message.message
    meta: dict[str, object] = {
        "err": None, "fee": "much", "preBalances": None, "postBalances": 7, "preTokenBalances": {"a": 1},
        "innerInstructions": [{"index": 0, "instructions": [{"data": "0OIl" * 3_000}] * 62}], "logMessages": 5,
    }  # fmt: skip
    hollow = {"slot": told.slot, "transaction": [b64encode(raw).decode(), "base64"], "meta": meta}
    between.answer = lambda method, params: (
        {"result": hollow} if method == "getTransaction" and params[0] == stranger else PASS
    )
    solana.chain.advance(FINAL)
    await catch_up(chain_indexer(solana, store_engine, through(between, solana), noted))
    assert [record.origin_tx_hash for record in await kept(store_engine)] == [signature]
    assert noted.passed == {"stranger": 1}
    found = await cursor(store_engine)
    assert found is not None
    assert found.signature == signature


@pytest.mark.parametrize("answer", UNREADABLE.values(), ids=UNREADABLE)
async def test_what_cannot_be_read_holds_up_nobody_and_is_given_up_once(
    solana: SolanaOrders, store_engine: AsyncEngine, between: Node, answer: dict[str, object]
) -> None:
    """It came first; those after it are recorded, and the cursor passes it when it was in vain for ten minutes."""
    before, after, later = (solana.swap(nonce) for nonce in range(3))
    await keep(store_engine, before, after, later)
    signatures = [await solana.send(*before.calls)]
    bad = await solana.send(dust(1), signers=(STRANGER,))
    signatures.append(await solana.send(*after.calls))
    solana.chain.advance(FINAL)
    between.answer = lambda method, params: answer if method == "getTransaction" and params[0] == bad else PASS
    noted = Noted()
    following = chain_indexer(solana, store_engine, through(between, solana), noted)
    await catch_up(following)
    assert [record.origin_tx_hash for record in await kept(store_engine)] == signatures
    found = await cursor(store_engine)
    assert found is not None
    assert found.signature == signatures[0]
    # Ten minutes alone prove nothing: the node must have shown another one since.
    solana.chain.advance(int(AWAITED_FOR / SLOT / 2))
    await catch_up(following)
    solana.chain.advance(int(AWAITED_FOR / SLOT / 2) + 10)
    await catch_up(following)
    assert "unreadable" not in noted.passed
    signatures.append(await solana.send(*later.calls))
    solana.chain.advance(FINAL)
    await catch_up(following)
    solana.chain.advance(10)
    for _ in range(3):
        await catch_up(following)
    assert [record.origin_tx_hash for record in await kept(store_engine)] == signatures
    assert noted.passed["unreadable"] == 1
    found = await cursor(store_engine)
    assert found is not None
    assert found.signature == signatures[-1]


async def test_what_can_be_read_a_moment_later_is_recorded_then(
    solana: SolanaOrders, store_engine: AsyncEngine, between: Node
) -> None:
    """A node tells of a transaction before it has it; what its contents are is not to be had for another moment."""
    order = solana.swap()
    await keep(store_engine, order)
    signature = await solana.send(*order.calls)
    broken = {**NO_TRANSACTION, "transaction": None}
    answers: list[object] = [None, broken]
    between.answer = lambda method, params: {"result": answers[0]} if method == "getTransaction" else PASS
    following = chain_indexer(solana, store_engine, through(between, solana), Noted())
    while answers:
        await catch_up(following)
        assert await kept(store_engine) == []
        solana.chain.advance(10)
        answers.pop(0)
    between.answer = lambda method, params: PASS
    await catch_up(following)
    assert [record.origin_tx_hash for record in await kept(store_engine)] == [signature]
