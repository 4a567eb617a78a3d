"""Tests that use the same slow thing run in the same process, which pytest-xdist itself does not see to."""

from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from xdist.remote import Producer
from xdist.workermanage import WorkerController

from tests.shares import APART, FIRST, HALVES, TOGETHER, Shares, rank_of, share_of

ROOT = Path(__file__).parents[2]


class Process:
    """A process as the scheduler sees it."""

    shutting_down = False

    def __init__(self, name: str) -> None:
        self.gateway = SimpleNamespace(id=name)
        self.given: list[int] = []

    def send_runtest_some(self, indices: list[int]) -> None:
        self.given += indices

    def shutdown(self) -> None:
        self.shutting_down = True


def test_what_is_shared_exists() -> None:
    for path in (*TOGETHER, *APART, *(share.partition(" from ")[0] for share in FIRST)):
        assert list(ROOT.glob(f"{path}*")), path
    assert all(share_of(path) == path for path in APART)
    shares = {share_of(path.relative_to(ROOT).as_posix()) for path in ROOT.glob("tests/**/test_*.py")}
    assert set(FIRST) <= shares


def test_a_folder_is_halved_by_the_names_of_its_files() -> None:
    assert set(HALVES) <= set(TOGETHER)
    for folder, letter in HALVES.items():
        assert share_of(f"{folder}/test_a.py::test_b") == folder
        assert share_of(f"{folder}/test_{letter}.py::test_b") == f"{folder} from {letter}"


def test_a_share_is_a_file_or_a_folder() -> None:
    assert share_of("tests/domain/test_x.py::test_a[b/c::d]") == "tests/domain/test_x.py"
    assert share_of("tests/portal/test_a.py::test_a") == share_of("tests/portal/test_b.py::test_b") == "tests/portal"
    assert share_of("tests/portal/swap/test_a.py::test_a") == "tests/portal/swap"
    assert share_of(f"{APART[0]}::test_a") == APART[0]
    assert rank_of(f"{FIRST[0]}/test_x.py::test_a") == 0
    assert rank_of("tests/domain/test_x.py::test_a") == len(FIRST)


def test_a_folder_within_another_is_a_share_of_its_own() -> None:
    for number, folder in enumerate(TOGETHER):
        assert share_of(f"{folder}/test_a.py::test_a") == folder
        assert not any(folder.startswith(f"{earlier}/") for earlier in TOGETHER[:number])


def test_a_share_goes_to_one_process(pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pytestconfig.option, "loadscopereorder", False)
    monkeypatch.setattr(pytestconfig.option, "tx", ["popen", "popen"])
    tests = [
        f"tests/{name}.py::test_{n}" for name in ("portal/test_a", "portal/test_b", "domain/test_c") for n in "123"
    ]
    shares = Shares(pytestconfig, Producer("shares", enabled=False))
    processes = [Process("one"), Process("two")]
    for process in processes:
        shares.add_node(cast(WorkerController, process))
        shares.add_node_collection(cast(WorkerController, process), tests)
    shares.schedule()
    assert [process.given for process in processes] == [[0, 1, 2, 3, 4, 5], [6, 7, 8]]
