"""What is answered becomes settings."""

from pathlib import Path

import pytest

from rhumbline.app.chains import known_to
from rhumbline.app.settings import load_settings
from tests.app.commands.test_init import answered
from tests.app.conftest import Command


def test_the_answers_become_settings(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dsn = 'postgresql://user:a"b\\c@db.example:5432/rhumbline'
    answered(monkeypatch, "https://swap.example", dsn, "base", "https://node.example/key", "nowhere", "8453", "eth",
             "http://127.0.0.1:8545", "")  # fmt: skip
    ran = command("init", "--file", "own.toml")
    assert ran.code == 0, ran.err
    assert "nowhere: not a known chain" in ran.err
    assert "base: already in the list" in ran.err
    settings = load_settings(tmp_path / "own.toml", {})
    assert settings.base_url == "https://swap.example"
    assert settings.store.dsn is not None
    assert settings.store.dsn.get_secret_value() == dsn
    served = {chain.id: chain.rpc[0].url.get_secret_value() for chain in settings.chains if chain.rpc is not None}
    assert served == {8453: "https://node.example/key", 1: "http://127.0.0.1:8545"}
    known_to(settings)
    assert all(chain.ws is None for chain in settings.chains)
    socket = '# ws = "wss://your-node.example/with-a-key"\n'
    text = (tmp_path / "own.toml").read_text()
    assert text.count(socket) == 2
    (tmp_path / "own.toml").write_text(text.replace(socket, socket.removeprefix("# ")))
    sockets = [chain.ws for chain in load_settings(tmp_path / "own.toml", {}).chains]
    assert [each and each.get_secret_value() for each in sockets] == ["wss://your-node.example/with-a-key"] * 2


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
