"""Records under a node that errs in every way that was seen, and under kills: none is lost, none is there twice.

`SOLANA_RECORDS=300 SOLANA_KILLS=5` tracks so many instead of a few; `RANDOM_SEED` errs otherwise. A kill ends tracking
in the middle of whatever it does, and all that it remembers is gone.
"""

import asyncio
import os
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from random import Random

import structlog
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.domain.errors import NodeRefused, NodeUnavailable
from rhumbline.domain.svm import SvmInstruction
from rhumbline.domain.tracking import TransferState
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.svm.instructions import SystemTransfer
from rhumbline.tracking.svm.finality import PATIENCE
from rhumbline.tracking.svm.indexer import SvmIndexer
from rhumbline.tracking.svm.unread import AWAITED_FOR
from tests.tracking.conftest import kept
from tests.tracking.svm.conftest import chain_indexer, keep
from tests.tracking.svm.hostile_node import running_hostile_node
from tests.tracking.svm.solana_orders import SENDER, STRANGER, SolanaOrders, budget

RECORDS = int(os.environ.get("SOLANA_RECORDS", "12"))
KILLS = int(os.environ.get("SOLANA_KILLS", "2"))
SEED = os.environ.get("RANDOM_SEED", "rhumbline")
ERRS = 0.25
STEPS = 3
"""Looks for each record, about: a step a second, and a record every three."""
WAYS = (
    "statuses that are null", "short pages", "pages with holes", "transactions that are null", "half an answer",
    "late answers", "answers of before",
)  # fmt: skip
"""All of which must have been met where many records are tracked."""
_log = structlog.stdlib.get_logger(__name__)
_SLOT = timedelta(seconds=0.4)


async def test_no_record_is_lost_and_none_is_there_twice(
    solana: SolanaOrders, store_engine: AsyncEngine, http: HttpClient
) -> None:
    chance = Random(SEED)
    killed_at = set(chance.sample(range(RECORDS), KILLS))
    async with running_hostile_node(solana.rpc.url, http, chance, ERRS) as node:
        rpc = replace(solana.rpc, url=node.url, timeout_s=0.3)
        following, sent = chain_indexer(solana, store_engine, rpc), list[str]()
        for number in range(RECORDS):
            order = solana.swap(number)
            await keep(store_engine, order)
            sent.append(await solana.send(*with_additions(order.calls, chance)))
            solana.chain.advance(chance.choice((0, 2, 40, PATIENCE)))
            if number in killed_at:
                await killed(following, chance)
                following = chain_indexer(solana, store_engine, rpc)
            for _ in range(STEPS):
                await step(following)
        if RECORDS >= 100:
            # It goes on to err for half an hour.
            await settle(solana, following, timedelta(minutes=30))
        erred = Counter(node.erred)
        node.share = 0.0
        # It was right from now on, and what was withdrawn or not shown is asked for ever more seldom.
        await settle(solana, following, AWAITED_FOR)
        await settle(solana, following, timedelta(hours=3))
    found = await kept(store_engine)
    lost, doubled = set(sent) - {each.origin_tx_hash for each in found}, len(found) - len({each.id for each in found})
    _log.info("campaign", sent=len(sent), recorded=len(found), lost=len(lost), doubled=doubled, **erred)
    assert not lost
    assert sorted(each.origin_tx_hash for each in found) == sorted(sent)
    assert {each.status for each in found} == {TransferState.SUCCESS}
    assert RECORDS < 100 or min(erred[way] for way in WAYS) > 10


def with_additions(calls: tuple[SvmInstruction, ...], chance: Random) -> tuple[SvmInstruction, ...]:
    tip = SystemTransfer(SENDER, str(STRANGER.pubkey()), chance.randint(1, 10_000_000)).encode()
    return (*budget(), *calls, tip) if chance.random() < 0.3 else calls


async def step(following: SvmIndexer) -> bool:
    """One look, as the tracker takes it: what fails is tried again."""
    try:
        return await following.step()
    except (NodeRefused, NodeUnavailable):
        return True


async def killed(following: SvmIndexer, chance: Random) -> None:
    working = asyncio.create_task(following.step())
    await asyncio.sleep(chance.random() * 0.02)
    working.cancel()
    with suppress(asyncio.CancelledError, NodeRefused, NodeUnavailable):
        await working


async def settle(solana: SolanaOrders, following: SvmIndexer, time: timedelta) -> None:
    """Let time go by, and have tracking look all the while."""
    for _ in range(10):
        solana.chain.advance(int(time / 10 / _SLOT))
        for _ in range(30):
            if not await step(following):
                break
