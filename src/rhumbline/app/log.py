"""The log: structured, to standard error, one line an event."""

import logging
import sys
from collections.abc import Mapping, MutableMapping

import structlog

from rhumbline.app.request_lines import LineHandler, RequestLine, console_line, json_line
from rhumbline.app.sections import LogSettings
from rhumbline.domain.escaped_text import escaped

_TEXTS = frozenset({"exception", "stack"})
"""What structlog writes in lines of its own."""


def configure_logging(settings: LogSettings) -> None:
    """Send every log line, our own and the libraries', through one chain of processors."""
    level = logging.getLevelNamesMapping()[settings.level.upper()]
    shared: tuple[structlog.typing.Processor, ...] = (
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    )
    tail: tuple[structlog.typing.Processor, ...]
    line: RequestLine | None = None
    if settings.format == "json":
        line = json_line
        tail = (structlog.processors.format_exc_info, escape_values, structlog.processors.JSONRenderer())
    else:
        plain, colors = structlog.dev.plain_traceback, sys.stderr.isatty()
        line = None if colors else console_line
        console = structlog.dev.ConsoleRenderer(colors=colors, exception_formatter=plain)
        tail = (structlog.processors.format_exc_info, escape_values, console)
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=False,
    )
    handler = LineHandler(sys.stderr, line, level)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared, processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *tail]
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(max(level, logging.WARNING))
    logging.getLogger("rhumbline").setLevel(level)


def escape_values(logger: object, method: str, event: MutableMapping[str, object]) -> Mapping[str, object]:
    """Escape whatever a value holds that could forge or hide a line; to stand right before a renderer.

    Much of what is logged comes from outside: paths, reasons of upstreams and nodes, names of tokens. Tracebacks keep
    their lines, indented, so that none can be taken for an event.
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
