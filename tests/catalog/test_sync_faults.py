"""What nobody foresaw: one list, one copy or the store can be wrong in any way, and syncing goes on."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine
from structlog.testing import capture_logs

from rhumbline.catalog.store import stored_lists
from rhumbline.catalog.token_sync import Outcome
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.http.list_download import DocumentUnavailable, fetch_document
from tests.catalog.conftest import FAKE, OTHER, ListHost, entry, list_host, token_list
from tests.catalog.test_token_sync import ApiService, Start, start
from tests.clocks import Clock
from tests.loopback import talking

__all__ = ["start"]


@asynccontextmanager
async def running(api_service: ApiService) -> AsyncIterator[None]:
    """Sync in the background; it is an error if that has ended when the context ends."""
    task = asyncio.create_task(api_service.sync.run())
    try:
        yield
        assert not task.done()
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


@asynccontextmanager
async def tagging_host(tag: bytes, body: bytes) -> AsyncIterator[str]:
    """A host that writes an ETag byte for byte, which no server library would."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            await reader.readuntil(b"\r\n\r\n")
            head = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n"
            writer.write(head + b"etag: %b\r\ncontent-length: %d\r\n\r\n%b" % (tag, len(body), body))
            await writer.drain()
        writer.close()

    async with talking(answer) as port:
        yield f"http://127.0.0.1:{port}/list.json"


@pytest.mark.parametrize("time", ["9999-12-31T23:59:59-12:00", "0001-01-01T00:00:00+12:00"])
async def test_a_time_beyond_the_calendar_ends_nothing(start: Start, host: ListHost, time: str) -> None:
    """In UTC there is no such year; the list is refused, and the next one in the row is had."""
    async with list_host() as second:
        host.serves(token_list(entry(FAKE, "BAD"), timestamp=time))
        second.serves(token_list(entry(OTHER, "DAI")))
        api_service = start(host.url, second.url)
        async with running(api_service):
            await api_service.lists("DAI")
        assert api_service.symbols() == ["ETH", "USDC", "DAI"]
        report = (await start(host.url).sync.sync()).lists[0]
        assert report.outcome is Outcome.MISSING
        assert "is no token list: timestamp" in (report.fault or "")


@pytest.mark.parametrize("tag", [b'"\xff\xfe"', '"é"'.encode(), b'W/"\xe9"'])
async def test_a_tag_that_cannot_be_sent_back_is_none(http: HttpClient, tag: bytes) -> None:
    async with tagging_host(tag, b"{}") as url:
        document = await fetch_document(http, url)
        # One that was kept by mistake does not keep the list from being asked for.
        again = await fetch_document(http, url, etag=tag.decode("latin-1"))
    assert document is not None
    assert document == again
    assert (document.body, document.etag) == (b"{}", None)


@pytest.mark.parametrize("tag", [b'"\x1b"', b'"\x7f"'])
async def test_an_answer_with_a_control_character_in_its_head_is_none(http: HttpClient, tag: bytes) -> None:
    async with tagging_host(tag, b"{}") as url:
        with pytest.raises(DocumentUnavailable, match="does not speak HTTP as it should"):
            await fetch_document(http, url)


async def test_a_list_with_such_a_tag_is_kept_without_it(
    start: Start, host: ListHost, store_engine: AsyncEngine
) -> None:
    host.serves(token_list(entry(OTHER, "DAI")))
    async with tagging_host(b'"\xff\xfe"', host.body) as url:
        api_service = start(url)
        async with running(api_service):
            await api_service.lists("DAI")
        assert (await stored_lists(store_engine, [url]))[url].etag is None


async def test_what_nobody_foresaw_is_one_lists_fault(
    start: Start, host: ListHost, store_engine: AsyncEngine, clock: Clock
) -> None:
    """The store refuses the first list's row. The second list is had all the same; the first is left in peace."""
    async with list_host() as second:
        host.serves(token_list(entry(FAKE, "BAD")))
        second.serves(token_list(entry(OTHER, "DAI")))
        async with store_engine.begin() as connection:
            await connection.execute(text(f"ALTER TABLE token_lists ADD CHECK (url <> '{host.url}')"))
        api_service = start(host.url, second.url)
        with capture_logs() as logs:
            report = await api_service.sync.sync(due_only=True)
            await api_service.sync.sync(due_only=True)
        assert [(item.outcome, item.fault) for item in report.lists] == [
            (Outcome.MISSING, "cannot be taken over (IntegrityError)"),
            (Outcome.UPDATED, None),
        ]
        assert api_service.symbols() == ["ETH", "USDC", "DAI"]
        assert len(host.asked) == 1
        assert [(item["event"], item["list"]) for item in logs] == [("a token list broke its sync", host.url)]
        clock.move(seconds=301)
        await api_service.sync.sync(due_only=True)
        assert len(host.asked) == 2


async def test_a_broken_store_does_not_end_syncing(start: Start, host: ListHost, store_engine: AsyncEngine) -> None:
    host.serves(token_list(entry(OTHER, "DAI")))
    async with store_engine.begin() as connection:
        await connection.execute(text("ALTER TABLE token_lists RENAME TO elsewhere"))
    api_service = start(host.url)
    with capture_logs() as logs:
        async with running(api_service):
            for _ in range(3_000):
                if logs:
                    break
                await asyncio.sleep(0.01)
            assert logs
            assert api_service.symbols() == ["ETH", "USDC"]
            async with store_engine.begin() as connection:
                await connection.execute(text("ALTER TABLE elsewhere RENAME TO token_lists"))
            await api_service.lists("DAI")
    assert {(item["event"], item["log_level"]) for item in logs} == {("token lists stay as they are", "error")}
