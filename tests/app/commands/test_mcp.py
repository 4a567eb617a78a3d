"""`rhumbline mcp` leads to the client's server for agents, and nothing else of the service needs it."""

import subprocess
import sys
from pathlib import Path

import pytest

from rhumbline.app.commands import mcp
from rhumbline.app.run import CommandFailed
from tests.app.conftest import Command
from tests.app.test_cli import failed


def test_an_option_that_cannot_be_used_is_named(command: Command) -> None:
    failed(
        command("mcp", "--url", "swap.example"), 1, "--url: give the service's address, such as https://swap.example"
    )
    failed(command("mcp", "--http", "--host", "0.0.0.0"), 1, "--host: 0.0.0.0 is reached from other machines")


def test_without_the_client_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mcp, "PACKAGE", "rhumbline_client_that_is_not_installed.mcp.command")
    with pytest.raises(CommandFailed, match=r"extra mcp beside .* \(rhumbline_client_that_is_not_installed is"):
        mcp.mcp()


def test_its_options_are_those_of_the_clients_own_command() -> None:
    """Both are described in docs/mcp.md, once."""
    programs = (("rhumbline", "mcp"), ("rhumbline-mcp",))
    told = [
        subprocess.run(
            [Path(sys.executable).with_name(name), *rest, "--help"], capture_output=True, text=True, check=True
        ).stdout
        for name, *rest in programs
    ]
    for option in ("--url", "--key-file", "--http", "--host", "--port", "--allow-host"):
        assert [option in text for text in told] == [True, True], option


@pytest.mark.parametrize("module", ["rhumbline.app.cli", "rhumbline.app.commands.serve", "rhumbline.app.commands.mcp"])
def test_the_protocol_and_tracing_are_imported_by_those_alone_who_use_them(module: str) -> None:
    unused = {"mcp", "rhumbline_client", "httpx2", "opentelemetry", "requests", "google"}
    code = f"import sys, {module}; sys.exit(', '.join({unused} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr.strip() == ""
