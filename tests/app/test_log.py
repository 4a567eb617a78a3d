"""What strangers, upstreams and nodes say cannot forge, hide or recolour a line of the log."""

import asyncio
import json
import logging
from pathlib import Path

import pytest
import structlog
from aiohttp import web

from rhumbline.app.frequent_lines import request_log
from rhumbline.app.log import TOGETHER_S, set_log_level
from rhumbline.app.sections import LogSettings
from rhumbline.devnet.hosts import hosted
from tests.app.conftest import Configure
from tests.app.service_process import serving

EVIL = "\x1b[2J\r\n2026-01-01T00:00:00Z [info     ] forged\u202e\u2066\u2028\u2029\x85\x9b\x07\u200b\x7f"
PATH = "/v1/%1b%5b2J%0d%0a2026-01-01T00:00:00Z%20%5binfo%5d%20forged%e2%80%ae%e2%81%a6%e2%80%a8%c2%85%c2%9b%7f"
CHAIN = """
[[chains]]
id = 900001
key = "sbxa"
name = "Sandbox A"
rpc = "{rpc}"
start_block = 1
native = {{ symbol = "ETH", name = "Ether" }}
"""


async def answer(request: web.Request) -> web.Response:
    calls = json.loads(await request.read())
    error = {"code": -32000, "message": EVIL, "data": EVIL}
    answers = [
        {"jsonrpc": "2.0", "id": call["id"], "error": error} for call in (calls if isinstance(calls, list) else [calls])
    ]
    return web.json_response(answers if isinstance(calls, list) else answers[0])


async def test_a_level_is_set_for_what_was_built_before(configure: Configure) -> None:
    """Loggers and the writers of frequent lines are kept for as long as the settings are in force."""
    stream, log = configure(LogSettings(format="json")), structlog.stdlib.get_logger("rhumbline.any")
    requests = request_log()

    async def shown() -> list[str]:
        start = stream.tell()
        log.debug("of debug")
        log.info("of info")
        log.warning("of warning")
        who = {"client": None, "key": None, "integrator": None}
        requests(request_id="a", method="GET", path="/", status=200, ms=1.0, **who)
        logging.getLogger("library").info("of a library")
        await asyncio.sleep(2 * TOGETHER_S)
        return [json.loads(line)["event"] for line in stream.getvalue()[start:].splitlines()]

    assert await shown() == ["of info", "of warning", "request"]
    set_log_level("warning")
    assert await shown() == ["of warning"]
    set_log_level("debug")
    assert await shown() == ["of debug", "of info", "of warning", "request"]
    set_log_level("error")
    assert await shown() == []


@pytest.mark.parametrize("format", ["json", "console"])
async def test_the_log_of_a_running_service(tmp_path: Path, store_dsn: str, format: str) -> None:
    app = web.Application()
    app.router.add_post("/", answer)
    async with (
        hosted(app) as url,
        serving(tmp_path, store_dsn, format=format, chains=CHAIN.format(rpc=f"{url}/")) as process,
    ):
        for target in (PATH, "/v1/chains"):
            reader, writer = await asyncio.open_connection("127.0.0.1", process.port)
            told = f"GET {target} HTTP/1.1\r\nhost: x\r\nuser-agent: \x9b\x85{{}}\r\nx-request-id: \x9b\r\n"
            writer.write(f"{told}connection: close\r\n\r\n".encode("latin-1"))
            assert b"HTTP/1.1" in await reader.read()
            writer.close()
        await process.until_logged("tracking interrupted")
        await process.until_logged("/v1/chains")
    lines = process.log.removesuffix("\n").split("\n")
    assert any("forged" in line and "2J" in line for line in lines), "the path was logged"
    assert all(character == "\n" or character.isprintable() for character in process.log), process.log
    for line in lines:
        if format == "json":
            for value in json.loads(line).values():
                assert not isinstance(value, str) or value.isprintable() or "\n" in value
                assert "\x1b" not in str(value)
                assert "\u202e" not in str(value)
        else:
            assert not line.startswith("2026-01-01T00:00:00Z"), "a line of its own"


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
