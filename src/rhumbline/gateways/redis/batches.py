"""One script of Redis or Valkey, run for all who asked while its last answer was on the way.

One connection asks for everybody at once: under load that costs a fraction of a round trip each. A script is one step
for everybody else: https://redis.io/docs/latest/develop/programmability (read 2026-11).
"""

import asyncio
from collections.abc import Sequence
from typing import Any, NamedTuple

from redis.exceptions import RedisError

from rhumbline.domain.rate import CountersUnavailable

DEADLINE_S = 0.5
LARGEST_BATCH = 256
FAILURES = (RedisError, OSError, TimeoutError)


class _Request(NamedTuple):
    key: str
    arguments: Sequence[object]
    answer: asyncio.Future[list[int]]


class BatchedScript:
    """A script that answers, for each of its keys, a list of numbers; each key has equally many arguments."""

    __slots__ = ("_asking", "_deadline_s", "_script", "_waiting")

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
        """End; whoever still waits is told that there is no Redis."""
        if self._asking is not None:
            self._asking.cancel()
            await asyncio.gather(self._asking, return_exceptions=True)
        _refuse(self._waiting, CountersUnavailable("Redis is not asked any more"))

    async def _ask(self) -> None:
        """Ask for those who wait until nobody does. A failure is told to all at once, those who wait included."""
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
