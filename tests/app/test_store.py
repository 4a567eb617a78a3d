"""A store that cannot be had is said in one line, without its password."""

import socket
from pathlib import Path

import pytest

from tests.app.test_cli import failed, rhumbline


@pytest.mark.parametrize("command", [["serve"], ["keys", "create", "--integrator", "acme"]])
def test_a_wrong_dsn(tmp_path: Path, command: list[str]) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
        dsn = f"postgresql://user:hidden-word@127.0.0.1:{port}/none"
        result = rhumbline(tmp_path, *command, RHUMBLINE_STORE__DSN=dsn, RHUMBLINE_SERVER__PORT="0")
    failed(result, 1)
    assert len(result.err.strip().splitlines()) == 1, result.err
    assert "hidden-word" not in result.err
