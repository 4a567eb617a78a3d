"""The rules about files that a machine can hold."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "rhumbline"
SOURCES = sorted(PACKAGE.rglob("*.py"))
TRACKED = [
    ROOT / name
    for name in subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    if (ROOT / name).is_file()
]
LOCKS = {"package-lock.json", "requirements.lock", "requirements-setup.lock", "requirements-node.lock", "LICENSE"}
PROSE = [p for p in TRACKED if p.name not in LOCKS and p.suffix not in {".png", ".json"}]
VAGUE = {"utils", "util", "helpers", "helper", "common", "misc", "manager", "base"}


def relative(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", SOURCES, ids=relative)
def test_a_file_is_short(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) <= 300


@pytest.mark.parametrize("path", SOURCES, ids=relative)
def test_a_name_says_what_is_inside(path: Path) -> None:
    assert not VAGUE.intersection(part.removesuffix(".py") for part in path.relative_to(PACKAGE).parts)


@pytest.mark.parametrize("path", SOURCES, ids=relative)
def test_nothing_is_excused_or_unfinished(path: Path) -> None:
    marks = re.findall(
        r"type: ignore|\bnoqa\b|pragma: no cover|TODO|FIXME|XXX|NotImplementedError", path.read_text("utf-8")
    )
    assert not marks


@pytest.mark.parametrize("path", sorted((PACKAGE / "domain").rglob("*.py")), ids=relative)
def test_domain_needs_only_the_standard_library(path: Path) -> None:
    roots = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            roots |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            roots.add(node.module.split(".")[0])
    assert roots - sys.stdlib_module_names <= {"rhumbline"}
    assert not roots & {"socket", "asyncio", "subprocess", "os", "pathlib", "urllib", "http"}


@pytest.mark.parametrize("path", [p for p in SOURCES if p != PACKAGE / "app" / "settings.py"], ids=relative)
def test_only_settings_read_the_environment(path: Path) -> None:
    reads = [
        node
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Attribute) and node.attr in {"environ", "getenv"}
    ]
    assert not reads


@pytest.mark.parametrize("path", SOURCES, ids=relative)
def test_no_module_keeps_mutable_state(path: Path) -> None:
    """A module's own names hold constants: no list, dict or set that somebody could change, no ``global``."""
    tree = ast.parse(path.read_text("utf-8"))
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.Global)]
    for node in tree.body:
        value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
        if isinstance(value, ast.List | ast.Dict | ast.Set | ast.ListComp | ast.DictComp | ast.SetComp):
            names = [target.id for target in ast.walk(node) if isinstance(target, ast.Name)]
            assert names[:1] == ["__all__"], f"line {node.lineno}: use a tuple, a frozenset or MappingProxyType"


@pytest.mark.parametrize("path", PROSE, ids=relative)
def test_words_speak_of_the_project_alone(path: Path) -> None:
    try:
        text = path.read_text("utf-8")
    except UnicodeDecodeError:
        return
    if path == Path(__file__):
        return
    hosts = r"registry\.npmjs|files\.pythonhosted|pypi\.org|deb\.debian\.org"
    assert not re.findall(rf"/work/|/root/|\.\./shared|{hosts}", text)
