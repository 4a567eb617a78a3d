"""A request's name (the client's own if it is valid, else a random one) and its log line."""

import re
from secrets import token_hex
from typing import Any, Protocol

import structlog

from rhumbline.domain.account import ApiClient

SANE = re.compile(r"[A-Za-z0-9._-]{1,64}\Z", re.ASCII)
"""The form of a client's own request name that is accepted."""


def new_request_id() -> str:
    return token_hex(16)


class RequestLog(Protocol):
    """Writes the log line: method, path, status, duration and caller; never the query, headers or bodies."""

    def __call__(
        self,
        *,
        request_id: str,
        method: str,
        path: str,
        status: int,
        ms: float,
        client: str | None,
        key: int | str | None,
        integrator: str | None,
        trace_id: str | None = None,
    ) -> None:
        """Write one line, without fields that are None; ``status`` 0 means no answer, ``ms`` has one decimal.

        ``key`` is the key's number, or ``invalid``; never its text.
        """
        ...


def log_request(**fields: object) -> None:
    """Write the line as any other event is written."""
    structlog.get_logger().info("request", **{name: value for name, value in fields.items() if value is not None})


def who_asked(client: str | None, caller: ApiClient | None) -> dict[str, Any]:
    """Return the log line's fields about the client."""
    if caller is None:
        return {"client": client, "key": None, "integrator": None}
    name = None if caller.integrator is None else caller.integrator.name
    return {"client": client, "key": "invalid" if caller.key_invalid else caller.key_id, "integrator": name}
