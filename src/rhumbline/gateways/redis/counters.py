"""Counters in Redis or Valkey for several processes, updated by one atomic script.

The connection is the storage of `limits` (5.8, https://limits.readthedocs.io, read 2026-11). Its own script and query
support whole seconds only and need three round trips for a count and the window's end, so our own script replaces them.
A script runs once for all calls that arrived during the previous one, on one connection: under load that costs a
fraction of a round trip each. It is atomic for all clients: https://redis.io/docs/latest/develop/programmability/ (read
2026-11).
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from limits.aio.storage import RedisStorage
from limits.aio.storage.redis.redispy import RedispyBridge
from limits.errors import ConfigurationError
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from rhumbline.domain.rate import CountersUnavailable, WindowCount
from rhumbline.gateways.redis import budgets
from rhumbline.gateways.upstreams.guard.budget import Spending, Turn

DEADLINE_S = 0.5
LARGEST_BATCH = 256
FAILURES = (RedisError, OSError, TimeoutError)


class _Request(NamedTuple):
    key: str
    arguments: Sequence[object]
    answer: asyncio.Future[list[int]]


class BatchedScript:
    """A script that answers, for each of its keys, a list of numbers; each key has equally many arguments."""

    def __init__(self, connection: Any, script: bytes, deadline_s: float = DEADLINE_S) -> None:
        """Keep a script for a client of ``redis.asyncio``; nothing is sent yet."""
        self._script = connection.register_script(script)
        self._deadline_s = deadline_s
        self._waiting: list[_Request] = []
        self._asking: asyncio.Task[None] | None = None

    async def run(self, key: str, *arguments: object) -> list[int]:
        """Return the script's answer for one key; raise CountersUnavailable when Redis does not answer in time."""
        request = _Request(key, arguments, asyncio.get_running_loop().create_future())
        self._waiting.append(request)
        if self._asking is None or self._asking.done():
            self._asking = asyncio.create_task(self._ask())
        return await request.answer

    async def aclose(self) -> None:
        """Close; calls still waiting fail as if Redis were unavailable."""
        if self._asking is not None:
            self._asking.cancel()
            await asyncio.gather(self._asking, return_exceptions=True)
        _refuse(self._waiting, CountersUnavailable("Redis is not asked any more"))

    async def _ask(self) -> None:
        """Run the script for waiting calls until there are none. A failure fails all of them at once."""
        while self._waiting:
            batch, self._waiting = self._waiting[:LARGEST_BATCH], self._waiting[LARGEST_BATCH:]
            keys = [request.key for request in batch]
            arguments = [argument for request in batch for argument in request.arguments]
            try:
                async with asyncio.timeout(self._deadline_s):
                    answers = await self._script(keys, arguments)
            except FAILURES as error:
                refused, self._waiting = batch + self._waiting, []
                _refuse(refused, unavailable(error))
            except BaseException as error:
                _refuse(batch, unavailable(error))
                raise
            else:
                for request, answer in zip(batch, answers, strict=True):
                    if not request.answer.done():
                        request.answer.set_result(answer)


def _refuse(requests: Sequence[_Request], error: CountersUnavailable) -> None:
    for request in requests:
        if not request.answer.done():
            request.answer.set_exception(error)


def unavailable(error: BaseException) -> CountersUnavailable:
    """Name the kind of failure only: an error's text may hold the address."""
    return CountersUnavailable(f"Redis does not answer ({type(error).__name__})")


SCHEMES = ("redis://", "rediss://", "unix://")
PREFIX = "rhumbline:limits"
_EXAMPLE = "redis://user:password@host:6379/0"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
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


class RedisCounters(RedisStorage):
    """Counts in windows that begin with the first request; times are by the Redis server's clock."""

    bridge: RedispyBridge

    def __init__(self, url: str, deadline_s: float = DEADLINE_S) -> None:
        """Make no connection yet; each answer is awaited for ``deadline_s``. Raise ValueError for an unusable URL."""
        super().__init__(
            # What redis-py calls unix://, limits takes for Valkey's own client.
            f"redis+{url}" if url.startswith("unix://") else url,
            implementation="redispy",
            key_prefix=PREFIX,
            socket_timeout=deadline_s,
            socket_connect_timeout=deadline_s,
        )
        # Retried once for a connection that was closed meanwhile; then callers go on without Redis rather than wait.
        self.bridge.storage.set_retry(Retry(NoBackoff(), 1))
        self._deadline_s = deadline_s
        self._windows = BatchedScript(self.bridge.get_connection(), _TAKE, deadline_s)
        self._budgets = BatchedScript(self.bridge.get_connection(), budgets.SCRIPT, deadline_s)

    async def take(self, key: str, window_s: int, /) -> WindowCount:
        """Count one more request of ``key``; raise CountersUnavailable when Redis does not answer in time."""
        count, left_ms, ends_ms = await self._windows.run(f"{PREFIX}:{key}", window_s * 1000)
        return WindowCount(count, _EPOCH + timedelta(milliseconds=ends_ms), left_ms)

    async def spend(self, key: str, spending: Spending, /) -> Turn:
        return budgets.turn_of(await self._budgets.run(f"{budgets.PREFIX}:{key}", *budgets.arguments_of(spending)))

    async def peek(self, key: str, /) -> WindowCount | None:
        """Return the state of ``key``'s window without counting; raise CountersUnavailable."""
        name = f"{PREFIX}:{key}"
        try:
            async with asyncio.timeout(self._deadline_s):
                connection = self.bridge.get_connection()
                count, left_ms = await connection.get(name), await self.bridge.storage.pttl(name)
                seconds, microseconds = await self.bridge.storage.time()
        except FAILURES as error:
            raise unavailable(error) from error
        # The remaining time is negative for a counter without an end, or one that does not exist.
        if count is None or left_ms <= 0:
            return None
        now = _EPOCH + timedelta(seconds=seconds, microseconds=microseconds)
        return WindowCount(int(count), now + timedelta(milliseconds=left_ms), left_ms)

    async def ping(self) -> None:
        """Make sure that Redis answers; raise CountersUnavailable."""
        try:
            async with asyncio.timeout(self._deadline_s):
                await self.bridge.get_connection().ping()
        except FAILURES as error:
            raise unavailable(error) from error

    async def aclose(self) -> None:
        for script in (self._windows, self._budgets):
            await script.aclose()
        with suppress(*FAILURES):
            await self.bridge.storage.aclose()


@asynccontextmanager
async def redis_counters(url: str, deadline_s: float = DEADLINE_S) -> AsyncIterator[RedisCounters]:
    """Return the counters at a URL, `redis://`, `rediss://` (TLS) or `unix://`; connections are made when needed.

    Raise ValueError, which never shows the URL, for an invalid one.
    """
    if not url.startswith(SCHEMES):
        raise ValueError(f"must begin with one of {', '.join(SCHEMES)}")
    try:
        counters = RedisCounters(url, deadline_s)
    except (ValueError, ConfigurationError):
        raise ValueError(f"is not a valid URL with host and port; write {_EXAMPLE}") from None
    try:
        yield counters
    finally:
        await counters.aclose()
