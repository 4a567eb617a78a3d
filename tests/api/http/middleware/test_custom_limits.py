"""A key's own limits: kept in the real store, handed to the limiter, and true over HTTP."""

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.accounts.counters import Limiter, LocalCounters
from rhumbline.accounts.service import Accounts
from rhumbline.domain.account import ApiClient
from rhumbline.domain.clock import system_clock
from rhumbline.gateways.redis.counters import redis_counters
from tests.api.api_service import ApiService
from tests.api.limited_service import OTHER, QUOTE, TIERS, ask, limited_app, moored
from tests.redis_fixture import RedisServer


@pytest.fixture
async def accounts(store_engine: AsyncEngine) -> Accounts:
    accounts = Accounts(store_engine, system_clock)
    await accounts.create_integrator("acme", None, None)
    return accounts


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
