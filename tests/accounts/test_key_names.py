"""What people know a key by: its name, and when it was last used."""

from datetime import timedelta

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.accounts.keys import key_name_faults
from rhumbline.accounts.service import Accounts
from rhumbline.domain.errors import InvalidRequest, NotFound
from tests.accounts.conftest import NOW, Seconds


async def test_a_key_has_a_name_that_a_rotation_keeps(accounts: Accounts) -> None:
    await accounts.create_integrator("Named", None, None)
    key, _ = await accounts.create_key("Named", name="Checkout, eu-west")
    assert (key.name, key.last_used_at) == ("Checkout, eu-west", None)
    named = await accounts.name_key(key.id, "Checkout")
    assert named.name == "Checkout"
    rotated, _ = await accounts.rotate_key(key.id, 60)
    assert rotated.name == "Checkout"
    assert (await accounts.name_key(key.id, None)).name is None
    assert [each.name for each in await accounts.list_keys("Named")] == [None, "Checkout"]
    for number in (0, -1, 10**6, 2**63):
        with pytest.raises(NotFound):
            await accounts.name_key(number, "x")


@pytest.mark.parametrize("name", ["", " x", "x ", "x" * 41, "a\nb", "a\x00b", "\u202egnp.exe", "a\u2028b", "\ud800"])
async def test_a_name_is_one_line_that_can_be_seen(accounts: Accounts, name: str) -> None:
    assert key_name_faults(name)
    await accounts.ensure_integrator("Named", None, None)
    key, _ = await accounts.create_key("Named")
    for refused in (accounts.create_key("Named", name=name), accounts.name_key(key.id, name)):
        with pytest.raises(InvalidRequest) as told:
            await refused
        assert told.value.faults[0].startswith("name: must have")
    for good in ("x", "x" * 40, "<b>&amp;", "=cmd|' /C calc'!A0", "Größe 世界 🧭"):
        assert key_name_faults(good) == ()


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
