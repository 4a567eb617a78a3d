"""The adapters' lines that are written directly read as those that go through the log's processors."""

import asyncio
import json
import logging
import re
import sys
from collections.abc import Callable, Iterator
from io import StringIO

import pytest
import structlog

from rhumbline.app.call_lines import call_log
from rhumbline.app.log import configure_logging
from rhumbline.app.request_lines import TOGETHER_S
from rhumbline.app.sections import LogSettings
from rhumbline.routing.call_log import CallLog, log_call

NAME = "0f" * 16
AT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z")
CALLS = [
    ("KYBERSWAP", "quote", "answered", 0, None),
    ("NEAR_INTENTS", "build", "answered", 12_345, None),
    ("RELAY", "quote", "late", 1200, None),
    ("RELAY", "quote", "no_route", 3, "has no route"),
    ("RELAY", "quote", "transient", 3, "short"),
    ("RELAY", "quote", "transient", 3, 'it\'s "quoted"=\\ \n\x1b[31m ü'),
    ("RELAY", "quote", "transient", 3, ""),
    ("a b", "quote", "answered", 1, None),
    ('"\\', "quote", "answered", 1, "why not"),
]
Configure = Callable[[LogSettings], StringIO]


@pytest.fixture
def configure(monkeypatch: pytest.MonkeyPatch) -> Iterator[Configure]:
    """Configures the log and returns what it writes to; afterwards the log is as it was before."""
    root, ours = logging.getLogger(), logging.getLogger("rhumbline")
    before = root.handlers[:], root.level, ours.level, structlog.get_config()

    def configured(settings: LogSettings) -> StringIO:
        written = StringIO()
        monkeypatch.setattr(sys, "stderr", written)
        configure_logging(settings)
        return written

    yield configured
    root.handlers[:] = before[0]
    root.setLevel(before[1])
    ours.setLevel(before[2])
    structlog.configure(**before[3])


async def line(stream: StringIO, log: CallLog, call: tuple[str, str, str, int, str | None]) -> str:
    start, (adapter, verb, outcome, ms, reason) = stream.tell(), call
    log(adapter=adapter, call=verb, outcome=outcome, ms=ms, reason=reason)
    await asyncio.sleep(2 * TOGETHER_S)
    return AT.sub("T", stream.getvalue()[start:])


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("format", ["json", "console"])
@pytest.mark.parametrize("bound", [{}, {"request_id": NAME}, {"request_id": 'a"b'}, {"request_id": NAME, "x": "y"}])
async def test_both_ways_write_the_same(
    configure: Configure, format: str, bound: dict[str, str], call: tuple[str, str, str, int, str | None]
) -> None:
    stream = configure(LogSettings.model_validate({"format": format}))
    log = call_log()
    assert log is not log_call
    with structlog.contextvars.bound_contextvars(**bound):
        direct, processed = await line(stream, log, call), await line(stream, log_call, call)
    assert direct == processed
    assert direct.endswith("\n")


async def test_lines_keep_their_order_among_other_events(configure: Configure) -> None:
    stream = configure(LogSettings(format="json"))
    log = call_log()
    with structlog.contextvars.bound_contextvars(request_id=NAME):
        log(adapter="A", call="quote", outcome="answered", ms=1)
        assert stream.getvalue() == ""
        structlog.get_logger().warning("something else")
        log(adapter="B", call="quote", outcome="answered", ms=1)
        await asyncio.sleep(2 * TOGETHER_S)
    told = [json.loads(each) for each in stream.getvalue().splitlines()]
    assert [each.get("adapter", each["event"]) for each in told] == ["A", "something else", "B"]


async def test_a_log_of_warnings_has_no_calls(configure: Configure) -> None:
    stream = configure(LogSettings(level="warning"))
    assert await line(stream, call_log(), CALLS[0]) == ""


async def test_without_the_log_of_the_service_the_processors_write(configure: Configure) -> None:
    configure(LogSettings())
    logging.getLogger().handlers[:] = [logging.StreamHandler(StringIO())]
    assert call_log() is log_call
