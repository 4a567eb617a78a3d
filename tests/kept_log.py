"""What a test does to the log ends with it; a plugin of `tests/conftest.py`.

The log is the process's: a service that a test starts in its own process configures it anew, and a later test would
find other lines, or none.
"""

import logging
from collections.abc import Generator, Iterator
from contextlib import contextmanager

import pytest
import structlog
from structlog.dev import ConsoleRenderer, plain_traceback

from rhumbline.app.log import OWN_LOGGER

# By itself structlog draws each traceback with the values of all its variables, which takes a second.
structlog.configure(
    processors=[*structlog.get_config()["processors"][:-1], ConsoleRenderer(exception_formatter=plain_traceback)]
)


@contextmanager
def keeping_the_log() -> Iterator[None]:
    """Afterwards the log is as it was before."""
    root = logging.getLogger()
    handlers, level, own_level, config = root.handlers[:], root.level, OWN_LOGGER.level, structlog.get_config()
    try:
        yield
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)
        OWN_LOGGER.setLevel(own_level)
        structlog.configure(**config)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol() -> Generator[None, object, object]:
    with keeping_the_log():
        return (yield)
