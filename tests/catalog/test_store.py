"""Kept copies of token lists."""

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.catalog.store import stored_lists
from rhumbline.catalog.token_sync import Outcome
from tests.catalog.conftest import OTHER, ListHost, entry, token_list
from tests.catalog.test_token_sync import Start, start
from tests.clocks import Clock

__all__ = ["start"]


async def test_a_spoilt_copy_is_back_when_the_same_bytes_come_again(
    start: Start, host: ListHost, store_engine: AsyncEngine, clock: Clock
) -> None:
    host.serves(token_list(entry(OTHER, "DAI")))
    await start(host.url).sync.sync()
    async with store_engine.begin() as connection:
        await connection.execute(text("UPDATE token_lists SET body = convert_to('{}', 'UTF8')"))
    api_service = start(host.url)
    for _ in range(3):
        await api_service.sync.load()
    assert (api_service.symbols(), api_service.catalog.version) == (["ETH", "USDC"], 1)
    clock.move(seconds=3700)
    await api_service.sync.sync(due_only=True)
    assert (api_service.symbols(), api_service.catalog.version) == (["ETH", "USDC", "DAI"], 2)
    clock.move(seconds=3700)
    await api_service.sync.sync(due_only=True)
    assert host.asked[-2:] == [None, (await stored_lists(store_engine, [host.url]))[host.url].etag]
    assert api_service.catalog.version == 2


async def test_a_key_in_an_address_is_not_in_the_store(
    start: Start, host: ListHost, store_engine: AsyncEngine, clock: Clock
) -> None:
    host.serves(token_list(entry(OTHER, "DAI")))
    secret, other = f"{host.url}?key=s3cret", f"{host.url}?key=another"
    await start(secret).sync.sync()
    async with store_engine.connect() as connection:
        (stored,) = (await connection.execute(text("SELECT token_lists::text FROM token_lists"))).scalars()
    assert "s3cret" not in stored
    assert list(await stored_lists(store_engine, [secret, other])) == [secret]
    clock.move(seconds=10)
    assert (await start(secret).sync.sync()).lists[0].outcome is Outcome.UNCHANGED


async def test_a_copy_that_was_tampered_with_is_not_used_and_fetched_anew(
    start: Start, host: ListHost, store_engine: AsyncEngine
) -> None:
    host.serves(token_list(entry(OTHER, "DAI")))
    await start(host.url).sync.sync()
    async with store_engine.begin() as connection:
        await connection.execute(text("UPDATE token_lists SET body = convert_to(:body, 'UTF8')"), {"body": "{}"})
    api_service = start(host.url)
    await api_service.sync.load()
    assert api_service.symbols() == ["ETH", "USDC"]
    await api_service.sync.sync()
    assert host.asked[-1] is None
    again = start(host.url)
    await again.sync.load()
    assert again.symbols() == ["ETH", "USDC", "DAI"]
