"""Counters in Redis or Valkey, for several processes, by one atomic script.

The connection is the storage of `limits` (5.8, https://limits.readthedocs.io, read 2026-11). Its own script and query
know whole seconds and need three round trips for a count and the window's end, so a script of ours stands in for them.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from limits.aio.storage import RedisStorage
from limits.aio.storage.redis.redispy import RedispyBridge
from limits.errors import ConfigurationError
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from rhumbline.domain.rate import CountersUnavailable, WindowCount

SCHEMES = ("redis://", "rediss://", "unix://")
PREFIX = "rhumbline:limits"
DEADLINE_S = 0.5
LARGEST_BATCH = 256
_EXAMPLE = "redis://user:password@host:6379/0"
_FAILURES = (RedisError, OSError, TimeoutError)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
# A script is one step for everybody else: https://redis.io/docs/latest/develop/programmability (read 2026-11).
# A key without expiry would count for ever, so it gets one whenever it has none, not only at first.
_TAKE = b"""
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local seen = {}
for i, key in ipairs(KEYS) do
  local count = redis.call('INCR', key)
  local left = redis.call('PTTL', key)
  if left < 0 then
    left = tonumber(ARGV[i])
    redis.call('PEXPIRE', key, left)
  end
  seen[i] = {count, left, now + left}
end
return seen
"""


class _Request(NamedTuple):
    key: str
    window_s: int
    answer: asyncio.Future[WindowCount]


class RedisCounters(RedisStorage):
    """Counts in windows that begin with the first request; times are by the Redis server's clock.

    One connection asks for all requests that came while it waited for the last answer: under load that costs a
    fraction of a round trip each.
    """

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
        # Once more for a connection that was closed meanwhile; who asks goes on without Redis rather than waits for it.
        self.bridge.storage.set_retry(Retry(NoBackoff(), 1))
        self._script = self.bridge.get_connection().register_script(_TAKE)
        self._waiting: list[_Request] = []
        self._asking: asyncio.Task[None] | None = None

    async def take(self, key: str, window_s: int, /) -> WindowCount:
        """Count one more request of ``key``; raise CountersUnavailable when Redis does not answer in time."""
        request = _Request(f"{PREFIX}:{key}", window_s, asyncio.get_running_loop().create_future())
        self._waiting.append(request)
        if self._asking is None or self._asking.done():
            self._asking = asyncio.create_task(self._ask())
        return await request.answer

    async def peek(self, key: str, /) -> WindowCount | None:
        """Return how the window of ``key`` stands without counting; raise CountersUnavailable."""
        name = f"{PREFIX}:{key}"
        try:
            async with asyncio.timeout(DEADLINE_S):
                connection = self.bridge.get_connection()
                count, left_ms = await connection.get(name), await self._left(name)
        except _FAILURES as error:
            raise _unavailable(error) from error
        if count is None or left_ms <= 0:
            return None
        return WindowCount(int(count), datetime.now(UTC) + timedelta(milliseconds=left_ms), left_ms)

    async def _left(self, name: str) -> int:
        """Return the milliseconds that a counter has left, negative when it has no end or is not there."""
        left: int = await self.bridge.storage.pttl(name)
        return left

    async def ping(self) -> None:
        """Make sure that Redis answers; raise CountersUnavailable."""
        try:
            async with asyncio.timeout(DEADLINE_S):
                await self.bridge.get_connection().ping()
        except _FAILURES as error:
            raise _unavailable(error) from error

    async def aclose(self) -> None:
        """Close the connections; who still waits is told that there is no Redis."""
        if self._asking is not None:
            self._asking.cancel()
            await asyncio.gather(self._asking, return_exceptions=True)
        _refuse(self._waiting, CountersUnavailable("Redis is not asked any more"))
        with suppress(*_FAILURES):
            await self.bridge.storage.aclose()

    async def _ask(self) -> None:
        """Ask for those who wait until nobody does. A failure is told to all at once, those who wait included."""
        while self._waiting:
            batch, self._waiting = self._waiting[:LARGEST_BATCH], self._waiting[LARGEST_BATCH:]
            try:
                async with asyncio.timeout(DEADLINE_S):
                    seen = await self._script(
                        [request.key for request in batch], [request.window_s * 1000 for request in batch]
                    )
            except _FAILURES as error:
                refused, self._waiting = batch + self._waiting, []
                _refuse(refused, _unavailable(error))
            except BaseException as error:
                _refuse(batch, _unavailable(error))
                raise
            else:
                for request, (count, left_ms, ends_ms) in zip(batch, seen, strict=True):
                    if not request.answer.done():
                        ends_at = _EPOCH + timedelta(milliseconds=ends_ms)
                        request.answer.set_result(WindowCount(count, ends_at, left_ms))


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


def _refuse(requests: Sequence[_Request], error: CountersUnavailable) -> None:
    for request in requests:
        if not request.answer.done():
            request.answer.set_exception(error)


def _unavailable(error: BaseException) -> CountersUnavailable:
    """Name the kind of failure only: an error's text may hold the address."""
    return CountersUnavailable(f"Redis does not answer ({type(error).__name__})")
