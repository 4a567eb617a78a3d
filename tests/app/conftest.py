"""Commands in this process: quick, and with the exit codes and the texts that a shell sees."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from rhumbline.app.cli import main


@dataclass(frozen=True)
class Ran:
    """How a command ended, and what it said."""

    code: int
    out: str
    err: str

    @property
    def words(self) -> str:
        """The results, with any row of blanks as one."""
        return " ".join(self.out.split())


Command = Callable[..., Ran]


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """Run `rhumbline` with these words in a folder of this test's."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")

    def run(*words: str) -> Ran:
        monkeypatch.setattr(sys, "argv", ["rhumbline", *words])
        capsys.readouterr()
        try:
            main()
        except SystemExit as ended:
            code = ended.code if isinstance(ended.code, int) else 1
        else:
            code = 0
        said = capsys.readouterr()
        return Ran(code, said.out, said.err)

    return run
