"""How a key's windows stand, without counting."""

from rhumbline.accounts.counters import Limiter, LocalCounters
from rhumbline.accounts.rate_limits import RateScope, Tiers
from rhumbline.domain.account import ApiClient
from rhumbline.domain.clock import system_clock
from rhumbline.domain.rate import Limit
from rhumbline.gateways.redis.counters import redis_counters
from tests.redis_fixture import RedisServer

TIERS = Tiers(Limit(5, 60), Limit(7, 60))
KEY = ApiClient(key_id=3, quote_limit=9)


async def looked(limiter: Limiter) -> None:
    assert await limiter.look(KEY, RateScope.QUOTES) == (Limit(9, 60), None)
    for _ in range(3):
        verdict = await limiter.take(KEY, "127.0.0.1", RateScope.QUOTES)
    for _ in range(2):
        limit, window = await limiter.look(KEY, RateScope.QUOTES)
        assert window is not None
        assert (limit.requests, window.count) == (9, 3)
        assert abs((window.ends_at - verdict.ends_at).total_seconds()) < 1
    assert await limiter.look(KEY, RateScope.OTHER) == (Limit(7, 60), None)
    assert (await limiter.take(KEY, None, RateScope.QUOTES)).remaining == 5


async def test_looking_counts_nothing_in_redis(redis_server: RedisServer) -> None:
    async with redis_counters(redis_server.url) as shared:
        await looked(Limiter(TIERS, LocalCounters(system_clock), shared))


async def test_without_redis_the_own_counts_are_shown(redis_server: RedisServer) -> None:
    async with redis_counters(redis_server.url) as shared:
        limiter = Limiter(TIERS, LocalCounters(system_clock), shared)
        await limiter.take(KEY, None, RateScope.QUOTES)
        await redis_server.kill()
        _, window = await limiter.look(KEY, RateScope.QUOTES)
        assert window is not None
        assert window.count == 1
