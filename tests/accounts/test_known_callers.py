"""Who owns a key, as far as that is known without asking the store."""

from datetime import UTC, datetime

from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.accounts.keys import new_key
from rhumbline.accounts.service import Accounts
from rhumbline.accounts.ttl_cache import TtlCache
from rhumbline.domain.account import ApiClient


async def test_a_key_is_known_for_a_moment_after_it_was_asked_for(store_engine: AsyncEngine) -> None:
    now = 100.0
    accounts = Accounts(store_engine, lambda: datetime(2026, 11, 21, tzinfo=UTC), lambda: now)
    await accounts.create_integrator("Known", None, None)
    _, key = await accounts.create_key("Known")
    assert accounts.known_caller(key) is None
    asked = await accounts.caller(key)
    assert asked.integrator is not None
    assert accounts.known_caller(key) == asked
    now += 0.5
    assert accounts.known_caller(key) is None


async def test_nobody_and_what_is_no_key_need_no_asking(store_engine: AsyncEngine) -> None:
    accounts = Accounts(store_engine, lambda: datetime(2026, 11, 21, tzinfo=UTC))
    assert accounts.known_caller(None) == ApiClient()
    assert accounts.known_caller("no key") == ApiClient(key_invalid=True)
    assert accounts.known_caller(new_key()) is None


async def test_what_is_forgotten_is_not_known() -> None:
    async def ask() -> int:
        return 7

    kept, gone = TtlCache[int](60, 3), TtlCache[int](0, 3)
    for cache in (kept, gone):
        await cache.get("a", ask)
    assert (kept.known("a"), kept.known("b"), gone.known("a")) == (7, None, None)
    kept.forget()
    assert kept.known("a") is None
