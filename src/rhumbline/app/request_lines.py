"""The request line of the log, written directly: a chain of processors takes longer than most answers.

The text is the one that the processors write (a test compares them). Lines of a few milliseconds go out together, and
before any other line.
"""

import asyncio
import logging
import re
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from typing import TextIO

from rhumbline.api.http.request_log import RequestLog, log_request

_PLAIN = re.compile(r"[A-Za-z0-9/._-]+\Z", re.ASCII)
"""Paths that are written as they are; the processors know how to quote the others."""
_MICROSECONDS = 1_000_000
TOGETHER_S = 0.005
"""For how long lines are collected."""
RequestLine = Callable[[str, str, str, str, int, float], str]
"""Makes a line of the time, and a request's name, method, path, status and milliseconds."""


class LineHandler(logging.StreamHandler[TextIO]):
    """Writes records, and lines that are made already. Lines are added on the event loop only."""

    def __init__(self, stream: TextIO, line: RequestLine | None, level: int) -> None:
        """Write to a stream; ``line`` None leaves requests to the processors, ``level`` is the least that is shown."""
        super().__init__(stream)
        self.line = line
        self.shows_requests = level <= logging.INFO
        self._waiting: deque[str] = deque()
        self._is_due = False

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record after the lines that came before it."""
        self.write_out()
        super().emit(record)

    def flush(self) -> None:
        self.write_out()
        super().flush()

    def add(self, line: str) -> None:
        """Write a line within some milliseconds, together with those that come until then."""
        self._waiting.append(line)
        if not self._is_due:
            self._is_due = True
            asyncio.get_running_loop().call_later(TOGETHER_S, self.write_out)

    def write_out(self) -> None:
        """Write the lines that wait. As with every log, a stream that is gone stops nobody's work."""
        self._is_due = False
        if not self._waiting:
            return
        self.acquire()
        try:
            # One by one: lines may be added meanwhile, and each is written once.
            lines = [self._waiting.popleft() for _ in range(len(self._waiting))]
            with suppress(OSError, ValueError):
                self.stream.write("\n".join((*lines, "")))
                self.stream.flush()
        finally:
            self.release()


def json_line(at: str, request_id: str, method: str, path: str, status: int, ms: float) -> str:
    """Return the line as JSON."""
    return (
        f'{{"request_id": "{request_id}", "method": "{method}", "path": "{path}", "status": {status}, "ms": {ms}, '
        f'"event": "request", "level": "info", "timestamp": "{at}"}}'
    )


def console_line(at: str, request_id: str, method: str, path: str, status: int, ms: float) -> str:
    """Return the line for people, without colours."""
    return (
        f"{at} [info     ] request                        "
        f"method={method} ms={ms} path={path} request_id={request_id} status={status}"
    )


def request_log() -> RequestLog:
    """Return what writes request lines, as the log is configured now."""
    handler = line_handler()
    if handler is None or handler.line is None or not handler.shows_requests:
        return log_request
    line, add, is_plain = handler.line, handler.add, _PLAIN.match
    # Most lines come in the second of the one before.
    second = lru_cache(1)(in_seconds)

    def write(*, request_id: str, method: str, path: str, status: int, ms: float) -> None:
        if is_plain(path):
            now, micros = divmod(time.time_ns() // 1000, _MICROSECONDS)
            add(line(f"{second(now)}.{micros:06d}Z", request_id, method, path, status, ms))
        else:
            log_request(request_id=request_id, method=method, path=path, status=status, ms=ms)

    return write


def line_handler() -> LineHandler | None:
    """Return the log's handler as it is configured now, None where lines go another way."""
    return next((each for each in logging.getLogger().handlers if isinstance(each, LineHandler)), None)


def in_seconds(seconds: int) -> str:
    """Write a time since 1970 in UTC, without a zone."""
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds))
