"""Folders: the tests of a module lie where it lies, and a folder and the loose files beside it have one direction."""

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path

from tests.house.rules import CHOOSES_WINGS, PACKAGE, hold

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / PACKAGE
FEWEST_COUNTERPARTS = 450
"""So many modules have their tests at the mirrored place; whoever adds some raises it."""
ADAPTERS = f"{PACKAGE}adapters/"
"""An adapter's folder is one room: `adapter.py` stands above its `svm/`, and the deployments below both."""
NOT_YET_APART = frozenset[str]()


def counterpart(module: Path, root: Path = ROOT) -> Path:
    """Return where the tests of a module belong: the same folders below `tests`."""
    inside = module.relative_to(root / PACKAGE)
    return root / "tests" / inside.parent / f"test_{inside.name}"


def with_counterpart(root: Path = ROOT) -> list[Path]:
    """Return the modules that have tests at the mirrored place."""
    found = []
    for module in sorted((root / PACKAGE).rglob("*.py")):
        tests = counterpart(module, root)
        if module.name != "__init__.py" and tests.is_file() and "def test_" in tests.read_text("utf-8"):
            found.append(module)
    return found


def test_tests_lie_where_their_modules_lie() -> None:
    count = len(with_counterpart())
    hold(
        f"at least {FEWEST_COUNTERPARTS} modules have their tests at the mirrored place",
        [] if count >= FEWEST_COUNTERPARTS else [f"only {count} have"],
        "name a file of tests after the module that it tests, and put it into the same folders below tests/",
    )


def test_a_module_without_tests_at_its_place_is_not_counted(tmp_path: Path) -> None:
    for path, text in {
        f"{PACKAGE}pricing/evm/pools.py": "",
        f"{PACKAGE}pricing/book.py": "",
        f"{PACKAGE}pricing/cache.py": "",
        "tests/pricing/evm/test_pools.py": "def test_a() -> None: ...",
        "tests/pricing/test_book.py": "A = 1",
        "tests/test_cache.py": "def test_a() -> None: ...",
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, "utf-8")
    assert with_counterpart(tmp_path) == [tmp_path / PACKAGE / "pricing/evm/pools.py"]


def imported(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def importing(files: Iterable[Path], prefixes: Iterable[str]) -> list[str]:
    """Return the names of those files that import something at or below one of the dotted prefixes."""
    below = tuple(f"{prefix}." for prefix in prefixes)
    return sorted({file.name for file in files if any(f"{name}.".startswith(below) for name in imported(file))})


def both_ways(folder: Path, package: str) -> str | None:
    """Say which files make a folder and the loose files beside it import each other; None where they do not."""
    loose = [file for file in folder.parent.glob("*.py") if file.name != "__init__.py"]
    loose = [file for file in loose if not file.as_posix().endswith(CHOOSES_WINGS)]
    up = importing(folder.rglob("*.py"), (f"{package}.{file.stem}" for file in loose))
    down = importing(loose, [f"{package}.{folder.name}"])
    return f"{', '.join(down)} import it, and its {', '.join(up)} import loose files" if up and down else None


def test_a_folder_and_the_loose_files_beside_it_do_not_import_each_other() -> None:
    places, mixed = [], set()
    for file in sorted(SOURCES.rglob("*/__init__.py")):
        folder = file.parent
        path = folder.relative_to(ROOT).as_posix()
        package = ".".join(folder.parent.relative_to(ROOT / "src").parts)
        if folder.parent == SOURCES or path.startswith(ADAPTERS):
            continue
        found = both_ways(folder, package)
        if found is not None:
            mixed.add(f"{package} {folder.name}")
            if f"{package} {folder.name}" not in NOT_YET_APART:
                places.append(f"{path}: {found}")
    hold(
        "a folder and the loose files beside it do not import each other",
        places,
        "put what stands above the folder, or what lies below it, into a folder of its own",
    )
    assert mixed >= NOT_YET_APART, "take these off the list"


def test_a_folder_in_both_directions_is_found(tmp_path: Path) -> None:
    folder = tmp_path / "rhumbline" / "http"
    folder.mkdir(parents=True)
    (folder / "pool.py").write_text("from rhumbline.words import A\n", "utf-8")
    (tmp_path / "rhumbline" / "words.py").write_text("A = 1\n", "utf-8")
    above = tmp_path / "rhumbline" / "server.py"
    above.write_text("import rhumbline.httpx\n", "utf-8")
    assert both_ways(folder, "rhumbline") is None
    above.write_text("def f():\n    from rhumbline.http import pool\n", "utf-8")
    assert both_ways(folder, "rhumbline") == "server.py import it, and its pool.py import loose files"
