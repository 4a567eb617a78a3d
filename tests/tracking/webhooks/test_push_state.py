"""How deliveries stand, by the store's clock."""

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.domain.webhook import PushStanding
from rhumbline.tracking.webhooks.push_state import standing, troubled
from rhumbline.tracking.webhooks.queue import DeliveryQueue
from tests.tracking.record_events.test_store import added, done
from tests.tracking.test_listing import row
from tests.tracking.webhooks.running_webhooks import webhooks


async def read(engine: AsyncEngine) -> PushStanding:
    async with engine.connect() as connection:
        return await standing(connection)


async def test_nothing_is_wrong_where_there_is_nothing(store_engine: AsyncEngine) -> None:
    assert await read(store_engine) == PushStanding(0, 0, 0, 0, 0, 0, 0, 0, 0)


async def test_what_waits_is_counted_without_endpoints_that_are_off(store_engine: AsyncEngine) -> None:
    hooks, queue = webhooks(store_engine), DeliveryQueue(store_engine)
    working, _ = await hooks.add("acme", "https://example.com/1")
    failing, _ = await hooks.add("acme", "https://example.com/2", ["transaction.final"])
    off, _ = await hooks.add("acme", "https://example.com/3")
    await done(store_engine, added(row(1)))
    assert (await read(store_engine)).unqueued == 2
    await queue.fill()
    async with store_engine.begin() as connection:
        await connection.execute(
            text("""
                UPDATE webhooks SET failing_since = clock_timestamp() - interval '1 hour',
                    off_at = CASE WHEN id = :off THEN clock_timestamp() END,
                    off_reason = CASE WHEN id = :off THEN 'it answered 410 Gone' END,
                    off_number = CASE WHEN id = :off THEN 2 END
                WHERE id IN (:off, :failing)
            """),
            {"off": off.id, "failing": failing.id},
        )
        await connection.execute(
            text("""
                UPDATE webhook_deliveries SET created_at = created_at - interval '5 minutes',
                    due_at = due_at - interval '2 minutes' WHERE webhook = :id
            """),
            {"id": failing.id},
        )
        named = await troubled(connection, 5)
    found = await read(store_engine)
    assert (found.written, found.unqueued, found.waiting) == (2, 0, 3)
    assert (found.working, found.failing, found.off) == (1, 1, 1)
    assert found.oldest_s >= 300
    # What is due to an endpoint that fails waits for that, and not for a process.
    assert found.overdue_s < found.oldest_s - 100
    assert [(each.id, each.off_reason) for each in named] == [(failing.id, None), (off.id, "it answered 410 Gone")]
    assert working.id not in {each.id for each in named}
