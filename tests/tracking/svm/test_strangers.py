"""Strangers name the reference key: nothing of theirs is read but whose they are, and nobody waits for them."""

import asyncio
from base64 import b64encode
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.domain.metrics import NoMetrics
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from rhumbline.gateways.nodes.svm.transactions import LARGEST_ANSWER
from rhumbline.gateways.svm.tracking_instruction import reference_key
from rhumbline.tracking.svm.indexer import SvmIndexer
from rhumbline.tracking.svm.positions import Cursor, read_cursor
from rhumbline.tracking.svm.read_budget import A_SECOND, ReadBudget
from rhumbline.tracking.svm.unread import AWAITED_FOR
from tests.tracking.conftest import KEY, kept, service_keys
from tests.tracking.node import PASS, Node, running_node
from tests.tracking.svm.conftest import catch_up, keep
from tests.tracking.svm.solana_orders import KNOWN, SOLANA, STRANGER, SolanaOrders, dust
from tests.virtual_time import in_virtual_time

FINAL = 32
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


@dataclass
class Noted(NoMetrics):
    """Metrics that keep what was passed over."""

    passed: dict[str, int] = field(default_factory=dict)

    def passed_over(self, chain: str, why: str, count: int, /) -> None:
        if count:
            self.passed[why] = self.passed.get(why, 0) + count


@pytest.fixture
async def between(solana: SolanaOrders, http: HttpClient) -> AsyncIterator[Node]:
    async with running_node(solana.rpc.url, http) as running:
        yield running


def through(node: Node, solana: SolanaOrders) -> SvmRpc:
    return replace(solana.rpc, url=node.rpc.url)


def chain_indexer(solana: SolanaOrders, engine: AsyncEngine, rpc: SvmRpc, metrics: Noted) -> SvmIndexer:
    return SvmIndexer(SOLANA, rpc, engine, service_keys, solana.clock, KNOWN, metrics, ReadBudget(10**6))


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


async def test_a_strangers_copy_of_an_id_is_passed_over(solana: SolanaOrders, store_engine: AsyncEngine) -> None:
    """The tracking instruction of an order of somebody else's, and nothing that was handed out."""
    order, noted = solana.swap(), Noted()
    await keep(store_engine, order)
    tracking = order.calls[-1]
    theirs = replace(
        tracking, accounts=tuple(replace(each, address=str(STRANGER.pubkey())) if each.signer or each.writable else each
                                 for each in tracking.accounts),
    )  # fmt: skip
    await solana.send(theirs, signers=(STRANGER,))
    await solana.send(tracking)
    await catch_up(chain_indexer(solana, store_engine, solana.rpc, noted))
    assert await kept(store_engine) == []
    assert noted.passed == {"stranger": 2}


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


async def test_strangers_memos_do_not_keep_pages_from_being_read(
    solana: SolanaOrders, store_engine: AsyncEngine, between: Node
) -> None:
    """A node tells their memos in each page: with a thousand of the largest it has 24 MB, and is not let in."""
    order = solana.swap()
    await keep(store_engine, order)
    signature = await solana.send(*order.calls)
    solana.chain.advance(FINAL)
    large = {"signature": signature, "slot": 5, "err": None, "memo": "\x01" * 4_000}

    def crowded(method: str, params: list[Any]) -> object:
        limit = params[1]["limit"] if method == "getSignaturesForAddress" else 0
        return {"result": [large] * limit} if limit > 500 else PASS

    between.answer = crowded
    await catch_up(chain_indexer(solana, store_engine, through(between, solana), Noted()))
    assert [record.origin_tx_hash for record in await kept(store_engine)] == [signature]


@in_virtual_time
async def test_work_is_spread_over_time() -> None:
    loop, budget = asyncio.get_running_loop(), ReadBudget()
    # What was not used of the last two seconds is there at once.
    for _ in range(2 * A_SECOND // 10):
        await budget.spend(*[1_000] * 10)
    assert loop.time() < 0.1
    begun = loop.time()
    for _ in range(3 * A_SECOND // 150):
        await budget.spend(*[14 * 64 * 1024] * 10)
    assert 2.99 < loop.time() - begun < 3.01
