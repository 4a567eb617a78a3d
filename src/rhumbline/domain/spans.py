"""Spans: what happens within one trace, and how long it takes. Without a trace, which is the rule, there are none.

Whoever does work opens a ``span`` around it, on any floor. Only what begins a trace has to know a ``Tracing``; the
present span is in a context variable, which tasks inherit. Names and attributes are from small sets: no address, URL,
key, query or text of others.
"""

from contextlib import AbstractContextManager, nullcontext
from contextvars import ContextVar, Token
from enum import Enum, auto
from types import TracebackType
from typing import Protocol, TypeAlias

Attribute: TypeAlias = str | int | float | bool


class SpanKind(Enum):
    """Who waits for whom: ``SERVER`` answers a request, ``CLIENT`` waits for another host, the rest is our own work."""

    INTERNAL = auto()
    SERVER = auto()
    CLIENT = auto()


class Span(Protocol):
    """A part of a trace while it lasts. Nothing here waits or fails."""

    @property
    def trace_id(self) -> str:
        """Its trace's ID, 32 hexadecimal digits."""
        ...

    def name(self, name: str, /) -> None:
        """Replace the name."""
        ...

    def note(self, name: str, value: Attribute, /) -> None:
        """Add an attribute."""
        ...

    def fail(self, why: str, /) -> None:
        """Mark it as failed, for a reason from a small set."""
        ...


class Recorder(Span, Protocol):
    """A span as a ``Tracing`` records it."""

    def child(self, name: str, kind: SpanKind, /) -> "Recorder | None":
        """Begin a part of it; None if the trace has ended or has enough parts."""
        ...

    def end(self) -> None: ...


SpanContext: TypeAlias = AbstractContextManager[Span | None]
"""A span that begins when it is entered; None without a trace. An exception marks it as failed, by its type."""


class Tracing(Protocol):
    """Begins traces."""

    def trace(self, name: str, kind: SpanKind, parent: str | None = None, /) -> SpanContext:
        """Return the first span of a trace, or of none: not every trace is recorded.

        ``parent`` is a caller's ``traceparent`` (https://www.w3.org/TR/trace-context, read 2026-11), as it came.
        """
        ...


NO_SPAN: SpanContext = nullcontext()
"""Stands for every span outside of a trace."""
PRESENT: ContextVar[Recorder | None] = ContextVar("span", default=None)
"""The present span; None without a trace."""


class OpenSpan:
    """Makes a recorder the present span of its context; ends it when it is left."""

    __slots__ = ("_recorder", "_token")

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._token: Token[Recorder | None] | None = None

    def __enter__(self) -> Span:
        self._token = PRESENT.set(self._recorder)
        return self._recorder

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._token is not None:
            PRESENT.reset(self._token)
        if kind is not None:
            if issubclass(kind, Exception):
                self._recorder.fail(kind.__name__)
            else:
                # Nobody waits for it any more, which need not be its fault.
                self._recorder.note("cancelled", True)
        self._recorder.end()


def span(name: str, kind: SpanKind = SpanKind.INTERNAL, /, **attributes: Attribute) -> SpanContext:
    """Return a part of the present span, with attributes; without a trace none."""
    present = PRESENT.get()
    recorder = None if present is None else present.child(name, kind)
    if recorder is None:
        return NO_SPAN
    for key, value in attributes.items():
        recorder.note(key, value)
    return OpenSpan(recorder)
