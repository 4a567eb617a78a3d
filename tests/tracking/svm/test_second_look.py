"""What a node leaves out of its lists, and tells of later; and what it tells of and shows later."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.tracking.svm.second_look import LOOK_EVERY, TOLD_LATE
from tests.tracking.conftest import kept
from tests.tracking.node import PASS, Node
from tests.tracking.svm.conftest import catch_up, chain_indexer, keep
from tests.tracking.svm.solana_orders import SolanaOrders

FINAL = 32


def passes(solana: SolanaOrders, time: timedelta) -> None:
    """A slot has 0.4 seconds."""
    solana.chain.advance(int(time / timedelta(seconds=0.4)) + 10)


async def listed_without(solana: SolanaOrders, reference: str, missing: str) -> Callable[[str, list[object]], object]:
    """A node in whose lists one transaction is missing."""
    whole = await solana.rpc.call("getSignaturesForAddress", [reference, {"commitment": "confirmed"}])
    assert isinstance(whole, list)
    told = [each for each in whole if each["signature"] != missing]

    def answer(method: str, params: list[object]) -> object:
        options = params[1] if method == "getSignaturesForAddress" else None
        if not isinstance(options, dict):
            return PASS
        names = [each["signature"] for each in told]
        first = names.index(options["before"]) + 1 if "before" in options else 0
        last = names.index(options["until"]) if options.get("until") in names else len(names)
        return {"result": told[first:last][: options["limit"]]}

    return answer


@pytest.mark.parametrize("restarted", [False, True])
async def test_what_a_list_left_out_is_found_when_it_is_told(
    solana: SolanaOrders, store_engine: AsyncEngine, between: Node, *, restarted: bool
) -> None:
    """The cursor has passed it, for a younger one was told as final."""
    orders = [solana.swap(nonce) for nonce in range(3)]
    await keep(store_engine, *orders)
    sent = [await solana.send(*order.calls) for order in orders]
    solana.chain.advance(FINAL)
    rpc = replace(solana.rpc, url=between.rpc.url)
    following = chain_indexer(solana, store_engine, rpc)
    between.answer = await listed_without(solana, orders[0].calls[-1].accounts[2].address, sent[1])
    await catch_up(following)
    assert [record.origin_tx_hash for record in await kept(store_engine)] == [sent[0], sent[2]]
    between.answer = lambda method, params: PASS
    await catch_up(following)
    assert len(await kept(store_engine)) == 2
    passes(solana, LOOK_EVERY)
    await catch_up(chain_indexer(solana, store_engine, rpc) if restarted else following)
    assert [record.origin_tx_hash for record in await kept(store_engine)] == sent


async def test_a_second_look_that_fails_holds_up_nothing(
    solana: SolanaOrders, store_engine: AsyncEngine, between: Node
) -> None:
    """After a restart it reads again, and the node shows nothing of that; what is new is recorded meanwhile."""
    old, young = solana.swap(), solana.swap(nonce=1)
    await keep(store_engine, old, young)
    unshown = await solana.send(*old.calls)
    solana.chain.advance(FINAL)
    rpc = replace(solana.rpc, url=between.rpc.url)
    await catch_up(chain_indexer(solana, store_engine, rpc))
    away = {"error": {"code": 429, "message": "Too many requests"}}
    between.answer = lambda method, params: away if method == "getTransaction" and params[0] == unshown else PASS
    following = chain_indexer(solana, store_engine, rpc)
    await catch_up(following)
    sent = await solana.send(*young.calls)
    await catch_up(following)
    assert [record.origin_tx_hash for record in await kept(store_engine)] == [unshown, sent]


async def test_what_was_listed_for_ten_minutes_is_not_listed_again(
    solana: SolanaOrders, store_engine: AsyncEngine, between: Node
) -> None:
    order = solana.swap()
    await keep(store_engine, order)
    signature = await solana.send(*order.calls)
    following = chain_indexer(solana, store_engine, replace(solana.rpc, url=between.rpc.url))
    passes(solana, TOLD_LATE)
    await catch_up(following)
    passes(solana, LOOK_EVERY)
    before = len(between.calls)
    await catch_up(following)
    asked = [params[1] for method, params in between.calls[before:] if method == "getSignaturesForAddress"]
    assert [each["until"] for each in asked if isinstance(each, dict)] == [signature] * 2
