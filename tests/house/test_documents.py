"""What the README and docs/ name exists: commands, targets, settings, files."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest
from pydantic import BaseModel

from rhumbline.app import on_demand
from rhumbline.app.adapter_section import AdapterSettings, UpstreamSettings
from rhumbline.app.chain_section import ChainSettings
from rhumbline.app.settings import Settings
from tests.house.rules import LONGEST, File, Found, Rule, hold
from website import navigation
from website.sources import pages

ROOT = Path(__file__).parents[2]
TARGETS = frozenset(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.M))
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / ".github").rglob("*.md"), *(ROOT / "docs").rglob("*.md")])


def commands(command: object, prefix: tuple[str, ...]) -> dict[tuple[str, ...], object]:
    found = {prefix: command}
    for name, inner in getattr(command, "commands", {}).items():
        found |= commands(inner, (*prefix, name))
    return found


COMMANDS = {
    path: command for name in on_demand.COMMANDS for path, command in commands(on_demand.loaded(name), (name,)).items()
}


def setting_keys(model: type[BaseModel], prefix: str = "") -> set[str]:
    keys: set[str] = set()
    for name, field in model.model_fields.items():
        inner = [field.annotation, *get_args(field.annotation)]
        # A list of tables that may be left out.
        inner += [item for each in get_args(field.annotation) for item in get_args(each)]
        models = [item for item in inner if isinstance(item, type) and issubclass(item, BaseModel)]
        own = prefix + (field.alias or name)
        keys |= setting_keys(models[0], f"{own}.") if models else {own}
    if model is ChainSettings:
        # A URL alone is an endpoint too.
        keys.add(f"{prefix}rpc")
    if model is AdapterSettings:
        keys |= setting_keys(UpstreamSettings, f"{prefix}key.")
    return keys


def anchors(text: str) -> frozenset[str]:
    """Return the anchors that GitHub gives a page's headings."""
    headings = re.findall(r"^#+ (.*)$", text, re.M)
    return frozenset(re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings)


def dead_links(file: File) -> Found:
    for number, line in file.lines():
        for target, _, anchor in re.findall(r"\]\(([^)#\s]*)(#([^)\s]*))?\)", line):
            if target.startswith(("http://", "https://")):
                continue
            page = (ROOT / file.path).parent / target if target else None
            if page and not page.exists():
                yield number, f"there is no {target}"
            elif anchor and anchor not in anchors(page.read_text("utf-8") if page else file.text):
                yield number, f"there is no heading #{anchor} in {target or 'this page'}"


def said_commands(file: File) -> Iterator[tuple[int, str]]:
    """What is run as code: lines of shell blocks, and spans between backticks."""
    shell = False
    for number, line in file.lines():
        if line.startswith("```"):
            shell = line.strip() in {"```sh", "```shell", "```console"}
            continue
        for code in [line] if shell else re.findall(r"`([^`\n]+)`", line):
            yield number, code


def unknown_commands(file: File) -> Found:
    for number, code in said_commands(file):
        for line in re.findall(r"(?<![\w./-])rhumbline ([a-z].*)", code):
            words = line.split()
            path: tuple[str, ...] = ()
            while len(path) < len(words) and (*path, words[len(path)]) in COMMANDS:
                path = (*path, words[len(path)])
            if not path:
                yield number, f"there is no command: rhumbline {line}"
                continue
            options = {option for each in getattr(COMMANDS[path], "params", []) for option in each.opts}
            unknown = set(re.findall(r"(?<=\s)--[a-z-]+", " " + line)) - options - {"--help"}
            yield from ((number, f"rhumbline {' '.join(path)} has no {option}") for option in sorted(unknown))


def unknown_targets(file: File) -> Found:
    for number, line in file.lines():
        for inline, command in re.findall(r"`make ([a-z]+)|^make ([a-z]+)", line):
            if (inline or command) not in TARGETS:
                yield number, f"there is no target {inline or command}"


def any_path(_: str) -> bool:
    return True


def too_long(file: File) -> Found:
    count = len(file.text.splitlines())
    if file.path.startswith("docs/") and count > LONGEST:
        yield LONGEST + 1, f"has {count} lines"


LINKED = Rule(
    "links of the documents lead somewhere", "name the file where it lies now, and the heading as it is now",
    dead_links, any_path,
)  # fmt: skip
RUNNABLE = Rule(
    "commands in the documents exist, with their options",
    "write what `rhumbline --help` lists, or add the command",
    unknown_commands, any_path,
)  # fmt: skip
MADE = Rule(
    "make targets in the documents exist", "write what `make help` lists, or add the target", unknown_targets, any_path
)
BRIEF = Rule(
    f"a page of docs/ has at most {LONGEST} lines", "split it into pages that have one subject each", too_long, any_path
)
PLANTED = [
    (BRIEF, "words\n" * (LONGEST + 1), f":{LONGEST + 1}: has {LONGEST + 1} lines"),
    (LINKED, "\n[here](gone.md)\n", ":2: there is no gone.md"),
    (LINKED, "[here](gone.md#part) [there](https://example.org/gone.md)\n", ":1: there is no gone.md"),
    (LINKED, "# One, two's\n[here](#one-twos) [there](#three)\n", ":2: there is no heading #three in this page"),
    (LINKED, "[here](BEGINNING.md#gone)\n", ":1: there is no BEGINNING.md"),
    (LINKED, "[here](../README.md#gone)\n", ":1: there is no heading #gone in ../README.md"),
    (RUNNABLE, "\n```sh\nrhumbline vanish --now\n```\n", ":3: there is no command: rhumbline vanish --now"),
    (RUNNABLE, "Say `rhumbline vanish`.\n", ":1: there is no command: rhumbline vanish"),
    (RUNNABLE, "Say `rhumbline serve --backwards`.\n", ":1: rhumbline serve has no --backwards"),
    (MADE, "Say\n`make money`.\n", ":2: there is no target money"),
    (MADE, "```sh\nmake money\n```\n", ":2: there is no target money"),
]


@pytest.mark.parametrize("rule", [LINKED, RUNNABLE, MADE, BRIEF], ids=lambda rule: rule.words)
def test_a_rule_about_documents_holds(rule: Rule) -> None:
    rule.hold(File(str(path.relative_to(ROOT)), path.read_text("utf-8")) for path in DOCUMENTS)


@pytest.mark.parametrize(("rule", "text", "place"), PLANTED)
def test_what_is_not_there_is_found(rule: Rule, text: str, place: str) -> None:
    with pytest.raises(AssertionError) as raised:
        rule.hold([File("docs/new.md", text)])
    assert str(raised.value) == f"Rule: {rule.words}.\n  docs/new.md{place}\nRemedy: {rule.remedy}."


def test_the_guide_has_each_page_once() -> None:
    hold(
        "each page of docs/ is in the guide's navigation, once",
        navigation.faults(navigation.read(navigation.FILE.read_text("utf-8")), pages(ROOT)),
        "put it into the part of website/navigation.toml where its reader looks, or take out what is gone",
    )


def test_every_setting_is_documented_and_no_other() -> None:
    """The first column of the settings table names each key of the settings, and nothing else."""
    page = (ROOT / "docs" / "settings.md").read_text("utf-8")
    named = {
        match[1]: number
        for number, line in enumerate(page.splitlines(), start=1)
        if (match := re.match(r"\| `([a-z0-9_.]+)` \|", line))
    }
    known = setting_keys(Settings)
    hold(
        "the table of docs/settings.md names every setting and no other",
        [
            *(f"docs/settings.md: {key} is not in the table" for key in sorted(known - named.keys())),
            *(f"docs/settings.md:{named[key]}: there is no setting {key}" for key in sorted(named.keys() - known)),
        ],
        "add a row for the setting, or take out the row of one that is gone",
    )


@pytest.mark.parametrize(
    ("page", "heading"),
    [
        ("docs/security.md", "| finding | test |"),
        ("docs/security.md", "| field | adapter | bound | test |"),
        ("docs/security.md", "| state | moved by | by how much | held by | test |"),
        ("docs/reliability.md", "| finding | test |"),
    ],
)
def test_tests_that_stand_for_findings_exist(page: str, heading: str) -> None:
    """A page names a test for each row: a row without one, or with one that is gone, says nothing."""
    lines = (ROOT / page).read_text("utf-8").splitlines()
    start = lines.index(heading) + 2
    end = next((place for place in range(start, len(lines)) if not lines[place].startswith("|")), len(lines))
    assert end > start
    wrong = []
    for number, row in enumerate(lines[start:end], start + 1):
        named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", row)
        if not named:
            wrong.append(f"{page}:{number}: no test is named")
        texts = []
        for file, name in named:
            text = (ROOT / file).read_text("utf-8") if (ROOT / file).is_file() else ""
            texts.append(text)
            if f"def {name}(" not in text:
                wrong.append(f"{page}:{number}: {file} has no {name}")
        if "bound" in heading:
            fields = re.findall(r"`([^`]+)`", row.split("|")[1])
            wrong += [
                f"{page}:{number}: no test that is named has {field}"
                for field in fields
                if not any(field in text for text in texts)
            ]
    hold(
        "each finding and each number of docs/security.md and docs/reliability.md has a test that stands for it", wrong,
        "name the test by its file and function, or write it",
    )  # fmt: skip
