"""Strangers name the reference key: nothing of theirs is read but whose they are, and nobody waits for them."""

from dataclasses import dataclass, field, replace
from typing import Any

from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.domain.metrics import NoMetrics
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from rhumbline.tracking.svm.indexer import SvmIndexer
from rhumbline.tracking.svm.read_budget import ReadBudget
from tests.tracking.conftest import kept, service_keys
from tests.tracking.node import PASS, Node
from tests.tracking.svm.conftest import catch_up, keep, through
from tests.tracking.svm.solana_orders import KNOWN, SOLANA, STRANGER, SolanaOrders

FINAL = 32


@dataclass
class Noted(NoMetrics):
    """Metrics that keep what was passed over."""

    passed: dict[str, int] = field(default_factory=dict)

    def passed_over(self, chain: str, why: str, count: int, /) -> None:
        if count:
            self.passed[why] = self.passed.get(why, 0) + count


def chain_indexer(solana: SolanaOrders, engine: AsyncEngine, rpc: SvmRpc, metrics: Noted) -> SvmIndexer:
    return SvmIndexer(SOLANA, rpc, engine, service_keys, solana.clock, KNOWN, metrics, ReadBudget(10**6))


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
