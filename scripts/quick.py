"""`make quick`: linters, types, floors, the house rules of files, and the unit tests of what changed since main.

What changed is what git says: the working tree against where the branch left main (``--since`` names another place). A
test is one of a changed module if its file names that module or lies in the folder of its adapter, and one of a changed
test file if it is in it. Tests that start chains, stores, browsers or the service are left to `make test`, and so are
those that no changed file leads to. Exit status 1 where anything fails.
"""

import argparse
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
SLOW_FOLDERS = frozenset({"e2e", "portal", "live", "attack", "contracts", "devnet", "house", "store", "conformance"})
ADAPTERS = "src/rhumbline/adapters/"
SLOW_WORDS = (
    "sandbox", "emulators", "store_dsn", "store_engine", "postgres_", "redis_server", "stage:", "running_demo",
    "chromium",
)  # fmt: skip
CHECKS = (
    ("ruff", "check", "."),
    ("ruff", "format", "--check", "."),
    ("lint-imports",),
    ("mypy",),
    ("pytest", "-q", "-p", "no:cacheprovider", "tests/house/test_files.py", "tests/house/test_documents.py"),
)


def main() -> int:
    """Run everything, say how long each took, and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--since", help="a branch or commit; main, else HEAD, by default")
    parser.add_argument("--list", action="store_true", help="only say which test files belong to what changed")
    arguments = parser.parse_args()
    tests = chosen(changed(arguments.since))
    if arguments.list:
        sys.stdout.writelines(f"{path}\n" for path in tests)
        return 0
    commands = [*CHECKS, *([("pytest", "-q", "-p", "no:cacheprovider", "-x", *tests)] if tests else [])]
    failed = [" ".join(command[:3]) for command in commands if not passes(command)]
    if not tests:
        sys.stdout.write("· no unit tests belong to what changed; `make test` runs everything\n")
    if failed:
        sys.stdout.write(f"· failed: {'; '.join(failed)}\n")
    return 1 if failed else 0


def passes(command: Sequence[str]) -> bool:
    """Run a program of the virtual environment, and say how long it took."""
    began = time.monotonic()
    program = str(Path(sys.executable).parent / command[0])
    done = subprocess.run([program, *command[1:]], cwd=ROOT, check=False)
    sys.stdout.write(f"· {command[0]}: {time.monotonic() - began:.1f} s\n")
    sys.stdout.flush()
    return done.returncode == 0


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


def chosen(paths: Iterable[str], root: Path = ROOT) -> list[str]:
    """Return the files of unit tests that belong to the changed paths."""
    paths = set(paths)
    names = {module(path) for path in paths if path.endswith(".py") and not _is_test(path)}
    own = (path.removeprefix(ADAPTERS).split("/") for path in paths if path.startswith(ADAPTERS))
    folders = {parts[0] for parts in own if len(parts) > 1}
    found = []
    for file in sorted((root / "tests").rglob("test_*.py")):
        path = file.relative_to(root).as_posix()
        parts = path.split("/")
        text = file.read_text("utf-8")
        if SLOW_FOLDERS.intersection(parts[1:-1]) or any(word in text for word in SLOW_WORDS):
            continue
        named = any(_names(text, name) for name in names)
        if path in paths or named or (parts[1] == "adapters" and parts[2] in folders):
            found.append(path)
    return found


def module(path: str) -> str:
    """Return the dotted name under which a file is imported."""
    return path.removeprefix("src/").removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _names(text: str, dotted: str) -> bool:
    parent, _, last = dotted.rpartition(".")
    return f"{dotted} import" in text or f"import {dotted}" in text or f"from {parent} import {last}\n" in text


def _is_test(path: str) -> bool:
    return path.startswith("tests/") and path.rpartition("/")[2].startswith("test_")


if __name__ == "__main__":
    sys.exit(main())
