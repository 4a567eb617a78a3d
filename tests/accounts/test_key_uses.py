"""When a key was last used is noted to the minute."""

from datetime import timedelta

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.accounts.service import Accounts
from tests.accounts.conftest import NOW
from tests.clocks import Seconds


async def test_the_last_use_is_noted_to_the_minute(store_engine: AsyncEngine, seconds: Seconds) -> None:
    now = [NOW]
    accounts = Accounts(store_engine, lambda: now[0], seconds)
    await accounts.create_integrator("Used", None, None)
    key, written = await accounts.create_key("Used")
    await accounts.create_key("Used")

    async def used(after_s: float) -> timedelta | None:
        now[0] += timedelta(seconds=after_s)
        seconds.now += after_s
        await accounts.caller(written)
        first, second = await accounts.list_keys("Used")
        assert second.last_used_at is None
        return None if first.last_used_at is None else first.last_used_at - NOW

    assert await used(0) == timedelta(0)
    assert await used(59) == timedelta(0)
    assert await used(1) == timedelta(seconds=60)
    assert await used(600) == timedelta(seconds=660)
    await accounts.revoke_key(key.id)
    assert await used(600) == timedelta(seconds=660), "a key that has ended is not used"


async def test_a_use_never_waits_for_who_changes_the_key(store_engine: AsyncEngine, seconds: Seconds) -> None:
    """Nor does it fail where nothing can be written: who owns the key is known all the same."""
    accounts = Accounts(store_engine, lambda: NOW, seconds)
    await accounts.create_integrator("Locked", None, None)
    _, written = await accounts.create_key("Locked")
    async with store_engine.begin() as connection:
        await connection.execute(text("SELECT 1 FROM api_keys FOR UPDATE"))
        assert (await accounts.caller(written)).integrator is not None
    assert (await accounts.list_keys("Locked"))[0].last_used_at is None
    read_only = store_engine.execution_options(postgresql_readonly=True)
    assert (await Accounts(read_only, lambda: NOW, seconds).caller(written)).integrator is not None
    assert (await accounts.list_keys("Locked"))[0].last_used_at is None
