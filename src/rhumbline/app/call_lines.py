"""The adapters' line of the log, written directly as request lines are, as processors would (a test compares them)."""

import json
import re
import time
from collections.abc import Callable
from functools import lru_cache

from structlog.contextvars import get_contextvars

from rhumbline.app.request_lines import console_line, in_seconds, json_line, line_handler
from rhumbline.domain.escaped_text import escaped
from rhumbline.routing.call_log import BOUND, CallLog, log_call

_PLAIN = re.compile(r"[A-Za-z0-9_-]+\Z", re.ASCII)
_QUOTED = frozenset(" \t=\r\n\"'")
"""What the processor for people quotes a text for."""
_MICROSECONDS = 1_000_000
CallLine = Callable[[str, str, str, str, str, int, str | None], str]
"""Makes a line of the time, the request's name, and the adapter, call, outcome, milliseconds and reason of a call."""


def json_call_line(at: str, request_id: str, adapter: str, call: str, outcome: str, ms: int, reason: str | None) -> str:
    """Return the line as JSON."""
    more = "" if reason is None else f'"reason": {json.dumps(reason)}, '
    return (
        f'{{"adapter": "{adapter}", "call": "{call}", "outcome": "{outcome}", "ms": {ms}, {more}'
        f'"event": "adapter_called", "request_id": "{request_id}", "level": "info", "timestamp": "{at}"}}'
    )


def console_call_line(
    at: str, request_id: str, adapter: str, call: str, outcome: str, ms: int, reason: str | None
) -> str:
    """Return the line for people, without colours."""
    more = "" if reason is None else f"reason={repr(reason) if _QUOTED & set(reason) else reason} "
    return (
        f"{at} [info     ] adapter_called                 "
        f"adapter={adapter} call={call} ms={ms} outcome={outcome} {more}request_id={request_id}"
    )


def call_log() -> CallLog:
    """Return what writes the adapters' lines, as the log is configured now."""
    handler = line_handler()
    if handler is None or not handler.shows_requests or handler.line not in (json_line, console_line):
        return log_call
    line: CallLine = json_call_line if handler.line is json_line else console_call_line
    add = handler.add
    # They come from small sets; most lines come in the second of the one before.
    is_plain, second = lru_cache(1024)(_is_plain), lru_cache(1)(in_seconds)

    def write(*, adapter: str, call: str, outcome: str, ms: int, reason: str | None = None) -> None:
        bound = BOUND.get() or get_contextvars()
        request_id = bound.get("request_id")
        known = len(bound) == 1 and isinstance(request_id, str) and is_plain(request_id)
        if not known or not is_plain(adapter, call, outcome):
            log_call(adapter=adapter, call=call, outcome=outcome, ms=ms, reason=reason)
            return
        now, micros = divmod(time.time_ns() // 1000, _MICROSECONDS)
        shown = None if reason is None else escaped(reason)
        add(line(f"{second(now)}.{micros:06d}Z", str(request_id), adapter, call, outcome, ms, shown))

    return write


def _is_plain(*words: str) -> bool:
    """Tell whether words are written as they are; the processors know how to quote the others."""
    return all(_PLAIN.match(word) for word in words)
