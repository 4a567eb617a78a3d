"""What contributors work with does what it says: `make quick`, `make dev`, the hooks, the workflow."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.quick import BESIDE, CHECKS, WEB_CHECKS, Deadline, changed, chosen, unit_tests

ROOT = Path(__file__).parents[2]
BUSY_S = 60


def git(folder: Path, *words: str) -> None:
    own = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    who = {f"GIT_{role}_{what}": "reader" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    subprocess.run(["git", *words], cwd=folder, env=own | who, check=True, capture_output=True)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A branch beside main, in a project of a few modules and their tests."""
    for path, text in {
        "src/rhumbline/pricing/book.py": "A = 1\n",
        "src/rhumbline/pricing/throttled_source.py": "A = 1\n",
        "src/rhumbline/pricing/evm/pools.py": "A = 1\n",
        "src/rhumbline/adapters/okx/client.py": "A = 1\n",
        "tests/pricing/test_book.py": "from rhumbline.pricing.book import A\n",
        "tests/pricing/test_pace.py": "from rhumbline.pricing import pace\nimport rhumbline.pricing.throttled_source\n",
        "tests/pricing/test_served.py": "from rhumbline.pricing.book import A\ndef test_it(sandbox): ...\n",
        "tests/adapters/okx/test_answers.py": "",
        "tests/adapters/relay/test_answers.py": "",
        "tests/e2e/test_all.py": "from rhumbline.pricing.book import A\n",
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, "utf-8")
    git(tmp_path, "init", "-q", "-b", "main")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "all")
    git(tmp_path, "checkout", "-qb", "branch")
    return tmp_path


@pytest.mark.parametrize(
    ("touched", "tests"),
    [
        ("src/rhumbline/pricing/book.py", ["tests/pricing/test_book.py", "tests/pricing/test_pace.py"]),
        ("src/rhumbline/pricing/throttled_source.py", ["tests/pricing/test_pace.py", "tests/pricing/test_book.py"]),
        ("src/rhumbline/pricing/evm/pools.py", ["tests/pricing/test_book.py", "tests/pricing/test_pace.py"]),
        ("src/rhumbline/adapters/okx/client.py", ["tests/adapters/okx/test_answers.py"]),
        ("src/rhumbline/adapters/okx/wire.py", ["tests/adapters/okx/test_answers.py"]),
        ("tests/pricing/test_new.py", ["tests/pricing/test_new.py"]),
        ("tests/e2e/test_all.py", []),
        ("docs/new.md", []),
    ],
)
def test_quick_finds_the_unit_tests_of_what_changed(project: Path, touched: str, tests: list[str]) -> None:
    assert changed(None, project) == []
    file = project / touched
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("B = 2\n", "utf-8")
    assert changed(None, project) == [touched]
    assert chosen([touched], unit_tests(project)) == tests
    git(project, "add", "-A")
    git(project, "commit", "-qm", "more")
    assert changed(None, project) == [touched], "what is committed on the branch has changed since main too"
    assert changed("HEAD", project) == []


def test_quick_says_so_where_git_knows_no_such_place(project: Path) -> None:
    with pytest.raises(SystemExit, match="git knows no nowhere"):
        changed("nowhere", project)


def test_quick_runs_the_linters_types_and_floors() -> None:
    assert {"ruff", "mypy", "lint-imports", "pytest"} == {check[0] for check in (*CHECKS, BESIDE)}
    for check in (*CHECKS, *WEB_CHECKS):
        for word in check:
            assert not word.startswith(("tests/", "web/")) or (ROOT / word).exists(), word


def test_quick_has_unit_tests_of_every_module() -> None:
    tests = unit_tests()
    sources = [file.relative_to(ROOT).as_posix() for file in (ROOT / "src").rglob("*.py")]
    assert [source for source in sources if not chosen([source], tests)] == []


def test_quick_begins_no_test_when_its_time_is_over() -> None:
    now = iter([0.0, 1.0, 3.0, 4.0])
    deadline = Deadline(2.0, lambda: next(now))
    assert [deadline.pytest_runtest_protocol() for _ in range(3)] == [None, True, True]
    assert deadline.left == 2


def test_quick_says_how_much_it_left(tmp_path: Path) -> None:
    file = tmp_path / "test_two.py"
    file.write_text("def test_a(): assert False\ndef test_b(): assert False\n", "utf-8")
    run = f"from scripts.quick import pass_in; pass_in(0, [{str(file)!r}] * 50)"
    done = subprocess.run([sys.executable, "-c", run], cwd=ROOT, capture_output=True, text=True, check=True)
    assert "left to `make test`: 2 tests, 10 files" in done.stdout


SERVER = "import sys, time\nprint('up', flush=True)\ntime.sleep(600)\n"


def test_dev_starts_again_when_a_source_changes(tmp_path: Path) -> None:
    source = tmp_path / "src" / "new.py"
    source.parent.mkdir()
    source.write_text("A = 1\n", "utf-8")
    server = tmp_path / "server.py"
    server.write_text(SERVER, "utf-8")
    dev = subprocess.Popen(
        [sys.executable, ROOT / "scripts" / "dev.py", "--watch", source.parent, "--", sys.executable, server],
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert dev.stdout is not None
        assert dev.stdout.readline() == "up\n"
        source.write_text("A = 1234\n", "utf-8")
        assert dev.stdout.readline() == "up\n"
        dev.send_signal(signal.SIGTERM)
        assert dev.wait(BUSY_S) == 0
        # Nobody is left who could write.
        assert dev.stdout.read() == ""
    finally:
        dev.kill()
        dev.wait()
        if dev.stdout is not None:
            dev.stdout.close()


def test_hooks_are_local_and_name_what_is_there() -> None:
    text = (ROOT / ".pre-commit-config.yaml").read_text("utf-8")
    assert re.findall(r"repo: (\S+)", text) == ["local"]
    assert re.findall(r"language: (\S+)", text) == ["system"] * 6
    for entry in re.findall(r"entry: (.+)", text):
        program, *words = entry.split()
        assert (ROOT / program).exists(), program
        for word in words:
            assert not word.startswith("tests/") or (ROOT / word).exists(), word


def test_the_workflow_runs_what_everybody_runs() -> None:
    text = (ROOT / ".github" / "workflows" / "checks.yml").read_text("utf-8")
    assert re.findall(r"run: (.+)", text) == [".ci/run"]
    assert '["3.11", "3.12", "3.13", "3.14"]' in text
    assert os.access(ROOT / ".ci" / "run", os.X_OK)
