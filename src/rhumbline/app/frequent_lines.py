"""The two most frequent log lines, for requests and adapter calls, written without the log's processors.

Their chain takes longer than most answers do. The lines say what the processors would write (a test compares them).
"""

import logging
import time
from collections.abc import Callable, Mapping
from functools import lru_cache

import msgspec
from structlog.contextvars import get_contextvars

from rhumbline.api.http.request_log import RequestLog, log_request
from rhumbline.app.log import OWN_LOGGER, LineHandler, escape_values
from rhumbline.routing.call_log import BOUND, CallLog, log_call

_MICROSECONDS = 1_000_000
_QUOTED = frozenset(" \t=\r\n\"'")
"""Characters for which structlog's console renderer quotes a text."""
_Write = Callable[[str, dict[str, object]], None]


def request_log() -> RequestLog:
    """Return what writes request lines, in the form that the log has now, while its level lets them through."""
    write = _writer()
    if write is None:
        return log_request

    def log(**fields: object) -> None:
        write("request", {name: value for name, value in fields.items() if value is not None})

    return log


def call_log() -> CallLog:
    """Return what writes the lines of adapters' calls, in the form that the log has now, while its level allows."""
    write = _writer()
    if write is None:
        return log_call

    def log(*, reason: str | None = None, **fields: object) -> None:
        more = {} if reason is None else {"reason": reason}
        write("adapter_called", {**(BOUND.get() or get_contextvars()), **fields, **more})

    return log


def _writer() -> _Write | None:
    """Return what writes a line of an event and its fields; None where the processors have to."""
    handler = next((each for each in logging.getLogger().handlers if isinstance(each, LineHandler)), None)
    if handler is None or handler.style not in ("json", "console"):
        return None
    line, add = _json_line if handler.style == "json" else _console_line, handler.add
    # Most lines come in the second of the one before.
    second = lru_cache(1)(_second)

    def write(event: str, fields: dict[str, object]) -> None:
        if not OWN_LOGGER.isEnabledFor(logging.INFO):
            return
        now, micros = divmod(time.time_ns() // 1000, _MICROSECONDS)
        add(line(f"{second(now)}.{micros:06d}Z", event, escape_values(None, "info", fields)))

    return write


def _second(seconds: int) -> str:
    """Write a time since 1970 in UTC, without a zone."""
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds))


def _json_line(at: str, event: str, fields: Mapping[str, object]) -> str:
    line = {**fields, "event": event, "level": "info", "timestamp": at}
    return msgspec.json.encode(line, enc_hook=repr).decode()


def _console_line(at: str, event: str, fields: Mapping[str, object]) -> str:
    """Write a line for people, without colours."""
    pairs = " ".join(f"{name}={_shown(fields[name])}" for name in sorted(fields))
    return f"{at} [info     ] {event:<30} {pairs}"


def _shown(value: object) -> object:
    return value if isinstance(value, str) and _QUOTED.isdisjoint(value) else repr(value)
