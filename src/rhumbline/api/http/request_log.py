"""A request's name, the client's own where it is sane, else a random one; and its one line in the log."""

import re
from secrets import token_hex
from typing import Protocol

import structlog

SANE = re.compile(r"[A-Za-z0-9._-]{1,64}\Z", re.ASCII)
"""A client's own name for a request, as it is taken over."""


def new_request_id() -> str:
    return token_hex(16)


class RequestLog(Protocol):
    """Writes the line. It has method, path, status and time; never the query, headers or bodies."""

    def __call__(self, *, request_id: str, method: str, path: str, status: int, ms: float) -> None:
        """Write one line; ``status`` 0 stands for no answer, ``ms`` has one decimal."""
        ...


def log_request(*, request_id: str, method: str, path: str, status: int, ms: float) -> None:
    """Write the line as any other event is written."""
    structlog.get_logger().info("request", request_id=request_id, method=method, path=path, status=status, ms=ms)
