"""A key's own limits are kept with it, and the store itself refuses senseless ones."""

from dataclasses import replace

import pytest
from sqlalchemy import update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.accounts.key_store import api_keys
from rhumbline.accounts.service import Accounts
from rhumbline.domain.account import ApiClient
from rhumbline.domain.errors import InvalidRequest, NotFound


@pytest.fixture
async def accounts(accounts: Accounts) -> Accounts:
    await accounts.create_integrator("acme", None, None)
    return accounts


async def test_limits_go_with_the_key(accounts: Accounts) -> None:
    key, written = await accounts.create_key("acme")
    plain, _ = await accounts.create_key("acme")
    assert (key.quote_limit, key.other_limit) == (None, None)
    changed = await accounts.set_limits(key.id, 5000, None)
    assert changed == replace(key, quote_limit=5000)
    assert await accounts.list_keys() == (changed, plain)
    owner = await accounts.integrator("acme")
    assert await accounts.caller(written) == ApiClient(owner, key.id, quote_limit=5000)
    await accounts.set_limits(key.id, None, 1)
    assert await accounts.caller(written) == ApiClient(owner, key.id, other_limit=1)
    await accounts.set_limits(key.id, None, None)
    assert await accounts.caller(written) == ApiClient(owner, key.id)


async def test_a_rotation_keeps_them(accounts: Accounts) -> None:
    old, _ = await accounts.create_key("acme")
    await accounts.set_limits(old.id, 5000, 6000)
    new, written = await accounts.rotate_key(old.id, 60)
    assert (new.quote_limit, new.other_limit) == (5000, 6000)
    caller = await accounts.caller(written)
    assert (caller.key_id, caller.quote_limit, caller.other_limit) == (new.id, 5000, 6000)


@pytest.mark.parametrize(("quotes", "other", "fault"), [(0, None, "quote_limit"), (1, 1_000_001, "other_limit")])
async def test_senseless_limits_are_refused(accounts: Accounts, quotes: int, other: int | None, fault: str) -> None:
    key, _ = await accounts.create_key("acme")
    with pytest.raises(InvalidRequest) as caught:
        await accounts.set_limits(key.id, quotes, other)
    assert caught.value.faults == (f"{fault}: must be between 1 and 1000000 requests a minute",)


@pytest.mark.parametrize("number", [0, -1, 7, 2**63])
async def test_an_unknown_key_is_not_found(accounts: Accounts, number: int) -> None:
    with pytest.raises(NotFound, match="key: there is no key with the number"):
        await accounts.set_limits(number, 1, 1)


@pytest.mark.parametrize("column", ["quote_limit", "other_limit"])
async def test_the_store_itself_refuses_them(accounts: Accounts, store_engine: AsyncEngine, column: str) -> None:
    key, _ = await accounts.create_key("acme")
    for value in (0, 1_000_001):
        with pytest.raises(IntegrityError):
            async with store_engine.begin() as connection:
                await connection.execute(update(api_keys).where(api_keys.c.id == key.id).values({column: value}))
