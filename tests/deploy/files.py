"""What Dockerfile, compose.yaml, the units and the pages say, read as their programs read it."""

import json
import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
UNITS = DEPLOY / "systemd"
CHART = DEPLOY / "helm" / "rhumbline"


@dataclass
class BuildStage:
    """A stage of the Dockerfile: its name, the image that it begins from, and its instructions with their words."""

    name: str
    image: str
    steps: list[tuple[str, str]] = field(default_factory=list)

    def of(self, instruction: str) -> list[str]:
        return [words for name, words in self.steps if name == instruction]

    @property
    def environment(self) -> dict[str, str]:
        return dict(word.split("=", 1) for words in self.of("ENV") for word in shlex.split(words))


def dockerfile() -> list[BuildStage]:
    """The stages, in their order; the last is the image."""
    text = re.sub(r"^#.*\n", "", (ROOT / "Dockerfile").read_text("utf-8"), flags=re.M).replace("\\\n", " ")
    stages: list[BuildStage] = []
    for line in filter(None, map(str.strip, text.splitlines())):
        instruction, _, words = line.partition(" ")
        if instruction == "FROM":
            image, _, name = words.partition(" AS ")
            stages.append(BuildStage(name, image))
        else:
            stages[-1].steps.append((instruction, " ".join(words.split())))
    return stages


def words_of(stage: BuildStage, instruction: str) -> list[str]:
    """The words of ENTRYPOINT, CMD or HEALTHCHECK, which are written as JSON."""
    (written,) = stage.of(instruction)
    words: list[str] = json.loads(written[written.index("[") :])
    return words


def variables(text: str) -> dict[str, str]:
    """The variables of a .env file: one a line, single quotes around what is taken as it is."""
    lines = (line.partition("=") for line in text.splitlines() if line and not line.startswith("#"))
    return {name: value.removeprefix("'").removesuffix("'") for name, _, value in lines}


FILLED = {
    "SITE": "swap.example",
    "POSTGRES_PASSWORD": "postgres0secret",
    "VALKEY_PASSWORD": "valkey0secret",
    "GRAFANA_PASSWORD": "grafana0secret",
}
"""What an operator puts into .env."""


def compose(given: Mapping[str, str]) -> dict[str, Any]:
    """compose.yaml with the variables of .env put in; KeyError where one that must be given is not."""

    def put_in(match: re.Match[str]) -> str:
        name, _, kind, rest = match.groups()
        if given.get(name):
            return given[name]
        if kind != "-":
            raise KeyError(f"{name}: {rest}")
        return rest

    text = re.sub(r"\$\{(\w+)(:([-?])([^}]*))?\}", put_in, (ROOT / "compose.yaml").read_text("utf-8"))
    read: dict[str, Any] = yaml.safe_load(text)
    return read


@dataclass(frozen=True)
class Unit:
    """A unit of systemd, as an instance if its name ends with @."""

    name: str
    entries: tuple[tuple[str, str], ...]

    def of(self, key: str) -> list[str]:
        return [value for name, value in self.entries if name == key]

    def command(self, instance: str) -> list[str]:
        (line,) = self.of("ExecStart")
        return shlex.split(line.replace("%i", instance))

    def environment(self, instance: str) -> dict[str, str]:
        lines = self.of("Environment")
        return dict(word.split("=", 1) for line in lines for word in shlex.split(line.replace("%i", instance)))


def read_unit(path: Path) -> Unit:
    lines = path.read_text("utf-8").splitlines()
    entries = (line.partition("=") for line in lines if line and line[0] not in "#[")
    return Unit(path.stem, tuple((key, value) for key, _, value in entries))


def units() -> Iterator[Unit]:
    yield from (read_unit(path) for path in sorted(UNITS.glob("*.service")))


def expressions() -> Iterator[tuple[str, str]]:
    """Every query of the alerts and the dashboards, with where it is."""
    for group in yaml.safe_load((DEPLOY / "prometheus" / "alerts.yml").read_text("utf-8"))["groups"]:
        yield from ((rule["alert"], rule["expr"]) for rule in group["rules"])
    for path in sorted((DEPLOY / "grafana" / "dashboards").glob("*.json")):
        for panel in json.loads(path.read_text("utf-8"))["panels"]:
            yield from ((f"{path.name}: {panel['title']}", target["expr"]) for target in panel["targets"])
