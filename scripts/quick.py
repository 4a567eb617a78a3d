"""`make quick`: linters, types, floors, the house rules of files, and the unit tests of what changed since main.

What changed is what git says: the working tree against where the branch left main (``--since`` names another place).
The tests of a changed module are, the nearest first: those at its mirrored place (`tests/a/test_b.py` for `a/b.py`),
those that import it, and those of its folder, or of the next folder above that has any. They begin in this order and
end when the minute is over; how many were left is said. Tests that start chains, stores, browsers or the service are
left to `make test`. Exit status 1 where anything fails.
"""

import argparse
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath

import pytest

ROOT = Path(__file__).parents[1]
SOURCES = "src/rhumbline/"
SLOW_FOLDERS = frozenset({"e2e", "portal", "live", "attack", "contracts", "house", "conformance", "deploy"})
SLOW_WORDS = (
    "sandbox", "emulators", "store_dsn", "store_engine", "postgres_", "redis_server", "running_", "chromium",
)  # fmt: skip
CHECKS = (
    ("ruff", "check", "."),
    ("ruff", "format", "--check", "."),
    ("lint-imports",),
    ("pytest", "-q", "-p", "no:cacheprovider", "tests/house/test_files.py", "tests/house/test_documents.py"),
)
WEB_CHECKS = (
    ("node_modules/@biomejs/cli-linux-x64/biome", "check", "--error-on-warnings", "web", "clients"),
    ("node_modules/.bin/tsc", "-p", "web"),
    ("node_modules/.bin/tsc", "-p", "web/test"),
    ("node_modules/.bin/tsc", "-p", "clients/typescript", "--noEmit"),
    ("node", "web/test.mjs"),
)
"""Where something of the pages' element or of the clients has changed."""
BESIDE = ("mypy",)
"""What takes longest runs beside all others."""
MINUTE_S = 55.0
LEAST_S = 15.0
"""So long unit tests may begin in any case."""
MOST_FILES = 40
"""To collect more takes longer than to run them."""


class Deadline:
    """Lets no test begin when its time is over, and counts those."""

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self.ends_at = clock() + seconds
        self.left = 0

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self) -> bool | None:
        if self.clock() < self.ends_at:
            return None
        self.left += 1
        return True


def main() -> int:
    """Run everything, say how long each took, and return the exit status."""
    began = time.monotonic()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--since", help="a branch or commit; main, else HEAD, by default")
    parser.add_argument("--list", action="store_true", help="only say which test files belong to what changed")
    arguments = parser.parse_args()
    paths = changed(arguments.since)
    tests = chosen(paths, unit_tests())
    if arguments.list:
        sys.stdout.writelines(f"{path}\n" for path in tests)
        return 0
    beside = subprocess.Popen(_command(BESIDE), cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    checks = (*CHECKS, *(WEB_CHECKS if any(path.startswith(("web/", "clients/")) for path in paths) else ()))
    failed = [" ".join(check[:3]) for check in checks if not passes(check)]
    if tests and not pass_in(max(LEAST_S, began + MINUTE_S - time.monotonic()), tests):
        failed.append("unit tests")
    written, _ = beside.communicate()
    sys.stdout.write(f"{written}· {' '.join(BESIDE)}: beside the others\n")
    if beside.returncode:
        failed.append(" ".join(BESIDE))
    sys.stdout.write(f"· {time.monotonic() - began:.1f} s in all\n")
    if not tests:
        sys.stdout.write("· no unit tests belong to what changed; `make test` runs everything\n")
    if failed:
        sys.stdout.write(f"· failed: {'; '.join(failed)}\n")
    return 1 if failed else 0


def pass_in(seconds: float, tests: Sequence[str]) -> bool:
    """Run test files in this order, as many tests as begin in time, and say how many were left."""
    deadline, began = Deadline(seconds), time.monotonic()
    files = [str(ROOT / path) for path in tests[:MOST_FILES]]
    status = pytest.main(["-q", "-x", "-p", "no:cacheprovider", *files], [deadline])
    left = f"; left to `make test`: {deadline.left} tests, {len(tests) - len(files)} files"
    sys.stdout.write(f"· unit tests: {time.monotonic() - began:.1f} s{left}\n")
    return status == pytest.ExitCode.OK


def passes(command: Sequence[str]) -> bool:
    """Run a program of the virtual environment, else of the npm packages or the system, and say how long it took."""
    began = time.monotonic()
    done = subprocess.run(_command(command), cwd=ROOT, check=False)
    sys.stdout.write(f"· {command[0]}: {time.monotonic() - began:.1f} s\n")
    sys.stdout.flush()
    return done.returncode == 0


def _command(words: Sequence[str]) -> list[str]:
    ours = Path(sys.executable).parent / words[0]
    return [str(ours) if ours.is_file() else words[0], *words[1:]]


def changed(since: str | None, root: Path = ROOT) -> list[str]:
    """Return the paths that differ from where this branch left `since`, new ones among them, and are there."""
    base = _git(root, "merge-base", "HEAD", since or "main") or _git(root, "rev-parse", since or "HEAD")
    if not base:
        raise SystemExit(f"quick: git knows no {since or 'HEAD'}")
    listed = _git(root, "diff", "--name-only", base[0]) + _git(root, "ls-files", "--others", "--exclude-standard")
    return sorted({path for path in listed if (root / path).is_file()})


def _git(root: Path, *words: str) -> list[str]:
    done = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=False)
    return done.stdout.splitlines() if done.returncode == 0 else []


def unit_tests(root: Path = ROOT) -> Mapping[str, str]:
    """Return the files of tests that start nothing slow, each with its text."""
    found = {}
    for file in sorted((root / "tests").rglob("test_*.py")):
        path, text = file.relative_to(root), file.read_text("utf-8")
        if not SLOW_FOLDERS.intersection(path.parts) and not any(word in text for word in SLOW_WORDS):
            found[path.as_posix()] = text
    return found


def chosen(paths: Iterable[str], tests: Mapping[str, str]) -> list[str]:
    """Return those of the tests that belong to the changed paths, the nearest first."""
    paths = sorted(set(paths))
    modules = [path for path in paths if path.endswith(".py") and not path.startswith("tests/")]
    sources = [PurePosixPath(path.removeprefix(SOURCES)) for path in modules if path.startswith(SOURCES)]
    nearest = [
        *paths,
        *(f"tests/{source.parent}/test_{source.name}" for source in sources),
        *(path for path, text in tests.items() if any(_names(text, module(changed)) for changed in modules)),
        *(path for source in sources for path in _of_folder(source, tests)),
    ]
    return [path for path in dict.fromkeys(nearest) if path in tests]


def _of_folder(source: PurePosixPath, tests: Mapping[str, str]) -> list[str]:
    """Return the tests of a module's folder; where it has none, of the next folder above that has any."""
    for folder in source.parents:
        found = [path for path in tests if PurePosixPath(path).is_relative_to(PurePosixPath("tests") / folder)]
        if found:
            return found
    return []


def module(path: str) -> str:
    """Return the dotted name under which a file is imported."""
    inside = path.removeprefix("clients/python/").removeprefix("src/")
    return inside.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _names(text: str, dotted: str) -> bool:
    parent, _, last = dotted.rpartition(".")
    return f"{dotted} import" in text or f"import {dotted}" in text or f"from {parent} import {last}\n" in text


if __name__ == "__main__":
    sys.exit(main())
