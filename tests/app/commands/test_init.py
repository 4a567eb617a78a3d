"""A first settings file, and what `serve` says where there is none."""

import asyncio
import io
import os
import re
import stat
from pathlib import Path

import pytest

from rhumbline.app.chains import known_to
from rhumbline.app.first_settings import Answers, written
from rhumbline.app.settings import load_settings
from tests.app.conftest import Command
from tests.app.service_process import COMMAND


def answered(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


def test_yes_writes_a_file_that_holds(command: Command, tmp_path: Path) -> None:
    ran = command("init", "--yes")
    assert ran.code == 0, ran.err
    assert "rhumbline.toml is written, and serves no chain yet" in ran.err
    file = tmp_path / "rhumbline.toml"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    settings = load_settings(file, {})
    assert settings.chains == ()
    assert file.read_text().count("#") > 10


def test_the_answers_become_settings(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dsn = 'postgresql://user:a"b\\c@db.example:5432/rhumbline'
    answered(monkeypatch, "https://swap.example", dsn, "base", "https://node.example/key", "nowhere", "8453", "eth",
             "http://127.0.0.1:8545", "")  # fmt: skip
    ran = command("init", "--file", "own.toml")
    assert ran.code == 0, ran.err
    assert "nowhere: no chain that is known" in ran.err
    assert "base: was named already" in ran.err
    settings = load_settings(tmp_path / "own.toml", {})
    assert settings.base_url == "https://swap.example"
    assert settings.store.dsn is not None
    assert settings.store.dsn.get_secret_value() == dsn
    served = {chain.id: chain.rpc.get_secret_value() for chain in settings.chains if chain.rpc is not None}
    assert served == {8453: "https://node.example/key", 1: "http://127.0.0.1:8545"}
    known_to(settings)
    assert all(chain.ws is None for chain in settings.chains)
    socket = '# ws = "wss://your-node.example/with-a-key"\n'
    text = (tmp_path / "own.toml").read_text()
    assert text.count(socket) == 2
    (tmp_path / "own.toml").write_text(text.replace(socket, socket.removeprefix("# ")))
    sockets = [chain.ws for chain in load_settings(tmp_path / "own.toml", {}).chains]
    assert [each and each.get_secret_value() for each in sockets] == ["wss://your-node.example/with-a-key"] * 2


@pytest.mark.parametrize("words", [["init"], ["init", "--yes"]])
@pytest.mark.parametrize("there", ["file", "link", "folder"])
def test_what_is_there_is_never_overwritten(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], there: str
) -> None:
    file = tmp_path / "rhumbline.toml"
    if there == "file":
        file.write_text("brand = 'Mine'")
    elif there == "link":
        file.symlink_to(tmp_path / "elsewhere.toml")
    else:
        file.mkdir()
    answered(monkeypatch)
    ran = command(*words)
    assert ran.code == 1
    assert "rhumbline.toml: is there already and is left as it is; name another with --file" in ran.err
    assert there != "file" or file.read_text() == "brand = 'Mine'"
    assert not (tmp_path / "elsewhere.toml").exists()


@pytest.mark.parametrize(
    ("lines", "key"),
    [(("ftp://x", "", ""), "base_url: "), (("http://x", "", "base", "node.example", ""), "chains.0.rpc: ")],
)
def test_an_answer_that_is_no_setting_writes_nothing(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lines: tuple[str, ...], key: str
) -> None:
    answered(monkeypatch, *lines)
    ran = command("init")
    assert ran.code == 2
    assert key in ran.err
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there(command: Command) -> None:
    ran = command("init", "--yes", "--file", "none/rhumbline.toml")
    assert ran.code == 1
    assert "none/rhumbline.toml: cannot be written: No such file or directory" in ran.err


async def test_serve_says_which_file_it_looked_for(tmp_path: Path, store_dsn: str) -> None:
    """And what it runs with, as when it was started in the wrong folder."""
    said = await until_ready(tmp_path, store_dsn)
    assert f"looked_for={tmp_path}/rhumbline.toml" in said
    assert "rhumbline init writes one; without [[chains]] nothing can be quoted" in said
    assert "store=configured" in said


async def test_serve_says_which_file_it_reads(tmp_path: Path, store_dsn: str) -> None:
    (tmp_path / "rhumbline.toml").write_text(written(Answers()))
    said = await until_ready(tmp_path, store_dsn)
    assert f"file={tmp_path}/rhumbline.toml" in said
    assert "looked_for" not in said
    assert "no_chain_served" in said


async def until_ready(folder: Path, dsn: str) -> str:
    """Start the service in a folder; return what it said until it was ready."""
    variables = {"RHUMBLINE_STORE__DSN": dsn, "RHUMBLINE_SERVER__PORT": "0", "RHUMBLINE_PRICES__SOURCES": "[]"}
    serve = await asyncio.create_subprocess_exec(
        *(COMMAND, "serve"), cwd=folder, env={**os.environ, **variables}, stderr=asyncio.subprocess.PIPE
    )
    assert serve.stderr is not None
    said = ""
    async with asyncio.timeout(120):
        while "ready" not in said and (line := await serve.stderr.readline()):
            said += line.decode()
    serve.terminate()
    await serve.communicate()
    return re.sub(r"\x1b\[[0-9;]*m", "", said)
