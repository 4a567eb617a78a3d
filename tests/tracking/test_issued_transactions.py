"""What was handed out is kept once, for a while, and in bounded number."""

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.domain.errors import StoreUnavailable
from rhumbline.domain.transfer import IssuedTransaction
from rhumbline.gateways.postgres.engine import create_engine
from rhumbline.tracking.issued_transactions import KEPT_FOR, IssuedTransactions, builds
from tests.tracking.crossings import Crossing
from tests.tracking.market import Market


async def count(engine: AsyncEngine) -> int:
    async with engine.connect() as connection:
        return int((await connection.execute(select(func.count()).select_from(builds))).scalar_one())


async def test_builds_are_kept_once_and_forgotten_late(market: Market, store_engine: AsyncEngine) -> None:
    store, now = IssuedTransactions(store_engine), datetime.now(UTC)
    largest = Crossing(market).build(value=2**256 - 1, input_amount=2**256 - 1)
    await store.keep(largest)
    old = now - KEPT_FOR - timedelta(seconds=5)
    await store.keep(Crossing(market, nonce=1).build(expires_at=old))
    assert await store.forget() is False
    assert await count(store_engine) == 1


async def test_a_flood_of_quotes_does_not_fill_the_store(market: Market, store_engine: AsyncEngine) -> None:
    store, now = IssuedTransactions(store_engine, most=3), datetime.now(UTC)
    for nonce in range(8):
        expired = now - timedelta(hours=nonce + 1)
        await store.keep(Crossing(market, nonce=nonce).build(expires_at=expired))
    assert await store.forget() is False
    assert await count(store_engine) == 4, "three, and the one that says where the three begin"
    for nonce in range(8, 16):
        await store.keep(Crossing(market, nonce=nonce).build())
    await store.forget()
    assert await count(store_engine) == 8, "what can still be sent stays, however much it is"


async def test_much_is_forgotten_in_parts(
    market: Market, store_engine: AsyncEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rhumbline.tracking.issued_transactions.FORGOTTEN_AT_ONCE", 2)
    store, now = IssuedTransactions(store_engine), datetime.now(UTC)
    old = now - KEPT_FOR - timedelta(seconds=5)
    for nonce in range(5):
        await store.keep(Crossing(market, nonce=nonce).build(expires_at=old))
    assert [await store.forget() for _ in range(3)] == [True, True, False]
    assert await count(store_engine) == 0


async def test_a_store_that_is_down_is_said_to_be() -> None:
    engine = create_engine("postgresql://nobody@127.0.0.1:1/none")
    with pytest.raises(StoreUnavailable):
        await IssuedTransactions(engine).keep(_any_build())
    await engine.dispose()


def _any_build() -> IssuedTransaction:
    now = datetime.now(UTC)
    return IssuedTransaction(
        "0x00", "A", False, 1, 2, "s", "r", "", "t", 0, b"", "i", 1, 1, "o", 1, 1, None, now, now
    )  # fmt: skip
