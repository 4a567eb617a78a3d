"""Spans: what happens within one trace, and how long it takes. Without a trace, which is the rule, they do nothing.

Whoever does work opens a ``span`` around it, on any floor. Only what begins a trace has to know a ``Tracing``; the
present span is in a context variable, which tasks inherit. Names and attributes are from small sets: no address, URL,
key, query or text of others.
"""

from collections.abc import Callable, Coroutine
from contextlib import AbstractContextManager
from contextvars import ContextVar, Token
from enum import Enum, auto
from functools import wraps
from types import TracebackType
from typing import Any, ParamSpec, Protocol, TypeAlias, TypeVar

P = ParamSpec("P")
R = TypeVar("R")
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
        """Its trace's ID, 32 hexadecimal digits; empty without a trace."""
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


SpanContext: TypeAlias = AbstractContextManager[Span]
"""A span that begins when it is entered. An exception that leaves it marks it as failed, by the exception's type."""


class Tracing(Protocol):
    """Begins traces."""

    def trace(self, name: str, kind: SpanKind, parent: str | None = None, /) -> SpanContext:
        """Return the first span of a trace, or of none: not every trace is recorded.

        ``parent`` is a caller's ``traceparent`` (https://www.w3.org/TR/trace-context, read 2026-11), as it came.
        """
        ...


class _NoSpan:
    """Stands for every span outside of a trace."""

    __slots__ = ()
    trace_id = ""

    def __enter__(self) -> "_NoSpan":
        return self

    def __exit__(self, *_: object) -> None:
        return

    def name(self, name: str, /) -> None:
        return

    def note(self, name: str, value: Attribute, /) -> None:
        return

    def fail(self, why: str, /) -> None:
        return


NO_SPAN = _NoSpan()
_PRESENT: ContextVar[Recorder | None] = ContextVar("span", default=None)


class NoTracing:
    """Records nothing."""

    def trace(self, name: str, kind: SpanKind, parent: str | None = None, /) -> SpanContext:
        return NO_SPAN


class OpenSpan:
    """Makes a recorder the present span of its context; ends it when it is left."""

    __slots__ = ("_recorder", "_token")

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._token: Token[Recorder | None] | None = None

    def __enter__(self) -> Span:
        self._token = _PRESENT.set(self._recorder)
        return self._recorder

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._token is not None:
            _PRESENT.reset(self._token)
        if kind is not None:
            if issubclass(kind, Exception):
                self._recorder.fail(kind.__name__)
            else:
                # Nobody waits for it any more, which need not be its fault.
                self._recorder.note("cancelled", True)
        self._recorder.end()


def leaf(name: str, kind: SpanKind = SpanKind.INTERNAL, /, **attributes: Attribute) -> Recorder | None:
    """Begin a part of the present span that has no parts itself, and that its caller ends; None without a trace."""
    present = _PRESENT.get()
    recorder = None if present is None else present.child(name, kind)
    if recorder is not None:
        for key, value in attributes.items():
            recorder.note(key, value)
    return recorder


def span(name: str, kind: SpanKind = SpanKind.INTERNAL, /, **attributes: Attribute) -> SpanContext:
    """Return a part of the present span, with attributes; without a trace one that does nothing."""
    if _PRESENT.get() is None:
        return NO_SPAN
    recorder = leaf(name, kind, **attributes)
    return NO_SPAN if recorder is None else OpenSpan(recorder)


def traced(name: str) -> Callable[[Callable[P, Coroutine[Any, Any, R]]], Callable[P, Coroutine[Any, Any, R]]]:
    """Make each call of a coroutine function a span."""

    def decorate(work: Callable[P, Coroutine[Any, Any, R]]) -> Callable[P, Coroutine[Any, Any, R]]:
        @wraps(work)
        async def run(*args: P.args, **kwargs: P.kwargs) -> R:
            with span(name):
                return await work(*args, **kwargs)

        return run

    return decorate
