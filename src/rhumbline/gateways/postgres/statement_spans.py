"""A span for each statement that is sent to the store: what it does to which table, never its text or its values."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import event
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.domain.spans import PRESENT, Recorder, SpanKind

_KEY = "rhumbline_span"
_VERBS = frozenset({"SELECT", "INSERT", "UPDATE", "DELETE", "WITH"})
_TABLE = re.compile(r"\b(?:FROM|INTO|UPDATE)\s+(?:ONLY\s+)?\"?([a-z_][a-z0-9_]*)", re.IGNORECASE)


@contextmanager
def statement_spans(engine: AsyncEngine) -> Iterator[None]:
    """Record the statements of an engine until the context ends."""
    hooks = (("before_cursor_execute", _begin), ("after_cursor_execute", _end), ("handle_error", _fail))
    for name, hook in hooks:
        event.listen(engine.sync_engine, name, hook)
    try:
        yield
    finally:
        for name, hook in hooks:
            event.remove(engine.sync_engine, name, hook)


def _begin(connection: Any, cursor: object, statement: str, *_: object) -> None:
    verb = statement.lstrip()[:8].partition(" ")[0].partition("\n")[0].upper()
    verb = verb if verb in _VERBS else "OTHER"
    found = _TABLE.search(statement) if verb in _VERBS else None
    table = "" if found is None else found[1]
    _end(connection)
    present = PRESENT.get()
    begun = None if present is None else present.child(f"{verb} {table}".rstrip(), SpanKind.CLIENT)
    if begun is not None:
        begun.note("db.system.name", "postgresql")
        connection.info[_KEY] = begun


def _end(connection: Any, *_: object) -> None:
    begun: Recorder | None = connection.info.pop(_KEY, None)
    if begun is not None:
        begun.end()


def _fail(context: Any) -> None:
    if context.connection is None:
        return
    begun: Recorder | None = context.connection.info.get(_KEY)
    if begun is not None:
        begun.fail(type(context.original_exception).__name__)
        _end(context.connection)
