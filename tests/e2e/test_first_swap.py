"""The guides "First swap": what they show is copied from the pages, pasted into an empty folder, and run."""

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import pytest

from tests.e2e.running_demo import ROOT, Demo

GUIDES = tuple(ROOT / "docs" / "guides" / name for name in ("first-swap.md", "first-swap-solana.md"))
PACKAGES = ROOT / "node_modules"
HEADINGS = (
    "Python on an EVM chain",
    "Python on Solana",
    "TypeScript on an EVM chain",
    "TypeScript on Solana",
    "curl on an EVM chain",
)
FETCHES = "FETCH_PACKAGES" in os.environ
"""Whether the packages come from their registries, as `make campaign` does; else those of this clone are used."""


@dataclass(frozen=True)
class Section:
    """What one heading shows: how to install, the program with its name, how to run it."""

    install: str
    program: str
    run: str

    @property
    def name(self) -> str:
        return self.program.partition("\n")[0].split(maxsplit=1)[1]


def blocks(text: str) -> list[str]:
    return re.findall(r"^```(?:sh|python|ts)\n(.*?)^```$", text, re.M | re.S)


def guides() -> str:
    return "".join(guide.read_text() for guide in GUIDES)


def sections() -> dict[str, Section]:
    parts = guides().split("\n## ")
    titled = {part.partition("\n")[0]: part for part in parts}
    return {title: Section(*blocks(titled[title])) for title in HEADINGS}


def settings(solana: bool) -> str:
    found = [each for each in blocks(guides()) if each.startswith("# settings: ")]
    evm, svm = found
    return svm if solana else evm


def test_every_block_of_the_pages_is_run() -> None:
    whole = blocks(guides())
    run = [part for each in sections().values() for part in (each.install, each.program, each.run)]
    assert sorted(whole) == sorted([settings(False), settings(True), *run])


def test_what_is_installed_is_what_is_tested() -> None:
    """The pinned versions are those of this clone's own locks."""
    for section in sections().values():
        for command in section.install.splitlines():
            for name, pinned in re.findall(r"([\w-]+)==([\d.]+)", command):
                assert version(name) == pinned
            for name, pinned in re.findall(r"((?:@[\w-]+/)?[\w-]+)@([\d.]+)", command):
                assert json.loads((PACKAGES / name / "package.json").read_text())["version"] == pinned


@pytest.mark.parametrize("title", HEADINGS)
def test_a_first_swap_from_an_empty_folder(demo: Demo, tmp_path: Path, title: str) -> None:
    section = sections()[title]
    (tmp_path / ".rhumbline").symlink_to(demo.folder)
    (tmp_path / section.name).write_text(section.program)
    environment = {**os.environ, "no_proxy": "127.0.0.1", "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    if FETCHES:
        subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True)
        environment["PATH"] = f"{tmp_path / 'venv' / 'bin'}:{os.environ['PATH']}"
        before = ""
    else:
        (tmp_path / "node_modules").symlink_to(PACKAGES)
        before = "pip() { :; }\nnpm() { :; }\n"
    script = f"set -e\n{before}{settings('Solana' in title)}{section.install}{section.run}"
    done = subprocess.run(
        ["bash", "-c", script], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    promised = re.search(r"^[A-Z_]+ brings at least (\d+)$", done.stdout, re.M)
    arrived = re.search(r"^success (\d+)$", done.stdout, re.M)
    assert promised is not None, done.stdout
    assert arrived is not None, done.stdout
    assert int(arrived[1]) >= int(promised[1]) > 0
    assert re.search(r"^sent (?:in 0x[0-9a-f]{64}|as [1-9A-HJ-NP-Za-km-z]{80,90})$", done.stdout, re.M), done.stdout
