"""A first settings file, and what `serve` says where there is none."""

import io
import stat
from pathlib import Path

import pytest

from rhumbline.app.settings import load_settings
from tests.app.conftest import Command


def answered(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


def test_yes_writes_a_file_that_holds(command: Command, tmp_path: Path) -> None:
    ran = command("init", "--yes")
    assert ran.code == 0, ran.err
    assert "wrote rhumbline.toml; it serves no chain yet: add [[chains]] with id and rpc" in ran.err
    file = tmp_path / "rhumbline.toml"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    settings = load_settings(file, {})
    assert settings.chains == ()
    assert file.read_text().count("#") > 10


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
    assert "rhumbline.toml: already exists and is not overwritten; choose another path with --file" in ran.err
    assert there != "file" or file.read_text() == "brand = 'Mine'"
    assert not (tmp_path / "elsewhere.toml").exists()


def test_a_folder_that_is_not_there(command: Command) -> None:
    ran = command("init", "--yes", "--file", "none/rhumbline.toml")
    assert ran.code == 1
    assert "none/rhumbline.toml: cannot be written: No such file or directory" in ran.err
