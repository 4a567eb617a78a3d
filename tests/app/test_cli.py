"""The commands as a person runs them: what goes wrong is one clear text, an exit code, and no traceback."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from rhumbline.app.cli import app
from rhumbline.devnet.sandbox import Sandbox
from tests.app.conftest import Command, Ran

COMMAND = Path(sys.executable).with_name("rhumbline")
# No test asks the price sources of the world; tests/app/commands/test_doctor.py has some of its own.
CHAIN = """
[prices]
sources = ["onchain"]

[[chains]]
id = 900001
key = "sbxa"
name = "Sandbox A"
rpc = "{rpc}"
native = {{ symbol = "ETH", name = "Ether" }}
"""


def rhumbline(folder: Path, *words: str, **variables: str) -> Ran:
    """The command in a process of its own, as a shell starts it."""
    environment = {**os.environ, "COLUMNS": "160", **variables}
    ran = subprocess.run(
        [str(COMMAND), *words], cwd=folder, env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    return Ran(ran.returncode, ran.stdout, ran.stderr)


def failed(ran: Ran, code: int, *parts: str) -> None:
    assert ran.code == code, ran.err
    assert "Traceback" not in ran.err + ran.out
    for part in parts:
        assert part in ran.err + ran.out


@pytest.mark.parametrize(
    "command", ["", "serve", "worker", "devnet", "quote", "track", "integrators", "keys", "contracts", "doctor"]
)
def test_help_is_there(command: str) -> None:
    result = CliRunner().invoke(app, [*command.split(), "--help"])
    assert result.exit_code == 0
    assert "Usage: " in result.stdout


def test_a_mistyped_command_is_answered_with_the_right_one(tmp_path: Path) -> None:
    failed(rhumbline(tmp_path, "srve"), 2, "No such command 'srve'. Did you mean 'serve'?")


def test_the_version_is_the_packages(tmp_path: Path) -> None:
    assert re.fullmatch(r"rhumbline \d+\.\d+\.\d+\n", rhumbline(tmp_path, "--version").out)


@pytest.mark.parametrize("command", [["serve"], ["keys", "list"]])
def test_a_broken_settings_file(tmp_path: Path, command: list[str]) -> None:
    (tmp_path / "rhumbline.toml").write_text("brand = 'x'\n[server\nport = 1")
    failed(rhumbline(tmp_path, *command), 2, "rhumbline.toml: not valid TOML")


def test_every_wrong_setting_is_named_and_no_secret_shown(tmp_path: Path) -> None:
    (tmp_path / "rhumbline.toml").write_text("[server]\nprot = 1\n[fees]\nservice_share = 2")
    failed(rhumbline(tmp_path, "serve"), 2, "server.prot: there is no such setting", "fees.service_share: ")
    hidden = rhumbline(tmp_path, "serve", RHUMBLINE_STORE__DSN='["hidden-word"]')
    failed(hidden, 2, "store.dsn: ")
    assert "hidden-word" not in hidden.err


def test_the_doctor_sees_an_unreachable_node(tmp_path: Path, command: Command) -> None:
    (tmp_path / "rhumbline.toml").write_text(CHAIN.format(rpc="http://127.0.0.1:9/hidden-word"))
    result = command("doctor")
    failed(result, 1, "sbxa", "does not answer (nothing listens there); it was asked at 127.0.0.1:9")
    assert "hidden-word" not in result.out + result.err


def test_the_doctor_is_content_with_a_good_house(tmp_path: Path, sandbox: Sandbox, command: Command) -> None:
    (tmp_path / "rhumbline.toml").write_text(CHAIN.format(rpc=sandbox.chain("sbxa").rpc_url))
    result = command("doctor")
    assert result.code == 0, result.out + result.err
    assert "Executor identical, Diamond identical" in result.out


def test_the_doctor_sees_a_node_on_another_chain(tmp_path: Path, sandbox: Sandbox, command: Command) -> None:
    (tmp_path / "rhumbline.toml").write_text(CHAIN.format(rpc=sandbox.chain("sbxb").rpc_url))
    failed(command("doctor"), 1, "the node is on chain 900002, the settings say 900001")


def test_contracts_are_verified_and_deployed_again_without_harm(
    tmp_path: Path, sandbox: Sandbox, command: Command
) -> None:
    (tmp_path / "rhumbline.toml").write_text(CHAIN.format(rpc=sandbox.chain("sbxa").rpc_url))
    (tmp_path / "key").write_text(sandbox.accounts[0].private_key)
    for words in (["verify"], ["deploy", "--key-file", "key"]):
        result = command("contracts", *words, "--chain", "sbxa")
        assert result.code == 0, result.err
        assert result.out.count("identical") == 2
    failed(command("contracts", "verify", "--chain", "mars"), 1, "--chain mars: not among the configured")
    (tmp_path / "key").write_text("0x12")
    failed(command("contracts", "deploy", "--chain", "sbxa", "--key-file", "key"), 1, "--key-file key: ")
