"""What was withdrawn, or never shown, is asked for again."""

from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.tracking.svm.unread import AWAITED_FOR
from tests.tracking.conftest import kept
from tests.tracking.node import PASS, Node
from tests.tracking.svm.conftest import catch_up, chain_indexer, keep
from tests.tracking.svm.solana_orders import SolanaOrders
from tests.tracking.svm.test_finality import NOTHING, SKIPPED, look, seen, telling
from tests.tracking.svm.test_second_look import passes


@pytest.mark.parametrize("block", ["without it", "skipped"])
async def test_what_was_withdrawn_and_comes_back_is_listed_again(
    solana: SolanaOrders, store_engine: AsyncEngine, between: Node, block: str
) -> None:
    """All of a node's answers agree, and all are wrong: it has the record removed, for as long as it is wrong."""
    following, signature, slot = await seen(solana, store_engine, between)
    [before] = await kept(store_engine)

    def wrong(method: str, params: list[object]) -> object:
        if method != "getBlock":
            return {**NOTHING, "getSignaturesForAddress": {"result": []}}.get(method, PASS)
        if block == "without it":
            return {"result": {"parentSlot": slot - 1, "signatures": ["another"]}}
        # The next block follows one from before the slot.
        return SKIPPED if params[0] == slot else {"result": {"parentSlot": slot - 2, "signatures": []}}

    between.answer = wrong
    await look(solana, following, 2)
    assert await kept(store_engine) == []
    between.answer = telling({})
    # Another process goes on, whose cursor may be where it likes.
    await look(solana, chain_indexer(solana, store_engine, replace(solana.rpc, url=between.rpc.url)), 3)
    [after] = await kept(store_engine)
    assert (after.id, after.origin_tx_hash, after.status) == (before.id, signature, before.status)
    assert (after.input, after.output, after.service_fee) == (before.input, before.output, before.service_fee)


async def test_what_nobody_shows_for_long_is_read_when_somebody_does(
    solana: SolanaOrders, store_engine: AsyncEngine, between: Node
) -> None:
    """Its block is older than ten minutes, and everything behind it has gone on."""
    old, young = solana.swap(), solana.swap(nonce=1)
    await keep(store_engine, old, young)
    unshown = await solana.send(*old.calls)
    between.answer = lambda method, params: (
        {"result": None} if method == "getTransaction" and params[0] == unshown else PASS
    )
    following = chain_indexer(solana, store_engine, replace(solana.rpc, url=between.rpc.url))
    await catch_up(following)
    passes(solana, AWAITED_FOR / 2)
    sent = await solana.send(*young.calls)
    await catch_up(following)
    assert [record.origin_tx_hash for record in await kept(store_engine)] == [sent]
    for _ in range(3):
        passes(solana, AWAITED_FOR / 2)
        await catch_up(following)
    between.answer = lambda method, params: PASS
    # Another process: the first has given it up.
    passes(solana, timedelta(hours=1))
    await catch_up(chain_indexer(solana, store_engine, replace(solana.rpc, url=between.rpc.url)))
    assert [record.origin_tx_hash for record in await kept(store_engine)] == [unshown, sent]
