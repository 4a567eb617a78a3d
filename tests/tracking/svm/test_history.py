"""Pages of transactions as nodes tell them: short ones, empty ones, the same again, out of order."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.domain.errors import NodeUnavailable
from rhumbline.gateways.svm import base58
from rhumbline.tracking.svm import history
from tests.tracking.conftest import kept
from tests.tracking.node import PASS, Node
from tests.tracking.svm.conftest import catch_up, chain_indexer, keep
from tests.tracking.svm.solana_orders import SolanaOrders

FINAL = 32
Change = Callable[[dict[str, object]], object]


def telling(change: Change) -> Callable[[str, list[object]], object]:
    """What a node answers whose pages are changed: its options may be, or its answer."""

    def answer(method: str, params: list[object]) -> object:
        options = params[1] if method == "getSignaturesForAddress" else None
        return change(options) if isinstance(options, dict) else PASS

    return answer


def short(options: dict[str, object]) -> object:
    limit = options["limit"]
    assert isinstance(limit, int)
    options["limit"] = min(limit, 3)
    return PASS


async def sent(solana: SolanaOrders, engine: AsyncEngine, first: int, count: int) -> list[str]:
    orders = [solana.swap(nonce) for nonce in range(first, first + count)]
    await keep(engine, *orders)
    return [await solana.send(*order.calls) for order in orders]


async def test_pages_may_be_as_short_as_a_node_likes(
    solana: SolanaOrders, store_engine: AsyncEngine, between: Node
) -> None:
    """All of twelve are found from the beginning, and all of twelve after a cursor."""
    between.answer = telling(short)
    following = chain_indexer(solana, store_engine, replace(solana.rpc, url=between.rpc.url))
    first = await sent(solana, store_engine, 0, 12)
    solana.chain.advance(FINAL)
    await catch_up(following)
    assert [record.origin_tx_hash for record in await kept(store_engine)] == first
    second = await sent(solana, store_engine, 12, 12)
    solana.chain.advance(FINAL)
    await catch_up(following)
    assert [record.origin_tx_hash for record in await kept(store_engine)] == [*first, *second]


async def test_an_empty_page_is_not_the_end_where_the_cursor_is_not(
    solana: SolanaOrders, store_engine: AsyncEngine, between: Node
) -> None:
    """After its first page the node has nothing to tell for a while: nothing is taken in, so nothing is passed over."""
    following = chain_indexer(solana, store_engine, replace(solana.rpc, url=between.rpc.url))
    [before] = await sent(solana, store_engine, 0, 1)
    solana.chain.advance(FINAL)
    await catch_up(following)
    later = await sent(solana, store_engine, 1, 7)
    solana.chain.advance(FINAL)
    between.answer = telling(lambda options: {"result": []} if "before" in options else short(options))
    for _ in range(3):
        with pytest.raises(NodeUnavailable, match="does not know a transaction"):
            await following.step()
    assert [record.origin_tx_hash for record in await kept(store_engine)] == [before]
    between.answer = telling(short)
    await catch_up(following)
    assert [record.origin_tx_hash for record in await kept(store_engine)] == [before, *later]


@pytest.mark.parametrize("trouble", ["the same again", "out of order"])
async def test_a_list_that_contradicts_itself_is_refused(
    solana: SolanaOrders, store_engine: AsyncEngine, between: Node, trouble: str
) -> None:
    all_of_it = await sent(solana, store_engine, 0, 5)
    solana.chain.advance(FINAL)
    listed = await solana.rpc.call("getSignaturesForAddress", [reference(solana), {"commitment": "confirmed"}])
    assert isinstance(listed, list)

    def the_same(options: dict[str, object]) -> object:
        options.pop("before", None)
        return short(options)

    between.answer = telling(the_same if trouble == "the same again" else lambda options: {"result": listed[::-1]})
    following = chain_indexer(solana, store_engine, replace(solana.rpc, url=between.rpc.url))
    with pytest.raises(NodeUnavailable, match="contradicts itself"):
        await catch_up(following)
    between.answer = lambda method, params: PASS
    await catch_up(following)
    assert [record.origin_tx_hash for record in await kept(store_engine)] == all_of_it


async def test_a_list_without_an_end_is_refused(
    solana: SolanaOrders, store_engine: AsyncEngine, between: Node, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every page has one more, all of the same slot, as no chain has them."""
    monkeypatch.setattr(history, "MOST_BORDERS", 20)
    made = iter(range(10_000))

    def endless(options: dict[str, object]) -> object:
        signature = base58.encode(next(made).to_bytes(64))
        return {"result": [{"signature": signature, "slot": 5, "err": None, "confirmationStatus": "finalized"}]}

    between.answer = telling(endless)
    following = chain_indexer(solana, store_engine, replace(solana.rpc, url=between.rpc.url))
    with pytest.raises(NodeUnavailable, match="has no end"):
        await catch_up(following)
    [order] = await sent(solana, store_engine, 0, 1)
    between.answer = lambda method, params: PASS
    await catch_up(following)
    assert [record.origin_tx_hash for record in await kept(store_engine)] == [order]


def reference(solana: SolanaOrders) -> str:
    return solana.swap().calls[-1].accounts[2].address
