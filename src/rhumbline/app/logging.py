"""The log: structured, to standard error, one line an event."""

import logging
import sys

import structlog

from rhumbline.app.request_lines import LineHandler, RequestLine, console_line, json_line
from rhumbline.app.sections import LogSettings


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
        tail = (structlog.processors.format_exc_info, structlog.processors.JSONRenderer())
    else:
        plain, colors = structlog.dev.plain_traceback, sys.stderr.isatty()
        line = None if colors else console_line
        tail = (structlog.dev.ConsoleRenderer(colors=colors, exception_formatter=plain),)
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=False,
    )
    handler = LineHandler(sys.stderr, line, level)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *tail],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(max(level, logging.WARNING))
    logging.getLogger("rhumbline").setLevel(level)
