"""Commands in this process, with the exit codes and the texts that a shell sees, and a log to be read."""

import logging
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

import pytest
import structlog

from rhumbline.app.cli import main
from rhumbline.app.log import configure_logging
from rhumbline.app.sections import LogSettings


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


Configure = Callable[[LogSettings], StringIO]


@pytest.fixture
def configure(monkeypatch: pytest.MonkeyPatch) -> Iterator[Configure]:
    """Configures the log and returns what it writes to; afterwards the log is as it was before."""
    root, ours = logging.getLogger(), logging.getLogger("rhumbline")
    before = root.handlers[:], root.level, ours.level, structlog.get_config()

    def configured(settings: LogSettings) -> StringIO:
        written = StringIO()
        monkeypatch.setattr(sys, "stderr", written)
        configure_logging(settings)
        return written

    yield configured
    root.handlers[:] = before[0]
    root.setLevel(before[1])
    ours.setLevel(before[2])
    structlog.configure(**before[3])
