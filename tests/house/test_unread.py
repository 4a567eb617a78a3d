"""Files are shared out unread: every test is run and reported once, and nothing is read that another process runs."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CONFTEST = """
import os, pytest
pytest_plugins = ["tests.shares", "tests.unread"]

@pytest.fixture(scope="session")
def process():
    note(f"begins")
    yield os.getpid()
    note("ends")

@pytest.fixture(scope="module")
def module(process, request):
    yield request.module.__name__
    note(f"left {request.module.__name__}")

def note(text):
    with open(os.environ["NOTES"], "a") as notes:
        notes.write(f"{os.getpid()} {text}\\n")
"""
GOOD = """
import pytest
from conftest import note
note(f"read {__name__}")

@pytest.mark.parametrize("number", [1, 2, 3])
def test_numbers(module, number):
    note(f"run {module} {number}")
"""
BAD = f"""{GOOD}

def test_fails(module):
    assert module == "nothing"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "conftest.py").write_text(CONFTEST)
    for name, text in (("a", GOOD), ("b", GOOD), ("c", BAD), ("d", GOOD), ("e", "import nothing_of_this_name")):
        (tmp_path / f"test_{name}.py").write_text(text)
    return tmp_path


def run(folder: Path, *words: str) -> tuple[subprocess.CompletedProcess[str], list[tuple[str, str]]]:
    """Run the tests in two processes; its end, and what each process noted."""
    notes = folder / "notes"
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "xdist", "-n", "2", *words]
    environment = {"NOTES": str(notes), "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    return done, [(pid, text) for pid, _, text in (line.partition(" ") for line in notes.read_text().splitlines())]


def test_every_test_once_and_every_file_in_one_process(folder: Path) -> None:
    done, notes = run(folder)
    assert "1 failed, 12 passed, 1 error" in done.stdout, done.stdout
    assert "FAILED test_c.py::test_fails - AssertionError" in done.stdout
    assert "ERROR test_e.py" in done.stdout
    said = [text for _, text in notes]
    for name in ("test_a", "test_b", "test_c", "test_d"):
        assert sorted(text for text in said if name in text) == sorted(
            (f"read {name}", *(f"run {name} {number}" for number in (1, 2, 3)), f"left {name}")
        )
    for pid in {pid for pid, _ in notes}:
        own = [text for each, text in notes if each == pid]
        assert own.count("begins") == own.count("ends") == 1
        assert own[-1] == "ends"
        # What is read is run here, before the next one is read.
        files = [text.partition(" ")[2] for text in own if text.startswith(("read", "left"))]
        assert files[::2] == files[1::2]


def test_a_file_that_cannot_be_read_fails_the_run(folder: Path) -> None:
    done, _ = run(folder, "test_a.py", "test_e.py")
    assert "3 passed, 1 error" in done.stdout, done.stdout
    assert done.returncode == 1


@pytest.mark.parametrize(
    ("words", "passed"),
    [(("test_a.py::test_numbers[2]",), 1), (("-k", "numbers and 3", "--ignore=test_e.py"), 4), (("test_a.py",), 3)],
)
def test_a_choice_of_tests_is_kept(folder: Path, words: tuple[str, ...], passed: int) -> None:
    done, _ = run(folder, *words)
    assert done.returncode == 0, done.stdout
    assert f"{passed} passed" in done.stdout


def test_a_process_that_dies_fails_the_run_and_the_other_files_are_run(folder: Path) -> None:
    (folder / "test_b.py").write_text("import os\n\ndef test_dies():\n    os._exit(1)\n")
    done, _ = run(folder, "test_a.py", "test_b.py", "test_d.py")
    assert "6 passed" in done.stdout, done.stdout
    assert "crashed while running 'test_b.py::" in done.stdout
    assert done.returncode == 1
