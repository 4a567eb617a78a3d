"""The one line that the log has of every request."""

from typing import Protocol

import structlog


class RequestLog(Protocol):
    """Writes the line. It has method, path, status and time; never the query, headers or bodies."""

    def __call__(self, *, request_id: str, method: str, path: str, status: int, ms: float) -> None:
        """Write one line; ``status`` 0 stands for no answer, ``ms`` has one decimal."""
        ...


def log_request(*, request_id: str, method: str, path: str, status: int, ms: float) -> None:
    """Write the line as any other event is written."""
    structlog.get_logger().info("request", request_id=request_id, method=method, path=path, status=status, ms=ms)
