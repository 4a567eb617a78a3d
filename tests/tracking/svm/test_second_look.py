"""What a node leaves out of its lists, and tells of later; and what it tells of and shows later."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.endpoint import EndpointTerms
from rhumbline.gateways.nodes.endpoints import reading
from rhumbline.gateways.nodes.svm.endpoints import svm_endpoints
from rhumbline.tracking.svm.second_look import LOOK_EVERY, TOLD_LATE
from tests.gateways.nodes.lying_node import lying_node, said
from tests.tracking.conftest import kept
from tests.tracking.evm.test_log_reader import Gaps
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
    following = chain_indexer(solana, store_engine, rpc) if restarted else following
    following.metrics = gaps = Gaps()
    await catch_up(following)
    assert [record.origin_tx_hash for record in await kept(store_engine)] == sent
    assert gaps.counts == [1]


async def test_the_look_is_at_another_endpoint(
    solana: SolanaOrders, store_engine: AsyncEngine, http: HttpClient
) -> None:
    """The first one never lists a transaction, and never shows one that it lists."""
    orders = [solana.swap(nonce) for nonce in range(3)]
    await keep(store_engine, *orders)
    sent = [await solana.send(*order.calls) for order in orders]
    solana.chain.advance(FINAL)

    def lie(call: dict[str, Any], answer: dict[str, Any]) -> dict[str, Any] | None:
        if call["method"] == "getTransaction" and call["params"][0] == sent[2]:
            return said(answer, None)
        listed = call["method"] == "getSignaturesForAddress"
        return said(answer, [each for each in answer["result"] if each["signature"] != sent[1]]) if listed else None

    async with lying_node(solana.rpc.url) as first, lying_node(solana.rpc.url) as second:
        given = [(first.url, EndpointTerms("1", 1)), (second.url, EndpointTerms("2", 2))]
        following = chain_indexer(solana, store_engine, svm_endpoints("sbxs", None, given, http))
        first.lie = lie
        with reading():
            await following.step()
        assert [record.origin_tx_hash for record in await kept(store_engine)] == [sent[0], sent[2]]
        for _ in range(3):
            passes(solana, LOOK_EVERY)
            with reading():
                await catch_up(following)
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
