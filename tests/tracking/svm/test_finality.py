"""When a record is withdrawn: one wrong answer of a node is not enough, and what comes back is listed again."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.tracking.svm.finality import PATIENCE, STANDS_AFTER
from rhumbline.tracking.svm.indexer import SvmIndexer
from tests.tracking.conftest import kept
from tests.tracking.node import PASS, Node
from tests.tracking.svm.conftest import catch_up, chain_indexer, keep
from tests.tracking.svm.solana_orders import SolanaOrders

FINAL = 32
NOTHING = {
    "getSignatureStatuses": {"result": {"context": {"slot": 1}, "value": [None]}},
    "getTransaction": {"result": None},
}
SKIPPED = {"error": {"code": -32007, "message": "Slot was skipped, or missing due to ledger jump to recent snapshot"}}


def telling(answers: dict[str, object]) -> Callable[[str, list[object]], object]:
    return lambda method, params: answers.get(method, PASS)


async def seen(solana: SolanaOrders, engine: AsyncEngine, node: Node) -> tuple[SvmIndexer, str, int]:
    """A record that was listed as confirmed and is long in a final block, of which nobody has made sure yet."""
    order = solana.swap()
    await keep(engine, order)
    signature = await solana.send(*order.calls)
    following = chain_indexer(solana, engine, replace(solana.rpc, url=node.rpc.url))
    await catch_up(following)
    [record] = await kept(engine)
    solana.chain.advance(PATIENCE + FINAL)
    return following, signature, record.origin_block_number


async def look(solana: SolanaOrders, following: SvmIndexer, times: int = 1) -> None:
    for _ in range(times):
        # Thirty seconds, after which it is looked at again.
        solana.chain.advance(80)
        await catch_up(following)


@pytest.mark.parametrize("wrong", ["status", "status and transaction", "status and block"])
async def test_one_kind_of_wrong_answer_withdraws_nothing(
    solana: SolanaOrders, store_engine: AsyncEngine, between: Node, wrong: str
) -> None:
    following, signature, slot = await seen(solana, store_engine, between)
    unlisted: dict[str, object] = {"getSignaturesForAddress": {"result": []}}
    answers = {
        "status": {"getSignatureStatuses": NOTHING["getSignatureStatuses"]},
        "status and transaction": NOTHING,
        "status and block": {
            "getSignatureStatuses": NOTHING["getSignatureStatuses"],
            "getBlock": {"result": {"parentSlot": slot - 1, "signatures": []}},
        },
    }[wrong]
    between.answer = telling({**unlisted, **answers})
    await look(solana, following, 3)
    blocks = [method for method, _ in between.calls].count("getBlock")
    await catch_up(following)
    # A doubt costs nothing more for half a minute.
    assert [method for method, _ in between.calls].count("getBlock") == blocks <= 3
    assert [record.origin_tx_hash for record in await kept(store_engine)] == [signature]
    between.answer = telling({})
    await look(solana, following)
    before = len(between.calls)
    await look(solana, following)
    # It is settled now.
    assert "getSignatureStatuses" not in [method for method, _ in between.calls[before:]]
    assert len(await kept(store_engine)) == 1


async def test_what_was_told_as_final_is_never_withdrawn(
    solana: SolanaOrders, store_engine: AsyncEngine, between: Node
) -> None:
    following, signature, slot = await seen(solana, store_engine, between)
    empty = {"getBlock": {"result": {"parentSlot": slot - 1, "signatures": []}}}
    between.answer = telling({**NOTHING, **empty})
    # The listing still says that it is final.
    await look(solana, following, 2)
    between.answer = telling({**NOTHING, **empty, "getSignaturesForAddress": {"result": []}})
    await look(solana, chain_indexer(solana, store_engine, replace(solana.rpc, url=between.rpc.url)), 2)
    assert [record.origin_tx_hash for record in await kept(store_engine)] == [signature]


async def test_a_skipped_slot_alone_proves_nothing(
    solana: SolanaOrders, store_engine: AsyncEngine, between: Node
) -> None:
    """Nodes say so of what they have lost, too: the next block must follow one from before it."""
    following, signature, _ = await seen(solana, store_engine, between)
    between.answer = lambda method, params: (
        SKIPPED
        if method == "getBlock" and params[0] == slot_of(params, between)
        else {**NOTHING, "getSignaturesForAddress": {"result": []}}.get(method, PASS)
    )
    await look(solana, following, 2)
    assert [record.origin_tx_hash for record in await kept(store_engine)] == [signature]


def slot_of(params: list[object], node: Node) -> object:
    """The slot of the first block that was asked for."""
    return next(asked[0] for method, asked in node.calls if method == "getBlock")


async def test_what_nothing_shows_to_have_vanished_stays_and_holds_up_nothing(
    solana: SolanaOrders, store_engine: AsyncEngine, between: Node
) -> None:
    following, signature, _ = await seen(solana, store_engine, between)
    unwilling = {"error": {"code": -32601, "message": "Method not found"}}
    between.answer = telling({**NOTHING, "getSignaturesForAddress": {"result": []}, "getBlock": unwilling})
    await look(solana, following)
    solana.chain.advance(STANDS_AFTER)
    await catch_up(following)
    before = len(between.calls)
    await look(solana, following)
    assert "getSignatureStatuses" not in [method for method, _ in between.calls[before:]]
    assert [record.origin_tx_hash for record in await kept(store_engine)] == [signature]
