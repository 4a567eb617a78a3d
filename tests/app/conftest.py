"""Commands in this process, with the exit codes and the texts that a shell sees, and a log to be read."""

import asyncio
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager, contextmanager
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import TypeVar

import pytest

from rhumbline.app.chains import Chains, build_chains
from rhumbline.app.cli import main
from rhumbline.app.log import configure_logging
from rhumbline.app.sections import LogSettings
from rhumbline.app.settings import Settings
from rhumbline.devnet.svm.chains import RunningSolana, running_solana
from rhumbline.gateways.http.client import HttpClient
from tests.postgres_fixture import loop_on_a_thread

SANDBOX = {"id": 900003, "key": "sbxs", "name": "Sandbox Solana", "type": "SVM", "mainnet": False,
           "native": {"symbol": "SOL", "name": "Solana", "decimals": 9, "coin_key": "SOL"}}  # fmt: skip
MAINNET = 1000000001
WALLET = "9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin"
NOWHERE = "http://127.0.0.1:9"

T = TypeVar("T")


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
    monkeypatch.setenv("COLUMNS", "40")

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
def configure(monkeypatch: pytest.MonkeyPatch) -> Configure:
    """Configures the log and returns what it writes to."""

    def configured(settings: LogSettings) -> StringIO:
        written = StringIO()
        monkeypatch.setattr(sys, "stderr", written)
        configure_logging(settings)
        return written

    return configured


@contextmanager
def on_a_thread(running: AbstractAsyncContextManager[T]) -> Iterator[T]:
    """Enter it on a loop of its own, for tests and for commands, which have loops of theirs."""

    async def stop() -> None:
        await running.__aexit__(None, None, None)

    async def start() -> T:
        return await running.__aenter__()

    with loop_on_a_thread() as loop:
        yield asyncio.run_coroutine_threadsafe(start(), loop).result()
        asyncio.run_coroutine_threadsafe(stop(), loop).result()


@pytest.fixture(scope="module")
def solana() -> Iterator[RunningSolana]:
    """The sandbox's chain, at its own pace: the doctor compares the time of its slots with the clock."""
    with on_a_thread(running_solana()) as running:
        yield running


def settings(*entries: dict[str, object]) -> Settings:
    return Settings.model_validate({"chains": list(entries)})


@pytest.fixture
def chains(solana: RunningSolana, http: HttpClient) -> Chains:
    return build_chains(settings({**SANDBOX, "rpc": solana.server.rpc_url}, {"id": 1, "rpc": NOWHERE}), http)
