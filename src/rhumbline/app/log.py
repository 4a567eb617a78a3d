"""The log: structured, to standard error, one line an event."""

import asyncio
import logging
import sys
from collections import deque
from collections.abc import Mapping, MutableMapping
from contextlib import suppress
from typing import TextIO

import structlog

from rhumbline.app.sections import LogSettings
from rhumbline.domain.escaped_text import escaped

_TEXTS = frozenset({"exception", "stack"})
"""Texts that structlog writes on lines of their own."""
TOGETHER_S = 0.005
"""For how long lines are collected."""
OWN_LOGGER = logging.getLogger("rhumbline")


class LineHandler(logging.StreamHandler[TextIO]):
    """Writes records and finished lines. Lines of a few milliseconds are written together, before any record.

    Lines are added on the event loop only.
    """

    def __init__(self, stream: TextIO, style: str) -> None:
        """Write to a stream; ``style`` is the form of lines: json, console or colors."""
        super().__init__(stream)
        self.style = style
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
        """Write the waiting lines. A closed stream does not stop the service."""
        self._is_due = False
        if not self._waiting:
            return
        self.acquire()
        try:
            # Lines may be added meanwhile, and each is written once.
            lines = [self._waiting.popleft() for _ in range(len(self._waiting))]
            with suppress(OSError, ValueError):
                self.stream.write("\n".join((*lines, "")))
                self.stream.flush()
        finally:
            self.release()


def configure_logging(settings: LogSettings) -> None:
    """Send every log line, our own and the libraries', through one chain of processors."""
    shared: tuple[structlog.typing.Processor, ...] = (
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    )
    colors = settings.format == "console" and sys.stderr.isatty()
    renderer: structlog.typing.Processor = structlog.processors.JSONRenderer()
    if settings.format == "console":
        renderer = structlog.dev.ConsoleRenderer(colors=colors, exception_formatter=structlog.dev.plain_traceback)
    own = structlog.stdlib.ProcessorFormatter.remove_processors_meta
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=False,
    )
    handler = LineHandler(sys.stderr, "colors" if colors else settings.format)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[own, structlog.processors.format_exc_info, escape_values, renderer],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    set_log_level(settings.level)


def set_log_level(name: str) -> None:
    """Show lines from this level on, and the libraries' from warnings on at most; what is built need not be rebuilt."""
    level = logging.getLevelNamesMapping()[name.upper()]
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(level))
    logging.getLogger().setLevel(max(level, logging.WARNING))
    OWN_LOGGER.setLevel(level)


def escape_values(logger: object, method: str, event: MutableMapping[str, object]) -> Mapping[str, object]:
    """Escape whatever in a value could forge or hide a line; must be the last processor before a renderer.

    Much of what is logged comes from outside: paths, reasons of upstreams and nodes, names of tokens. Tracebacks keep
    their lines, indented, so that none can be mistaken for an event.
    """
    return {
        name: _indented(value) if name in _TEXTS and isinstance(value, str) else _escaped(value)
        for name, value in event.items()
    }


def _indented(text: str) -> str:
    return "\n".join(f"    {escaped(line)}" for line in text.split("\n"))


def _escaped(value: object) -> object:
    if isinstance(value, str):
        return escaped(value)
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, Mapping):
        return {escaped(str(name)): _escaped(item) for name, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_escaped(item) for item in value]
    # A renderer writes anything else as its repr says.
    text = repr(value)
    return value if text.isprintable() else escaped(text)
