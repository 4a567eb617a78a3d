"""The service's streams of events, of a real store, as the client tells them."""

from dataclasses import replace

from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.domain.tracking import TransferState
from rhumbline_client import AsyncRhumbline
from tests.api.record_streams import running_streams
from tests.tracking.record_events.test_store import added, changed, done, transfer
from tests.tracking.test_listing import row


async def test_records_are_told_and_gone_on_with_and_one_is_followed(store_engine: AsyncEngine) -> None:
    async with running_streams(store_engine) as streams, AsyncRhumbline(streams.url, "rl_live_acme") as client:
        stream = client.transactions.stream()
        assert (await anext(stream)).type == "ready"
        begun = transfer(1)
        await done(store_engine, added(begun))
        seen = await anext(stream)
        assert (seen.type, seen.transaction and seen.transaction.id) == ("transaction.seen", begun.id)
        await stream.aclose()
        assert begun.transaction_id is not None
        changes = client.follow(begun.transaction_id, within=300)
        assert (await anext(changes)).status.status == "bridge_pending"
        over = replace(begun, status=TransferState.REFUNDED, next_bridge_check_at=None)
        await done(store_engine, changed(begun, over), added(row(2)))
        final = await anext(changes)
        assert (final.type, final.status.status, final.is_final) == ("transaction.final", "refunded", True)
        assert [each async for each in changes] == []
        again = client.transactions.stream(seen.id)
        told = [await anext(again) for _ in range(4)]
        await again.aclose()
        assert [each.type for each in told] == [
            "ready",
            *["transaction.final", "transaction.seen", "transaction.final"],
        ]
        numbers = [each.number or 0 for each in told[1:]]
        assert numbers == sorted(set(numbers))
        assert numbers[0] > (seen.number or 0)
