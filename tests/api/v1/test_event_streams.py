"""Streams of events over real sockets and a real store: who is told what, where it goes on, and what is refused."""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import replace

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.api.http import event_stream
from rhumbline.api.v1 import event_streams
from rhumbline.domain.tracking import RecordAmount, TransferState
from rhumbline.tracking.evm.positions import withdraw
from rhumbline.tracking.record_events.event_id import seal_event_id
from rhumbline.tracking.record_events.feed import MOST_WAITING, PAGE
from rhumbline.tracking.record_events.store import forget
from tests.api.record_streams import KEYS, RECORDS, Streams, running_streams
from tests.patience import until as until_true
from tests.tracking.record_events.test_store import added, changed, done, insisted, transfer
from tests.tracking.test_listing import hash_of, row
from tests.tracking.webhooks.running_webhooks import drop_connections

TYPES = ["transaction.seen", "transaction.final"]


@pytest.fixture
async def streams(store_engine: AsyncEngine) -> AsyncIterator[Streams]:
    async with running_streams(store_engine) as running:
        yield running


async def until(holds: Callable[[], bool]) -> None:
    async def check() -> bool:
        return holds()

    await until_true(check)


def one(number: int) -> str:
    return f"/v1/status/{hash_of(number + 10**6)}/stream"


async def test_each_change_is_told_with_the_record_as_its_answer_shows_it(
    streams: Streams, store_engine: AsyncEngine
) -> None:
    async with streams.read() as reader:
        assert reader.response.headers["content-type"] == "text/event-stream; charset=utf-8"
        assert reader.response.headers["cache-control"] == "no-store"
        assert (await reader.next()) == ("ready", reader.last, {})
        begun = transfer(1, input=RecordAmount("0x" + "11" * 20, 2**200, "T", 6))
        await done(store_engine, added(begun, row(2, integrator="other")))
        name, _, seen = (await reader.several(1))[0]
        shown = await streams.json(f"/v1/transactions/{begun.transaction_id}")
        assert (name, seen["type"], seen["data"]) == ("transaction.seen", "transaction.seen", shown)
        over = replace(begun, status=TransferState.REFUNDED, next_bridge_check_at=None)
        await done(store_engine, changed(begun, over))
        name, _, final = (await reader.several(1))[0]
        assert (name, final["number"] > seen["number"]) == ("transaction.final", True)
        assert final["data"] == await streams.json(f"/v1/transactions/{begun.transaction_id}")
        await done(store_engine, lambda connection: withdraw(connection, 1, above=0))
        name, _, gone = (await reader.several(1))[0]
        assert (name, gone["data"]) == ("transaction.withdrawn", final["data"])


async def test_who_comes_back_misses_nothing(streams: Streams, store_engine: AsyncEngine) -> None:
    """More than a page, while others are told as well."""
    async with streams.read() as reader:
        await reader.next()
        await done(store_engine, added(row(0)))
        assert [name for name, _, _ in await reader.several(1)] == TYPES[:1]
        last = reader.last
    count = PAGE + MOST_WAITING
    await done(store_engine, added(*(row(n, integrator=("acme", "other")[n % 2]) for n in range(1, 2 * count + 1))))
    async with streams.read(last=last) as reader:
        await reader.next()
        await done(store_engine, added(row(10**6)))
        found = await reader.several(1 + 2 * count + 2)
    expected = [row(n).id for n in range(2, 2 * count + 1, 2) for _ in range(2)]
    assert [data["data"]["id"] for _, _, data in found] == [row(0).id, *expected, *[row(10**6).id] * 2]
    numbers = [data["number"] for _, _, data in found]
    assert numbers == sorted(set(numbers))


async def test_who_is_slower_than_the_queue_misses_nothing(streams: Streams, store_engine: AsyncEngine) -> None:
    async with streams.read() as reader:
        await reader.next()
        count = 3 * MOST_WAITING
        for start in range(0, count, MOST_WAITING):
            await done(store_engine, added(*(row(n) for n in range(start, start + MOST_WAITING))))
        found = await reader.several(2 * count)
    assert [data["data"]["id"] for _, _, data in found] == [row(n).id for n in range(count) for _ in range(2)]


@pytest.mark.parametrize(
    "last",
    [
        "1",
        "x" * 200,
        seal_event_id(b"f" * 32, "acme", 0),
        seal_event_id(KEYS[0], "other", 0),
        seal_event_id(KEYS[0], "acme", 0) + "\t!",
    ],
    ids=["a number", "anything", "forged", "somebody else's", "with more behind it"],
)
async def test_an_id_that_was_not_given_out_is_refused(streams: Streams, last: str) -> None:
    async with streams.read(last=last) as reader:
        assert reader.response.status == 400
        assert "Last-Event-ID" in (await reader.response.json())["message"]
    assert streams.places.open == streams.feed.subscribers == 0


async def test_an_id_under_a_former_key_goes_on(streams: Streams, store_engine: AsyncEngine) -> None:
    await done(store_engine, added(row(1)))
    async with streams.read(last=seal_event_id(KEYS[1], "acme", 1)) as reader:
        assert [name for name, _, _ in await reader.several(2)] == ["ready", "transaction.final"]


@pytest.mark.parametrize("last", [1, 10**6], ids=["older than what is kept", "of a store that was put back"])
async def test_a_gap_is_told(streams: Streams, store_engine: AsyncEngine, last: int) -> None:
    await done(store_engine, added(row(1), row(2)))
    async with store_engine.begin() as connection:
        await connection.execute(text("UPDATE events SET at = at - interval '8 days' WHERE number < 4"))
    await forget(store_engine)
    async with streams.read(last=seal_event_id(KEYS[0], "acme", last)) as reader:
        assert [name for name, _, _ in await reader.several(2)] == ["ready", "gap"]
        await done(store_engine, added(row(3)))
        kept = [row(2).id] if last == 1 else []
        found = await reader.several(len(kept) + 2)
        assert [data["data"]["id"] for _, _, data in found] == [*kept, row(3).id, row(3).id]


@pytest.mark.parametrize(("key", "status"), [(None, 401), ("rl_live_x", 401)])
async def test_a_key_is_needed(streams: Streams, key: str | None, status: int) -> None:
    async with streams.read(key=key) as reader:
        assert reader.response.status == status


async def test_a_revoked_key_ends_its_streams(streams: Streams, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_streams, "HEARTBEAT_S", 0.05)
    async with streams.read() as reader:
        await reader.next()
        streams.owners.revoked.add("rl_live_acme")
        assert await reader.next() is None


async def test_a_quiet_stream_has_heartbeats(streams: Streams, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_streams, "HEARTBEAT_S", 0.05)
    for path in (RECORDS, one(1)):
        async with streams.read(path) as reader:
            assert await reader.response.content.readuntil(event_stream.HEARTBEAT)


async def test_who_goes_leaves_nothing(streams: Streams) -> None:
    for _ in range(3):
        async with streams.read() as reader, streams.read(one(1), None) as other:
            await reader.next()
            assert other.response.status == 200
            assert streams.places.open == 2
        await until(lambda: streams.places.open == streams.feed.subscribers == 0)


async def test_a_head_has_no_events(streams: Streams) -> None:
    async with streams.session.head(streams.url + RECORDS, headers={"x-api-key": "rl_live_acme"}) as response:
        assert (response.status, response.content_type) == (200, "text/event-stream")
    await until(lambda: streams.places.open == 0)


async def test_streams_are_bounded_by_integrator_and_in_all(
    streams: Streams, store_engine: AsyncEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(event_streams, "MOST_OF_INTEGRATOR", 1)
    async with streams.read() as first, streams.read() as second, streams.read(key="rl_live_other") as third:
        assert [each.response.status for each in (first, second, third)] == [200, 429, 200]
    async with (
        running_streams(store_engine, most=1) as others,
        others.read(one(1), None) as first,
        others.read(one(2), None) as second,
    ):
        assert [each.response.status for each in (first, second)] == [200, 503]


async def test_one_transaction_is_waited_for_and_ends_with_its_end(streams: Streams, store_engine: AsyncEngine) -> None:
    begun = transfer(1, integrator=None)
    async with streams.read(one(1), None) as reader:
        await reader.response.content.readuntil(b"\n\n")
        await done(store_engine, added(row(2), begun))
        name, _, data = (await reader.several(1))[0]
        status = f"/v1/status/{begun.transaction_id}"
        assert (name, data["data"]) == ("transaction.seen", await streams.json(status))
        delivered = replace(begun, status=TransferState.SUCCESS, output=RecordAmount("t", 7))
        await done(store_engine, changed(begun, delivered))
        assert [name for name, _, _ in await reader.several(1)] == ["transaction.status"]
        await done(store_engine, changed(delivered, replace(delivered, next_bridge_check_at=None)))
        name, last, data = (await reader.several(1))[0]
        assert (name, last, data["data"]) == ("transaction.final", "end", await streams.json(status))
        assert await reader.next() is None
    async with streams.read(one(1), None) as again:
        assert [name for name, _, _ in await again.several(1)] == ["transaction.final"]
        assert await again.next() is None
    async with streams.read(one(1), None, last="end") as finished:
        assert finished.response.status == 204


async def test_one_transaction_that_a_reorganisation_removes_is_waited_for_again(
    streams: Streams, store_engine: AsyncEngine
) -> None:
    begun = transfer(1)
    await done(store_engine, added(begun))
    async with streams.read(one(1), None) as reader:
        assert [name for name, _, _ in await reader.several(1)] == ["transaction.status"]
        await done(store_engine, lambda connection: withdraw(connection, 1, above=0))
        assert [name for name, _, _ in await reader.several(1)] == ["transaction.withdrawn"]
        await done(store_engine, added(row(1)))
        assert (await reader.several(9))[-1][:2] == ("transaction.final", "end")
        assert await reader.next() is None


@pytest.mark.parametrize("identifier", ["0x12", "x" * 66, hash_of(1)[:-1] + "g"])
async def test_what_is_no_id_is_not_waited_for(streams: Streams, identifier: str) -> None:
    async with streams.read(f"/v1/status/{identifier}/stream", None) as reader:
        assert reader.response.status == 404


async def test_streams_end_with_their_service(streams: Streams) -> None:
    """As when its settings are replaced: whoever reads comes back to the next one."""
    async with streams.read() as reader, streams.read(one(1), None) as other:
        await reader.next()
        streams.stop.set()
        assert await reader.next() is None
        assert await other.next() is None


async def test_a_reader_that_never_reads_costs_no_more_than_its_buffers(
    streams: Streams, store_engine: AsyncEngine
) -> None:
    """Its connection's buffer fills, its queue overflows, and others are told meanwhile."""
    reader, writer = await asyncio.open_connection("127.0.0.1", int(streams.url.rpartition(":")[2]), limit=1)
    writer.write(f"GET {RECORDS} HTTP/1.1\r\nhost: a\r\nx-api-key: rl_live_acme\r\n\r\n".encode())
    await until(lambda: streams.feed.subscribers == 1)
    (stuck,) = streams.feed._by_integrator["acme"]
    async with streams.read() as other:
        await other.next()
        number = 0
        # What the kernel takes for it is bounded, too.
        while not stuck.behind:
            big = [row(number + n, raw_bridge_status={"x": "y" * 100_000}) for n in range(20)]
            number += 20
            await done(store_engine, added(*big))
            found = await other.several(40)
            assert [data["data"]["id"] for _, _, data in found] == [each.id for each in big for _ in range(2)]
            assert len(stuck._waiting) <= MOST_WAITING
    writer.close()
    assert not reader.at_eof()


def working() -> int:
    """Count tasks but those that only wait for a bell: there are more of these while a loop rests."""
    return sum(getattr(task.get_coro(), "__qualname__", "") != "Event.wait" for task in asyncio.all_tasks())


async def test_a_thousand_that_come_and_go_leave_nothing(streams: Streams, store_engine: AsyncEngine) -> None:
    """Fifty at a time, gone without a word; one who stays is told all the same."""
    host, port = "127.0.0.1", int(streams.url.rpartition(":")[2])

    async def come_and_go(number: int) -> None:
        path = RECORDS if number % 2 else one(number)
        reader, writer = await asyncio.open_connection(host, port)
        writer.write(f"GET {path} HTTP/1.1\r\nhost: a\r\nx-api-key: rl_live_other\r\n\r\n".encode())
        assert await reader.readuntil(b"\r\n") in (b"HTTP/1.1 200 OK\r\n", b"HTTP/1.1 429 Too Many Requests\r\n")
        writer.transport.abort()

    async with streams.read() as stays:
        await stays.next()
        before = working()
        for start in range(0, 1000, 50):
            await asyncio.gather(*(come_and_go(number) for number in range(start, start + 50)))
        await until(lambda: streams.places.open == streams.feed.subscribers == 1)
        await until(lambda: working() <= before)
        await done(store_engine, added(row(1)))
        assert [name for name, _, _ in await stays.several(2)] == TYPES
    assert not streams.feed._by_subject


async def test_who_reads_while_the_store_is_gone_misses_nothing(streams: Streams, store_engine: AsyncEngine) -> None:
    """The stream goes on or ends; whoever comes back with its last ID has every event once."""
    told: list[str] = []
    last: str | None = None
    written = 0
    while len(told) < 6:
        async with streams.read(last=last) as reader:
            await reader.next()
            if written < 3:
                await drop_connections(store_engine)
                await insisted(store_engine, added(row(written)))
                written += 1
            while len(told) < 2 * written and (event := await reader.next()) is not None:
                told.append(f"{event[2]['data']['id']} {event[0]}")
            last = reader.last
    assert told == [f"{row(n).id} {kind}" for n in range(3) for kind in TYPES]
