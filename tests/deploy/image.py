"""The image's stages outside a builder: the Dockerfile's own COPY and RUN, with folders in place of its file system."""

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from tests.deploy.files import ROOT, BuildStage, dockerfile

INSTALLED = "/opt/rhumbline"
BUILD = "/build"
SITE = "src/rhumbline/api/reference/site"
MADE = shutil.ignore_patterns("vendor", "guides", "site")
CACHED = shutil.ignore_patterns("__pycache__", "rhumbline-*.js")


@dataclass(frozen=True)
class Image:
    """The virtual environment that the last stage takes over, and what it tells its programs."""

    installed: Path
    stage: BuildStage

    def path(self, words: str) -> str:
        return words.replace(INSTALLED, str(self.installed))

    @property
    def program(self) -> Path:
        return self.installed / "bin" / "rhumbline"

    @property
    def environment(self) -> dict[str, str]:
        """With no variable of this process but the language; PATH as in the image."""
        own = {name: self.path(value).replace("$PATH", os.defpath) for name, value in self.stage.environment.items()}
        return {"LANG": "C.UTF-8", **own}


def build(folder: Path) -> Image:
    """Build as a builder would; packages come from where `make setup` has them."""
    *stages, last = dockerfile()
    for stage in stages:
        (folder / stage.name).mkdir()
        for instruction, words in stage.steps:
            if instruction == "COPY":
                _copy(folder, stage, words)
            elif instruction == "RUN":
                _run(folder, stage, words)
    assert f"--from={stages[-1].name} {INSTALLED} {INSTALLED}" in last.of("COPY")
    return Image(folder / "installed", last)


def _copy(folder: Path, stage: BuildStage, words: str) -> None:
    *sources, target = words.split()
    root = ROOT
    if sources[0].startswith("--from="):
        root = folder / sources.pop(0).removeprefix("--from=")
    into = folder / stage.name / target
    for source in (each.removeprefix(f"{BUILD}/") for each in sources):
        at = into / Path(source).name if target.endswith("/") else into
        if (root / source).is_dir():
            ignored = _not_sent if root == ROOT else None
            shutil.copytree(root / source, at, ignore=ignored, dirs_exist_ok=True)
        else:
            at.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(root / source, at)


def _not_sent(folder: str, names: list[str]) -> set[str]:
    """Return what .dockerignore keeps from the builder."""
    return CACHED(folder, names) | (MADE(folder, names) if Path(folder) == (ROOT / SITE).parent else set())


def _run(folder: Path, stage: BuildStage, words: str) -> None:
    work = folder / stage.name
    if words.startswith("npm ci "):
        # The same lock: `make setup` has run it.
        (work / "node_modules").symlink_to(ROOT / "node_modules")
        return
    if words.startswith("python -m website "):
        # The same pages: `make setup` has built them.
        shutil.copytree(ROOT / SITE, work / words.rpartition(" ")[2])
        return
    python = folder / "python"
    if stage.image.startswith("python:") and not python.exists():
        _done(["python3", "-m", "venv", str(python)], work, os.environ["PATH"])
    # Its commands compile what they import, by themselves.
    words = words.replace(INSTALLED, str(folder / "installed")).replace(" --compile-bytecode", "")
    _done(["sh", "-euc", words], work, f"{python / 'bin'}:{os.environ['PATH']}")


def _done(words: list[str], folder: Path, path: str) -> None:
    # uv would take the environment of the tests for the one that is meant.
    own = {name: value for name, value in os.environ.items() if name not in ("VIRTUAL_ENV", "PYTHONPATH")}
    ended = subprocess.run(words, cwd=folder, env=own | {"PATH": path}, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, f"{words}\n{ended.stdout}{ended.stderr}"
