"""A key's own limits: kept in the real store, handed to the limiter, and true over HTTP."""

from dataclasses import replace

import pytest
from sqlalchemy import update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.accounts.counters import Limiter, LocalCounters
from rhumbline.accounts.key_store import api_keys
from rhumbline.accounts.service import Accounts
from rhumbline.domain.account import ApiClient
from rhumbline.domain.clock import system_clock
from rhumbline.domain.errors import InvalidRequest, NotFound
from rhumbline.gateways.redis.counters import redis_counters
from tests.api.api_service import ApiService
from tests.limits.limited_service import OTHER, QUOTE, TIERS, ask, limited_app, moored
from tests.redis_fixture import RedisServer


@pytest.fixture
async def accounts(store_engine: AsyncEngine) -> Accounts:
    accounts = Accounts(store_engine, system_clock)
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
    with pytest.raises(NotFound, match="key: there is none with the number"):
        await accounts.set_limits(number, 1, 1)


@pytest.mark.parametrize("column", ["quote_limit", "other_limit"])
async def test_the_store_itself_refuses_them(accounts: Accounts, store_engine: AsyncEngine, column: str) -> None:
    key, _ = await accounts.create_key("acme")
    for value in (0, 1_000_001):
        with pytest.raises(IntegrityError):
            async with store_engine.begin() as connection:
                await connection.execute(update(api_keys).where(api_keys.c.id == key.id).values({column: value}))


async def test_a_custom_limit_holds_over_http_and_redis(accounts: Accounts, redis_server: RedisServer) -> None:
    key, written = await accounts.create_key("acme")
    _, common = await accounts.create_key("acme")
    await accounts.set_limits(key.id, 3, None)
    api_service = RealKeys(accounts)
    async with redis_counters(redis_server.url) as shared:
        limiter = Limiter(TIERS, LocalCounters(system_clock), shared)
        async with moored(limited_app(api_service, limiter)) as url:
            answers = [await ask(url, QUOTE, x_api_key=written) for _ in range(4)]
            assert [(answer.status, answer.limits[:2]) for answer in answers] == [
                (400, ("3", "2")),
                (400, ("3", "1")),
                (400, ("3", "0")),
                (429, ("3", "0")),
            ]
            assert (await ask(url, OTHER, x_api_key=written)).limits[:2] == ("200", "199")
            assert (await ask(url, QUOTE, x_api_key=common)).limits[:2] == ("200", "199")
            await accounts.set_limits(key.id, 300, None)
            raised = await ask(url, QUOTE, x_api_key=written)
            assert (raised.status, raised.limits[:2]) == (400, ("300", "295"))
            await accounts.revoke_key(key.id)
            ended = await ask(url, QUOTE, x_api_key=written)
            assert (ended.headers["X-Api-Key-Status"], ended.limits[:2]) == ("invalid", ("200", "199"))


class RealKeys(ApiService):
    """A api_service that asks the store who a key belongs to."""

    def __init__(self, accounts: Accounts) -> None:
        super().__init__()
        self.accounts = accounts

    async def caller(self, key: str | None) -> ApiClient:
        return await self.accounts.caller(key)
