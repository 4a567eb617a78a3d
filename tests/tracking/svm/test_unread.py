"""Transactions that a node does not show: how often they are asked for, how many there may be, when nobody asks."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.domain.errors import NodeUnavailable
from rhumbline.gateways.svm.tracking_instruction import reference_key
from rhumbline.tracking.svm.positions import read_cursor, svm_finals
from rhumbline.tracking.svm.unread import AWAITED_FOR, MOST, Unread
from tests.tracking.conftest import KEY, kept
from tests.tracking.node import PASS, Node
from tests.tracking.svm.conftest import catch_up, chain_indexer, keep
from tests.tracking.svm.solana_orders import SOLANA, STRANGER, SolanaOrders, dust

SECOND = timedelta(seconds=1)


@dataclass
class Time:
    now: datetime = datetime(2026, 11, 23, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


def test_it_is_asked_for_ever_more_seldom_and_at_least_every_four_seconds() -> None:
    time = Time()
    unread, pauses = Unread("sea", time), []
    for _ in range(6):
        unread.missed("a", 7, "not known")
        begun = time.now
        while unread.rests("a"):
            time.now += SECOND / 10
        pauses.append(round((time.now - begun) / SECOND))
    assert pauses == [1, 2, 4, 4, 4, 4]
    assert (unread.waits("a"), unread.lowest) == (True, 7)
    unread.shown("a")
    assert (unread.waits("a"), unread.lowest, unread.given_up) == (False, None, [])


def test_it_is_given_up_when_others_could_be_read_since() -> None:
    time = Time()
    unread = Unread("sea", time)
    unread.shown("before")
    unread.missed("a", 7, "not known")
    time.now += AWAITED_FOR
    unread.missed("a", 7, "not known")
    assert unread.waits("a"), "the node has shown nothing since"
    unread.shown("b")
    unread.missed("a", 7, "not known")
    assert (unread.waits("a"), unread.given_up) == (False, ["a"])


def test_what_has_vanished_with_its_block_holds_the_cursor_for_ten_minutes() -> None:
    time = Time()
    unread = Unread("sea", time)
    unread.missed("a", 7, "not known")
    time.now += AWAITED_FOR
    unread.tidy()
    lowest = [unread.lowest]
    time.now += SECOND
    unread.tidy()
    assert ([*lowest, unread.lowest], unread.given_up) == ([7, None], [])


def test_a_node_that_shows_nothing_fills_no_memory() -> None:
    unread = Unread("sea", Time())
    for number in range(MOST):
        unread.missed(str(number), number, "not known")
    with pytest.raises(NodeUnavailable, match="returns none of 1000"):
        unread.missed("one more", 5, "not known")
    unread.missed("0", 0, "not known")


async def test_one_for_which_a_node_never_answers_holds_up_nobody(
    solana: SolanaOrders, store_engine: AsyncEngine, between: Node
) -> None:
    """It is alone at first, so that nothing tells it from a node that is away."""
    order = solana.swap()
    await keep(store_engine, order)
    bad = await solana.send(dust(1), signers=(STRANGER,))
    busy = {"error": {"code": -32005, "message": "Node is behind"}}
    between.answer = lambda method, params: busy if method == "getTransaction" and params[0] == bad else PASS
    following = chain_indexer(solana, store_engine, replace(solana.rpc, url=between.rpc.url))
    with pytest.raises(NodeUnavailable, match="Node is behind"):
        await following.step()
    signature = await solana.send(*order.calls)
    await catch_up(following)
    assert [record.origin_tx_hash for record in await kept(store_engine)] == [signature]


async def test_what_lies_above_it_is_noted_as_final_all_the_same(
    solana: SolanaOrders, store_engine: AsyncEngine, between: Node
) -> None:
    order = solana.swap()
    await keep(store_engine, order)
    bad = await solana.send(dust(1), signers=(STRANGER,))
    signature = await solana.send(*order.calls)
    hidden: dict[str, object] = {"result": None}
    between.answer = lambda method, params: hidden if method == "getTransaction" and params[0] == bad else PASS
    following = chain_indexer(solana, store_engine, replace(solana.rpc, url=between.rpc.url))
    await catch_up(following)
    solana.chain.advance(32)
    between.answer = lambda method, params: hidden if method in ("getTransaction", "getSignatureStatuses") else PASS
    with pytest.raises(NodeUnavailable):
        await catch_up(following)
    async with store_engine.connect() as connection:
        noted = (await connection.execute(select(svm_finals.c.signature))).scalars().all()
        assert await read_cursor(connection, SOLANA.id, reference_key(KEY)) is None
    assert noted == [signature]
