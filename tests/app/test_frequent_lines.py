"""Lines that are written directly say what those say that go through the log's processors."""

import asyncio
import json
import logging
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from io import StringIO
from typing import Any

import pytest
import structlog

from rhumbline.api.http.request_log import log_request
from rhumbline.app.frequent_lines import call_log, request_log
from rhumbline.app.log import TOGETHER_S, LineHandler
from rhumbline.app.sections import LogSettings
from rhumbline.routing.call_log import log_call
from tests.app.conftest import Configure

NAME = "0f" * 16
REQUEST: dict[str, Any] = {"request_id": NAME, "method": "GET", "path": "/v1/chains", "status": 200, "ms": 1.5}
WHO: tuple[dict[str, Any], ...] = (
    {"client": None, "key": None, "integrator": None},
    {"client": "::1", "key": 7, "integrator": "acme"},
    {"client": "203.0.113.7", "key": "invalid", "integrator": None},
)
CALL: dict[str, Any] = {"adapter": "RELAY", "call": "quote", "outcome": "transient", "ms": 3}
PATHS = ("/v1/chains", "/v1/tokenlists/1.json", "/", "/v1/a b", "/v1/\x1b[31m\n", '/"\\', "/ü", "", "/a=b")
REASONS = (None, "has no route", "short", 'it\'s "quoted"=\\ \n\x1b[31m ü', "")
AT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z")


async def line(stream: StringIO, log: Callable[[], None]) -> object:
    """What is written, but for its time; JSON as what it says."""
    start = stream.tell()
    log()
    await asyncio.sleep(2 * TOGETHER_S)
    text = AT.sub("T", stream.getvalue()[start:])
    assert text.count("\n") == (text != "")
    return json.loads(text) if text.startswith("{") else text


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("format", ["json", "console"])
async def test_both_ways_write_the_same_of_a_request(configure: Configure, format: str, path: str) -> None:
    stream = configure(LogSettings.model_validate({"format": format}))
    log = request_log()
    assert log is not log_request
    for who, status, ms in zip(WHO, (200, 304, 500), (0.0, 12.1, 30_000.0), strict=True):
        told = {**REQUEST, **who, "path": path, "status": status, "ms": ms}
        assert await line(stream, partial(log, **told)) == await line(stream, partial(log_request, **told))


@pytest.mark.parametrize("reason", REASONS)
@pytest.mark.parametrize("adapter", ["NEAR_INTENTS", "a b", '"\\'])
@pytest.mark.parametrize("format", ["json", "console"])
@pytest.mark.parametrize("bound", [{}, {"request_id": NAME}, {"request_id": 'a"b'}, {"request_id": NAME, "x": "y"}])
async def test_both_ways_write_the_same_of_a_call(
    configure: Configure, format: str, bound: dict[str, str], adapter: str, reason: str | None
) -> None:
    stream = configure(LogSettings.model_validate({"format": format}))
    log = call_log()
    assert log is not log_call
    told = {**CALL, "adapter": adapter, "reason": reason}
    with structlog.contextvars.bound_contextvars(**bound):
        assert await line(stream, partial(log, **told)) == await line(stream, partial(log_call, **told))


async def test_the_time_of_a_line_is_the_time(configure: Configure) -> None:
    stream = configure(LogSettings(format="json"))
    log = request_log()
    for _ in range(3):
        before, start = datetime.now(UTC), stream.tell()
        await line(stream, partial(log, **REQUEST))
        told = datetime.fromisoformat(json.loads(stream.getvalue()[start:])["timestamp"])
        assert before - timedelta(microseconds=1) <= told <= datetime.now(UTC)


async def test_lines_keep_their_order_among_other_events(configure: Configure) -> None:
    stream = configure(LogSettings(format="json"))
    requests, calls = request_log(), call_log()
    requests(**REQUEST)
    calls(**CALL)
    assert stream.getvalue() == ""
    structlog.get_logger().warning("something else")
    requests(**REQUEST)
    await asyncio.sleep(2 * TOGETHER_S)
    events = [json.loads(each)["event"] for each in stream.getvalue().splitlines()]
    assert events == ["request", "adapter_called", "something else", "request"]


async def test_what_waits_at_the_end_is_written(configure: Configure) -> None:
    stream = configure(LogSettings(format="json"))
    request_log()(**REQUEST)
    logging.getLogger().handlers[0].flush()
    assert stream.getvalue().count("/v1/chains") == 1
    await asyncio.sleep(2 * TOGETHER_S)
    assert stream.getvalue().count("/v1/chains") == 1


async def test_a_log_of_warnings_has_no_such_lines(configure: Configure) -> None:
    stream = configure(LogSettings(level="warning"))
    assert await line(stream, partial(request_log(), **REQUEST)) == ""
    assert await line(stream, partial(call_log(), **CALL)) == ""


async def test_a_stream_that_is_gone_stops_nobody(configure: Configure) -> None:
    stream = configure(LogSettings())
    log = request_log()
    stream.close()
    log(**REQUEST)
    await asyncio.sleep(2 * TOGETHER_S)
    assert isinstance(logging.getLogger().handlers[0], LineHandler)


async def test_without_the_log_of_the_service_the_processors_write(configure: Configure) -> None:
    configure(LogSettings())
    logging.getLogger().handlers[:] = [logging.StreamHandler(StringIO())]
    assert request_log() is log_request
    assert call_log() is log_call
