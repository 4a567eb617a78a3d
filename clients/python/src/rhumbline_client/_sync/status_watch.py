"""Made of clients/python/src/rhumbline_client/_async/status_watch.py by clients/generate.py."""

import time
from collections.abc import Generator
from contextlib import closing

from rhumbline_client._sync.transport import Transport, answer_of
from rhumbline_client.changes import WITHDRAWN, StatusChange, checked_id, is_news, pauses, polled
from rhumbline_client.errors import EndpointMissing, NotFound, ServiceError, TimedOut, Unreachable
from rhumbline_client.models import PublicStatus, StatusEvent
from rhumbline_client.retries import passes

STATUS = "GET /v1/status/{transactionId}"
STREAM = "GET /v1/status/{transactionId}/stream"
SILENT_S = 60.0
"""After so long on one stream the status is asked besides: a stream that is alive and tells nothing is not believed."""


class StatusWatch:
    """Where one transaction stands, as far as it was told."""

    def __init__(self, transport: Transport, transaction_id: str, within: float | None) -> None:
        self._transport = transport
        self._id = checked_id(transaction_id)
        self._ends_at = None if within is None else time.monotonic() + within
        self._last: PublicStatus | None = None
        self._has_stream = True

    def changes(self) -> Generator[StatusChange, None]:
        """Return each change, up to the final one; raises TimedOut."""
        waits = pauses()
        while True:
            if self._has_stream:
                with closing(self._streamed()) as changes:
                    for change in changes:
                        waits = pauses()
                        yield change
                        if change.is_final:
                            return
            found = self._asked()
            if found is not None:
                yield found
                if found.is_final:
                    return
            time.sleep(min(next(waits), self._left()))

    def _left(self) -> float:
        """Return the seconds that are left; raise TimedOut if there are none."""
        left = float("inf") if self._ends_at is None else self._ends_at - time.monotonic()
        if left <= 0:
            raise TimedOut(f"{self._id} has not ended in time: it may still, so follow it again")
        return left

    def _streamed(self) -> Generator[StatusChange, None]:
        """Return what one stream tells until it ends, breaks, or was asked for long enough."""
        silent_at = time.monotonic() + SILENT_S
        try:
            with closing(self._transport.events(STREAM, self._id, idle=self._left())) as events:
                for event in events:
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

    def _asked(self) -> StatusChange | None:
        """Ask once for the status; what passes is nothing new, for it is asked again."""
        found: PublicStatus | None = None
        try:
            found = self._transport.read(STATUS, PublicStatus, self._id)
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
