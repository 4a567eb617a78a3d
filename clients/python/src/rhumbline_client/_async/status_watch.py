"""Follows one transaction to its end: by the stream of its status, and by asking where there is none."""

import time
from collections.abc import AsyncGenerator
from contextlib import aclosing

import anyio

from rhumbline_client._async.transport import AsyncTransport, answer_of
from rhumbline_client.changes import WITHDRAWN, StatusChange, checked_id, is_news, pauses, polled
from rhumbline_client.errors import EndpointMissing, NotFound, ServiceError, TimedOut, Unreachable
from rhumbline_client.models import PublicStatus, StatusEvent
from rhumbline_client.retries import passes

STATUS = "GET /v1/status/{transactionId}"
STREAM = "GET /v1/status/{transactionId}/stream"
SILENT_S = 60.0
"""After so long on one stream the status is asked besides: a stream that is alive and tells nothing is not believed."""


class AsyncStatusWatch:
    """Where one transaction stands, as far as it was told."""

    def __init__(self, transport: AsyncTransport, transaction_id: str, within: float | None) -> None:
        self._transport = transport
        self._id = checked_id(transaction_id)
        self._ends_at = None if within is None else time.monotonic() + within
        self._last: PublicStatus | None = None
        self._has_stream = True

    async def changes(self) -> AsyncGenerator[StatusChange, None]:
        """Return each change, up to the final one; raises TimedOut."""
        waits = pauses()
        while True:
            if self._has_stream:
                async with aclosing(self._streamed()) as changes:
                    async for change in changes:
                        waits = pauses()
                        yield change
                        if change.is_final:
                            return
            found = await self._asked()
            if found is not None:
                yield found
                if found.is_final:
                    return
            await anyio.sleep(min(next(waits), self._left()))

    def _left(self) -> float:
        """Return the seconds that are left; raise TimedOut if there are none."""
        left = float("inf") if self._ends_at is None else self._ends_at - time.monotonic()
        if left <= 0:
            raise TimedOut(f"{self._id} has not ended in time: it may still, so follow it again")
        return left

    async def _streamed(self) -> AsyncGenerator[StatusChange, None]:
        """Return what one stream tells until it ends, breaks, or was asked for long enough."""
        silent_at = time.monotonic() + SILENT_S
        try:
            async with aclosing(self._transport.events(STREAM, self._id, idle=self._left())) as events:
                async for event in events:
                    if event is not None and event.name.startswith("transaction."):
                        told = answer_of(STREAM, StatusEvent, event.data)
                        change = StatusChange(told.type, told.data)
                        if is_news(change, self._last):
                            self._last = None if change.type == WITHDRAWN else change.status
                            yield change
                    self._left()
                    if time.monotonic() >= silent_at:
                        return
        except (EndpointMissing, NotFound):
            self._has_stream = False
        except (Unreachable, ServiceError) as error:
            if not passes(error):
                raise

    async def _asked(self) -> StatusChange | None:
        """Ask once for the status; what passes is nothing new, for it is asked again."""
        found: PublicStatus | None = None
        try:
            found = await self._transport.read(STATUS, PublicStatus, self._id)
        except NotFound:
            pass
        except (Unreachable, ServiceError) as error:
            if not passes(error):
                raise
            return None
        if found is not None and found.status == "unknown" and self._has_stream:
            # It may still change, and only the stream says when it cannot any more.
            return None
        change = polled(self._last, found)
        self._last = found
        return change
