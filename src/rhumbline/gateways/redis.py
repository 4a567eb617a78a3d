"""Counters in Redis or Valkey, for several processes: one atomic script, one round trip a request.

The connection is the storage of `limits` (5.8, https://limits.readthedocs.io, read 2026-11). Its own script and query
know whole seconds and need three round trips for a count and the window's end, so a script of ours stands in for them.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime, timedelta

from limits.aio.storage import RedisStorage
from limits.aio.storage.redis.redispy import RedispyBridge
from limits.errors import ConfigurationError
from redis.exceptions import RedisError

from rhumbline.domain.rate import CountersUnavailable, WindowCount

SCHEMES = ("redis://", "rediss://", "unix://")
_EXAMPLE = "redis://user:password@host:6379/0"
PREFIX = "rhumbline:limits"
DEADLINE_S = 0.25
CONNECTIONS = 64
_FAILURES = (RedisError, OSError, TimeoutError)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
# INCR, PEXPIRE, PTTL and TIME are one step for everybody else: https://redis.io/docs/latest/develop/programmability
# (read 2026-11). A key without expiry would count for ever, so it gets one whenever it has none, not only at first.
_TAKE = """
local count = redis.call('INCR', KEYS[1])
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
  left = tonumber(ARGV[1])
  redis.call('PEXPIRE', KEYS[1], left)
end
local now = redis.call('TIME')
return {count, left, now[1] * 1000 + math.floor(now[2] / 1000) + left}
"""


class RedisCounters(RedisStorage):
    """Counts in windows that begin with the first request; times are by the Redis server's clock."""

    bridge: RedispyBridge

    def __init__(self, url: str) -> None:
        """Make no connection yet; raise ValueError for a URL that cannot be used."""
        super().__init__(
            # What redis-py calls unix://, limits takes for Valkey's own client.
            f"redis+{url}" if url.startswith("unix://") else url,
            implementation="redispy",
            key_prefix=PREFIX,
            socket_timeout=DEADLINE_S,
            socket_connect_timeout=DEADLINE_S,
        )
        self._take = self.bridge.get_connection().register_script(_TAKE.encode())
        self._places = asyncio.Semaphore(CONNECTIONS)

    async def take(self, key: str, window_s: int, /) -> WindowCount:
        """Count one more request of ``key``; raise CountersUnavailable when Redis does not answer in time."""
        try:
            async with asyncio.timeout(DEADLINE_S), self._places:
                count, left_ms, ends_ms = await self._take([f"{PREFIX}:{key}"], [window_s * 1000])
        except _FAILURES as error:
            raise _unavailable(error) from error
        return WindowCount(count, _EPOCH + timedelta(milliseconds=ends_ms), left_ms)

    async def ping(self) -> None:
        """Make sure that Redis answers; raise CountersUnavailable."""
        try:
            async with asyncio.timeout(DEADLINE_S), self._places:
                await self.check()
        except _FAILURES as error:
            raise _unavailable(error) from error

    async def aclose(self) -> None:
        """Close the connections."""
        with suppress(*_FAILURES):
            await self.bridge.storage.aclose()


@asynccontextmanager
async def redis_counters(url: str) -> AsyncIterator[RedisCounters]:
    """Offer the counters at a URL, `redis://`, `rediss://` (TLS) or `unix://`; connections are made when needed.

    Raise ValueError, which never shows the URL, for one that cannot be used.
    """
    if not url.startswith(SCHEMES):
        raise ValueError(f"must begin with one of {', '.join(SCHEMES)}")
    try:
        counters = RedisCounters(url)
    except (ValueError, ConfigurationError):
        raise ValueError(f"is not a valid URL with host and port; write {_EXAMPLE}") from None
    try:
        yield counters
    finally:
        await counters.aclose()


def _unavailable(error: BaseException) -> CountersUnavailable:
    """Name the kind of failure only: an error's text may hold the address."""
    return CountersUnavailable(f"Redis does not answer ({type(error).__name__})")
