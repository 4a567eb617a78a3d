"""Request lines that are written directly read as those that go through the log's processors."""

import asyncio
import json
import logging
import re
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from io import StringIO

import pytest
import structlog

from rhumbline.api.http.request_log import RequestLog, log_request
from rhumbline.app.log import configure_logging
from rhumbline.app.request_lines import TOGETHER_S, LineHandler, request_log
from rhumbline.app.sections import LogSettings

NAME = "0f" * 16
PATHS = ("/v1/chains", "/v1/tokenlists/1.json", "/", "/v1/a b", "/v1/\x1b[31m\n", '/"\\', "/ü", "", "/a=b")
AT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z")


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


async def lines(stream: StringIO, log: RequestLog, path: str, status: int = 200, ms: float = 1.5) -> str:
    start = stream.tell()
    log(request_id=NAME, method="GET", path=path, status=status, ms=ms)
    await asyncio.sleep(2 * TOGETHER_S)
    return stream.getvalue()[start:]


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("format", ["json", "console"])
async def test_both_ways_write_the_same(configure: Configure, format: str, path: str) -> None:
    stream = configure(LogSettings.model_validate({"format": format}))
    log = request_log()
    assert log is not log_request
    for status, ms in ((200, 0.0), (304, 12.1), (500, 30_000.0)):
        direct, processed = (
            await lines(stream, log, path, status, ms),
            await lines(stream, log_request, path, status, ms),
        )
        assert AT.sub("T", direct) == AT.sub("T", processed)
        assert direct.count("\n") == 1


async def test_the_time_of_a_line_is_the_time(configure: Configure) -> None:
    stream = configure(LogSettings(format="json"))
    log = request_log()
    for _ in range(3):
        before = datetime.now(UTC)
        told = datetime.fromisoformat(json.loads(await lines(stream, log, "/v1/chains"))["timestamp"])
        assert before - timedelta(microseconds=1) <= told <= datetime.now(UTC)


async def test_lines_keep_their_order_among_other_events(configure: Configure) -> None:
    stream = configure(LogSettings(format="json"))
    log = request_log()
    for path in ("/1", "/2"):
        log(request_id=NAME, method="GET", path=path, status=200, ms=0.0)
    assert stream.getvalue() == ""
    structlog.get_logger().warning("something else")
    log(request_id=NAME, method="GET", path="/3", status=200, ms=0.0)
    await asyncio.sleep(2 * TOGETHER_S)
    told = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert [each.get("path", each["event"]) for each in told] == ["/1", "/2", "something else", "/3"]


async def test_what_waits_at_the_end_is_written(configure: Configure) -> None:
    stream = configure(LogSettings(format="json"))
    request_log()(request_id=NAME, method="GET", path="/1", status=200, ms=0.0)
    logging.getLogger().handlers[0].flush()
    assert stream.getvalue().count("/1") == 1
    await asyncio.sleep(2 * TOGETHER_S)
    assert stream.getvalue().count("/1") == 1


async def test_a_log_of_warnings_has_no_requests(configure: Configure) -> None:
    stream = configure(LogSettings(level="warning"))
    assert await lines(stream, request_log(), "/v1/chains") == ""


async def test_a_stream_that_is_gone_stops_nobody(configure: Configure) -> None:
    stream = configure(LogSettings())
    log = request_log()
    stream.close()
    log(request_id=NAME, method="GET", path="/1", status=200, ms=0.0)
    await asyncio.sleep(2 * TOGETHER_S)
    assert isinstance(logging.getLogger().handlers[0], LineHandler)


async def test_without_the_log_of_the_service_the_processors_write(configure: Configure) -> None:
    configure(LogSettings())
    logging.getLogger().handlers[:] = [logging.StreamHandler(StringIO())]
    assert request_log() is log_request


HOSTILE = (
    "\r\n2026 [info] forged\x1b[2J\x7f\x85\x9b\u00ad\u061c\u200b\u202a\u202e\u2028\u2029\u2066\u2069\ufeff\U000e0041"
)


@pytest.mark.parametrize("format", ["json", "console"])
def test_no_value_moves_a_cursor_or_ends_a_line(configure: Configure, format: str) -> None:
    stream = configure(LogSettings.model_validate({"format": format}))
    log, library = structlog.get_logger(), logging.getLogger("somebody.else")
    nested = {HOSTILE: [HOSTILE, (HOSTILE, 1)], "n": None}
    for event in (
        lambda: log.warning(HOSTILE, reason=HOSTILE, nested=nested, error=ValueError(HOSTILE), raw=Raw()),
        lambda: library.warning("%s", HOSTILE),
    ):
        start = stream.tell()
        event()
        written = stream.getvalue()[start:]
        assert written.endswith("\n")
        assert written[:-1].isprintable(), written
        assert "forged" in written


@pytest.mark.parametrize("format", ["json", "console"])
def test_a_traceback_keeps_its_lines_and_cannot_be_taken_for_events(configure: Configure, format: str) -> None:
    stream = configure(LogSettings.model_validate({"format": format}))
    try:
        raise ValueError(HOSTILE)
    except ValueError:
        structlog.get_logger().exception("broken")
        logging.getLogger("somebody.else").exception("broken")
    written = stream.getvalue()
    assert all(line.isprintable() for line in written.split("\n"))
    if format == "json":
        assert all("Traceback" in json.loads(line)["exception"] for line in written.splitlines())
    else:
        assert [line[:4] for line in written.split("\n") if "forged" in line] == ["    ", "    "]
        assert "\n        raise ValueError(HOSTILE)\n" in written


def test_names_in_any_script_can_be_read(configure: Configure) -> None:
    stream = configure(LogSettings(format="console"))
    structlog.get_logger().warning("a token", symbol="Ünïcødé-代币-عملة-🚀")
    assert "symbol=Ünïcødé-代币-عملة-🚀" in stream.getvalue()


class Raw:
    def __repr__(self) -> str:
        return HOSTILE
