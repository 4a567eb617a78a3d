"""`rhumbline-mcp` as an agent starts it: options, the key, garbage on standard input, and HTTP with its guards."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from mcp import Client, StdioServerParameters, stdio_client

from rhumbline_client.mcp.command import Options, OptionsError, check, main, read_key
from rhumbline_client.mcp.listener import permitted
from tests.clients.python.scripted_service import Reply, ScriptedService, error

PROGRAM = Path(sys.executable).with_name("rhumbline-mcp")
KEY = "rl_live_secretsecretsecret"
INITIALIZE = {
    "jsonrpc": "2.0", "id": 1, "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "a test", "version": "1"}},
}  # fmt: skip


def environment(**more: str) -> dict[str, str]:
    own = {name: value for name, value in os.environ.items() if not name.startswith("RHUMBLINE_")}
    return {**own, "no_proxy": "127.0.0.1", **more}


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (Options(url="swap.example"), "--url: give the service's address, such as https://swap.example"),
        (Options(url="ftp://swap.example"), "--url: give the service's address"),
        (Options(url="http://[half"), "--url: give the service's address"),
        (Options(url=f"https://me:{KEY}@swap.example"), "--url: has a user or a password in it"),
        (Options(port=70000), "--port: is a number from 0 to 65535"),
        (Options(http=True, host="0.0.0.0"), "--host: 0.0.0.0 is reached from other machines: name with --allow-host"),
        (Options(names=["*"]), "--allow-host: '\\*' is no host name"),
        (Options(names=["mcp.example:*"]), "--allow-host: "),
    ],
)
def test_an_option_that_cannot_be_used_is_named(options: Options, words: str) -> None:
    with pytest.raises(OptionsError, match=words) as raised:
        check(options)
    assert KEY not in str(raised.value)


def test_options_that_can_be_used() -> None:
    for options in (
        Options(),
        Options(http=True, host="::1", port=0),
        Options(http=True, host="0.0.0.0", names=["mcp.example", "mcp.example:443", "[fd00::1]:80"]),
    ):
        check(options)


def test_the_key_is_read_from_a_file_or_the_variable(tmp_path: Path) -> None:
    file = tmp_path / "key"
    file.write_text(f"{KEY}\n")
    assert read_key(file, {"RHUMBLINE_API_KEY": "other"}) == KEY
    assert read_key(None, {"RHUMBLINE_API_KEY": f" {KEY}\n"}) == KEY
    assert read_key(None, {}) is None
    assert read_key(None, {"RHUMBLINE_API_KEY": ""}) is None


@pytest.mark.parametrize("content", [f"{KEY}\n{KEY}", f"{KEY}\x00", "schlüssel", "", "k" * 257])
def test_what_is_no_key_is_refused_and_not_shown(tmp_path: Path, content: str) -> None:
    """A header with a line break in it would make the client's error show the key."""
    file = tmp_path / "key"
    file.write_text(content, "utf-8")
    with pytest.raises(OptionsError, match=r"^--key-file .*: holds no API key: one line") as raised:
        read_key(file, {})
    assert not content or content not in str(raised.value)


def test_a_key_file_that_is_not_there_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--key-file", "gone"]) == 2
    assert capsys.readouterr().err == "rhumbline-mcp: --key-file gone: cannot be read: No such file or directory\n"


def test_a_key_is_no_argument() -> None:
    done = subprocess.run([PROGRAM, "--key", KEY], capture_output=True, text=True, env=environment(), check=False)
    assert done.returncode == 2


GARBAGE = [
    b"\n", b"not json\n", b"\xff\xfe\x00\n", b"[]\n", b"{}\n", b"null\n", b'{"jsonrpc": "1.0", "id": 3}\n',
    b'{"jsonrpc": "2.0", "id": {}, "method": "tools/list"}\n', b"[" * 100_000 + b"\n",
    b'{"jsonrpc": "2.0", "method": "notifications/none"}\n', b'{"jsonrpc": "2.0", "id": 9, "result": {}}\n',
]  # fmt: skip


def test_garbage_on_standard_input_ends_nothing() -> None:
    """What is no message is passed over, and what follows is answered; the end of input ends the program."""
    listed = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}
    with subprocess.Popen(
        [PROGRAM, "--url", "http://127.0.0.1:9"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, env=environment(),
    ) as process:  # fmt: skip
        assert process.stdin is not None
        assert process.stdout is not None
        said: list[dict[str, Any]] = []
        process.stdin.write(b"".join(GARBAGE) + json.dumps(INITIALIZE).encode() + b"\n")
        process.stdin.flush()
        while not said or said[-1].get("id") != 1:
            said.append(json.loads(process.stdout.readline()))
        process.stdin.write(b'{"jsonrpc": "2.0", "method": "notifications/initialized"}\n' + b"".join(GARBAGE))
        process.stdin.write(json.dumps(listed).encode() + b"\n")
        process.stdin.flush()
        while said[-1].get("id") != 2:
            said.append(json.loads(process.stdout.readline()))
        assert len(said[-1]["result"]["tools"]) == 10
        process.stdin.close()
        assert process.wait(60) == 0


def test_it_can_be_interrupted_while_it_reads() -> None:
    with subprocess.Popen(
        [PROGRAM], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment()
    ) as process:  # fmt: skip
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(INITIALIZE).encode() + b"\n")
        process.stdin.flush()
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == -signal.SIGINT


async def test_the_key_goes_to_the_service_and_nowhere_else(answering: ScriptedService, tmp_path: Path) -> None:
    body = {**error(401, "VALIDATION_ERROR").body, "details": {"errorCode": "API_KEY_INVALID"}}
    answering.replies["GET /v1/transactions"] = [Reply(401, body)]
    log = tmp_path / "log"
    server = StdioServerParameters(
        command=str(PROGRAM), args=["--url", answering.url], env=environment(RHUMBLINE_API_KEY=KEY)
    )
    with log.open("w") as errors:
        async with Client(stdio_client(server, errlog=errors)) as client:
            result = await client.call_tool("transactions", {})
    assert answering.keys == {KEY}
    assert result.is_error
    assert "This server needs a key that is valid for this" in str(result)
    assert KEY not in str(result) + log.read_text()


@pytest.fixture(scope="module")
def listening() -> Iterator[str]:
    """A server that listens, for a service that is away."""
    with subprocess.Popen(
        [PROGRAM, "--http", "--port", "0", "--url", "http://127.0.0.1:9", "--allow-host", "mcp.example"],
        stderr=subprocess.PIPE, text=True, env=environment(),
    ) as process:  # fmt: skip
        assert process.stderr is not None
        yield process.stderr.readline().removeprefix("listening on ").strip()
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 130


def posted(url: str, body: object = INITIALIZE, **headers: str) -> httpx.Response:
    accepted = {"accept": "application/json, text/event-stream", "content-type": "application/json"}
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return httpx.post(url, content=content, headers=accepted | headers, timeout=60, trust_env=False)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"host": "mcp.example"}, 200),
        ({"host": "mcp.example", "origin": "https://mcp.example"}, 200),
        ({"host": "evil.example"}, 421),
        ({"host": "127.0.0.1.evil.example"}, 421),
        ({"host": "localhost:1"}, 421),
        ({"origin": "https://evil.example"}, 403),
        ({"origin": "http://localhost:1"}, 403),
        ({"origin": "null"}, 403),
    ],
)
def test_a_page_of_another_site_does_not_get_in(listening: str, headers: dict[str, str], status: int) -> None:
    assert posted(listening, **headers).status_code == status


@pytest.mark.parametrize(
    ("body", "status"), [(b"garbage", 400), (b"[]", 400), (b"", 400), (b"{}", 400), (b" " * 70_000, 413)]
)
def test_garbage_over_http_is_refused_and_the_next_is_answered(listening: str, body: bytes, status: int) -> None:
    assert posted(listening, body).status_code == status
    assert posted(listening).json()["result"]["serverInfo"]["name"] == "rhumbline"


async def test_http_answers_the_sdks_client(listening: str) -> None:
    async with Client(listening) as client:
        assert len((await client.list_tools()).tools) == 10
        result = await client.call_tool("chains", {})
    assert "The Rhumbline service does not answer" in str(result)


def test_a_port_that_is_taken_is_said(listening: str, capsys: pytest.CaptureFixture[str]) -> None:
    port = listening.rpartition(":")[2].removesuffix("/mcp")
    assert main(["--http", "--port", port]) == 2
    assert f"127.0.0.1:{port}: cannot be listened on (Address already in use)" in capsys.readouterr().err


def test_names_without_a_port_are_taken_with_and_without_ours() -> None:
    settings = permitted(8701, ["a.example", "b.example:443"])
    assert settings.enable_dns_rebinding_protection
    assert settings.allowed_hosts == [
        "127.0.0.1:8701", "localhost:8701", "[::1]:8701", "a.example", "a.example:8701", "b.example:443"
    ]  # fmt: skip
    assert not any("*" in each for each in (*settings.allowed_hosts, *settings.allowed_origins))
