"""What was said of a transfer is kept once each, and what may be forgotten changes nothing."""

from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.domain.tracking import TransferState
from rhumbline.domain.transfer import TransferStatus
from rhumbline.tracking.evidence import MOST_WORDS, superfluous
from rhumbline.tracking.resolution import Evidence, Origin, resolve
from rhumbline.tracking.store import evidence
from tests.tracking.market import Market
from tests.tracking.test_status_worker import PROOF, WORD, Hands, Scripted, one, poller, started

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.mark.parametrize("word", ["", "a\x00b", "x" * 10_000, "\ud800", " \n "])
async def test_any_word_of_a_bridge_can_be_kept(market: Market, store_engine: AsyncEngine, word: str) -> None:
    await started(market, store_engine)
    bridge = Scripted(lambda _: TransferStatus(TransferState.BRIDGE_PENDING, WORD, word))
    await poller(market, store_engine, bridge, Hands()).poll("TOYBRIDGE")
    record = await one(store_engine)
    assert (record["status"], record["status_source"]) == ("bridge_pending", "bridge_api")
    assert len(str(record["substatus"])) <= 100


async def test_ever_new_words_do_not_fill_the_store(market: Market, store_engine: AsyncEngine) -> None:
    await started(market, store_engine)
    clock, bridge = Hands(), Scripted()
    chain_indexer = poller(market, store_engine, bridge, clock)
    for percent in range(30):
        bridge.answer = lambda _: TransferStatus(TransferState.BRIDGE_PENDING, WORD, f"{len(bridge.asked)} %")
        await chain_indexer.poll("TOYBRIDGE")
        clock.move(minutes=2)
        assert (await one(store_engine))["substatus"] == f"{percent + 1} %"
    async with store_engine.connect() as connection:
        words = (await connection.execute(select(evidence.c.substatus))).scalars().all()
    assert len(words) == MOST_WORDS
    assert {"1 %", "30 %"} <= set(words)


said = st.builds(
    lambda source, state, word, first, length: Evidence(
        source, state, word, NOON + timedelta(minutes=first), NOON + timedelta(minutes=first + length)
    ),
    st.sampled_from([WORD, PROOF]), st.sampled_from([TransferState.SUCCESS, TransferState.BRIDGE_PENDING]),
    st.integers(0, 30).map(str), st.integers(0, 2000), st.integers(0, 2000),
)  # fmt: skip


@given(st.lists(said, max_size=60, unique_by=lambda item: (item.source, item.state, item.substatus)), st.integers(0))
def test_what_may_be_forgotten_changes_nothing(found: list[Evidence], minute: int) -> None:
    much = superfluous(found)
    kept = [item for item in found if item not in much]
    now = NOON + timedelta(minutes=minute % 10_000)
    for origin in Origin:
        one, other = (resolve(origin, items, started_at=NOON, now=now) for items in (found, kept))
        assert one == other
    assert max(Counter((item.source, item.state) for item in kept).values(), default=0) <= MOST_WORDS
    assert superfluous(kept) == ()
