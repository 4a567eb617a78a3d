"""What waits in the store is counted, whoever's it is."""

from collections.abc import Mapping

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.domain.tracking import TransferTerms
from rhumbline.tracking.waiting_counts import waiting_transfers
from rhumbline.tracking.webhooks.push_state import standing
from tests.tracking.record_events.test_store import transfer
from tests.tracking.test_listing import fill, row

_WEBHOOK = text("""
    INSERT INTO webhooks (id, integrator, url, types, secret, off_at)
    VALUES (:id, :id, 'https://receiver.example', '{}', '', CASE WHEN :off THEN now() END)
""")
_DELIVERY = text("""
    INSERT INTO webhook_deliveries (webhook, type, subject, due_at, attempts)
    VALUES (:webhook, 'x', 'x', CASE WHEN :due THEN now() END, :attempts)
""")


async def fill_deliveries(engine: AsyncEngine) -> None:
    """Three that were not tried, one that failed; others are over, or of an endpoint that is switched off."""
    async with engine.begin() as connection:
        for webhook, off in (("wh_1", False), ("wh_2", False), ("wh_off", True)):
            await connection.execute(_WEBHOOK, {"id": webhook, "off": off})
        for webhook, due, attempts in (
            ("wh_1", True, 0),
            ("wh_1", True, 0),
            ("wh_2", True, 0),
            ("wh_2", True, 4),
            ("wh_1", False, 1),
            ("wh_off", True, 0),
            ("wh_off", True, 3),
        ):
            await connection.execute(_DELIVERY, {"webhook": webhook, "due": due, "attempts": attempts})


async def fill_transfers(engine: AsyncEngine, *bridges: str) -> None:
    """One of each of these bridges that has not ended, and of the first one more that has."""
    terms = TransferTerms("ACROSS", "r", "s", 1, "o", 1, None)
    left = [
        transfer(number, integrator=f"of {number}", protocol=name, terms=terms) for number, name in enumerate(bridges)
    ]
    await fill(engine, *left, row(99, protocol=bridges[0], terms=terms))


async def counted(engine: AsyncEngine) -> tuple[Mapping[str, int], int, int]:
    async with engine.connect() as connection:
        found = await standing(connection)
        return await waiting_transfers(connection), found.waiting, found.retrying


async def test_it_is_counted_by_bridge_and_for_all_endpoints_together(store_engine: AsyncEngine) -> None:
    assert await counted(store_engine) == ({}, 0, 0)
    await fill_deliveries(store_engine)
    await fill_transfers(store_engine, "ACROSS", "RELAY", "ACROSS")
    assert await counted(store_engine) == ({"ACROSS": 2, "RELAY": 1}, 4, 1)
