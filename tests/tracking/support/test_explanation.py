"""What support reads of a transaction, by whichever of its names."""

from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import insert, text
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.domain.errors import InvalidRequest, NotFound
from rhumbline.domain.tracking import StatusSource, TransferState
from rhumbline.domain.webhook import TYPES
from rhumbline.tracking.issued_transactions import IssuedTransactions
from rhumbline.tracking.store import evidence
from rhumbline.tracking.support.explanation import events_of, evidence_in_order, records_of
from rhumbline.tracking.webhooks.queue import DeliveryQueue
from tests.tracking.crossings import Crossing
from tests.tracking.market import Market
from tests.tracking.record_events.test_store import added, changed, done, transfer
from tests.tracking.test_listing import NOON, SVM_SIGNATURE, hash_of, row
from tests.tracking.webhooks.running_webhooks import webhooks


async def test_a_record_is_found_by_each_of_its_names(store_engine: AsyncEngine) -> None:
    arrived = row(1, id="0" * 8 + "-0000-0000-0000-" + "0" * 12, destination_tx_hash=SVM_SIGNATURE)
    again = row(2, transaction_id=arrived.transaction_id, use=2, integrator=None)
    await done(store_engine, added(arrived, again, row(3)))
    async with store_engine.connect() as connection:
        for key in (
            arrived.id,
            arrived.origin_tx_hash,
            arrived.origin_tx_hash.upper().replace("X", "x"),
            SVM_SIGNATURE,
        ):
            assert await records_of(connection, key) == [arrived]
        # An ID that was sent twice, and whoever's it is.
        both = await records_of(connection, str(arrived.transaction_id))
        assert [each.id for each in both] == [arrived.id, again.id]
        with pytest.raises(NotFound, match="rhumbline rescan"):
            await records_of(connection, hash_of(77))
        for text_ in ("", "0x12", "acme", hash_of(1) + "0", "%", SVM_SIGNATURE.replace("5", "0")):
            with pytest.raises(InvalidRequest, match="id: must be a transaction ID"):
                await records_of(connection, text_)


async def test_what_was_issued_and_not_seen_is_told(market: Market, store_engine: AsyncEngine) -> None:
    issued = Crossing(market).build()
    await IssuedTransactions(store_engine).keep(issued)
    async with store_engine.connect() as connection:
        with pytest.raises(NotFound, match=f"for TOYBRIDGE on chain {market.chain.id}, .*--chain {market.chain.id}"):
            await records_of(connection, issued.transaction_id)


async def test_evidence_comes_in_the_order_in_which_it_was_given(store_engine: AsyncEngine) -> None:
    await done(store_engine, added(transfer(1), transfer(2)))
    said = [
        (StatusSource.BRIDGE_API, TransferState.UNKNOWN, ""),
        (StatusSource.BRIDGE_API, TransferState.BRIDGE_PENDING, "waiting"),
        (StatusSource.ANALYTICS, TransferState.SUCCESS, "filled"),
    ]
    async with store_engine.begin() as connection:
        for number in (2, 0, 1):
            source, state, word = said[number]
            at = NOON + timedelta(seconds=number)
            given = {"source": source, "state": state, "substatus": word, "answer": {"number": number}}
            times = {"first_at": at, "last_at": at + timedelta(hours=1)}
            await connection.execute(insert(evidence).values(record_id=transfer(1).id, **given, **times))
        found = await evidence_in_order(connection, transfer(1).id)
        assert await evidence_in_order(connection, transfer(2).id) == []
    assert [(each.said.source, each.said.state, each.said.substatus or "") for each in found] == said
    assert [each.answer for each in found] == [{"number": number} for number in range(3)]


async def test_events_come_in_order_with_their_deliveries(store_engine: AsyncEngine) -> None:
    hooks, queue = webhooks(store_engine), DeliveryQueue(store_engine)
    all_of_it, _ = await hooks.add("acme", "https://example.com/secret-path", TYPES)
    final, _ = await hooks.add("acme", "https://example.com/2", ["transaction.final"])
    await hooks.add("other", "https://example.com/3", TYPES)
    begun = transfer(1)
    await done(store_engine, added(begun, row(2), row(3, integrator="other")))
    await done(store_engine, changed(begun, replace(begun, next_bridge_check_at=None)))
    await queue.fill()
    async with store_engine.begin() as connection:
        (first,) = (
            await connection.execute(
                text("SELECT id FROM webhook_deliveries WHERE webhook = :id ORDER BY id LIMIT 1"), {"id": all_of_it.id}
            )
        ).scalars()
    await hooks.send_again("acme", all_of_it.id, first)
    async with store_engine.connect() as connection:
        found = await events_of(connection, await records_of(connection, str(begun.transaction_id)))
    assert [each.kind for each in found] == ["seen", "final"]
    assert [[(made.webhook, made.state) for made in each.deliveries] for each in found] == [
        [(all_of_it.id, "pending")] * 2,
        [(all_of_it.id, "pending"), (final.id, "pending")],
    ]
    assert not any("secret" in repr(each) for each in found)
