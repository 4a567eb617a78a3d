"""What the README and docs/ name exists: commands, targets, settings, files."""

import re
from pathlib import Path
from typing import get_args

import pytest
from pydantic import BaseModel

from rhumbline.app.commands import loading
from rhumbline.app.sections import AdapterSettings, UpstreamSettings
from rhumbline.app.settings import Settings

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")])


def relative(path: Path) -> str:
    return str(path.relative_to(ROOT))


def commands(command: object, prefix: tuple[str, ...]) -> dict[tuple[str, ...], object]:
    found = {prefix: command}
    for name, inner in getattr(command, "commands", {}).items():
        found |= commands(inner, (*prefix, name))
    return found


COMMANDS = {
    path: command for name in loading.COMMANDS for path, command in commands(loading.loaded(name), (name,)).items()
}


def setting_keys(model: type[BaseModel], prefix: str = "") -> set[str]:
    keys: set[str] = set()
    for name, field in model.model_fields.items():
        inner = [field.annotation, *get_args(field.annotation)]
        models = [item for item in inner if isinstance(item, type) and issubclass(item, BaseModel)]
        keys |= setting_keys(models[0], f"{prefix}{name}.") if models else {prefix + name}
    if model is AdapterSettings:
        keys |= setting_keys(UpstreamSettings, f"{prefix}key.")
    return keys


@pytest.mark.parametrize("path", DOCUMENTS, ids=relative)
def test_links_lead_somewhere(path: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", path.read_text("utf-8")):
        if not target.startswith(("http://", "https://")):
            assert (path.parent / target).exists(), target


@pytest.mark.parametrize("path", DOCUMENTS, ids=relative)
def test_commands_exist(path: Path) -> None:
    text = path.read_text("utf-8")
    code = "\n".join(re.findall(r"```(?:sh|shell|console)\n(.*?)```", text, re.S) + re.findall(r"`([^`\n]+)`", text))
    for line in re.findall(r"(?<![\w./-])rhumbline ([a-z][^\n]*)", code):
        words = line.split()
        path_words: tuple[str, ...] = ()
        while len(path_words) < len(words) and (*path_words, words[len(path_words)]) in COMMANDS:
            path_words = (*path_words, words[len(path_words)])
        assert path_words, f"no such command: rhumbline {line}"
        command = COMMANDS[path_words]
        options = {option for parameter in getattr(command, "params", []) for option in parameter.opts}
        assert set(re.findall(r"(?<=\s)--[a-z-]+", " " + line)) <= options | {"--help"}, line


@pytest.mark.parametrize("path", DOCUMENTS, ids=relative)
def test_make_targets_exist(path: Path) -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.M))
    assert set(re.findall(r"`make ([a-z]+)|^make ([a-z]+)", path.read_text("utf-8"), re.M)) <= {
        pair for target in targets for pair in ((target, ""), ("", target))
    }


def test_every_setting_is_documented_and_no_other() -> None:
    """The first column of the settings table names each key of the settings, and nothing else."""
    table = (ROOT / "docs" / "operations.md").read_text("utf-8").split("## Settings", 1)[1].split("\n## ", 1)[0]
    assert set(re.findall(r"^\| `([a-z0-9_.]+)` \|", table, re.M)) == setting_keys(Settings)


def test_tests_that_stand_for_findings_exist() -> None:
    """docs/security.md names a test for each finding: a row without one, or with one that is gone, says nothing."""
    text = (ROOT / "docs" / "security.md").read_text("utf-8")
    table = text.partition("| finding | test |\n")[2].partition("\n\n")[0].splitlines()[1:]
    assert table
    for row in table:
        named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", row)
        assert named, f"docs/security.md: no test is named in {row!r}"
        for file, name in named:
            assert f"def {name}(" in (ROOT / file).read_text("utf-8"), f"docs/security.md: {file} has no {name}"
