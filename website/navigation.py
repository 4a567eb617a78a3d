"""The order of the guide's pages, from navigation.toml."""

import json
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

FILE = Path(__file__).with_name("navigation.toml")
FRONT = "index.md"
DECISIONS = "decisions/"
REFERENCE = "reference/*"
"""Stands for the pages that are made of the OpenAPI document."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a way in: its pages by their paths below docs/, in order."""

    title: str
    pages: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Way:
    """One of the ways in: for integrators, operators or contributors."""

    title: str
    parts: tuple[Part, ...]


def read(text: str) -> tuple[Way, ...]:
    """Return the ways in; raise KeyError where a title or the pages are missing."""
    return tuple(
        Way(way["title"], tuple(Part(part["title"], tuple(part["pages"])) for part in way["part"]))
        for way in tomllib.loads(text)["way"]
    )


def faults(ways: Iterable[Way], pages: Iterable[str]) -> list[str]:
    """Tell which of the guide's pages stand nowhere or twice, and which that stand there do not exist."""
    named = [page for way in ways for part in way.parts for page in part.pages if page != REFERENCE]
    known = {page for page in pages if page != FRONT and not page.startswith(DECISIONS)}
    return [
        *(
            f"{page} is in no part of website/navigation.toml: put it where its reader looks"
            for page in sorted(known - set(named))
        ),
        *(f"website/navigation.toml names {page}, which is not there" for page in sorted(set(named) - known)),
        *(
            f"website/navigation.toml names {page} twice"
            for page in sorted({page for page in named if named.count(page) > 1})
        ),
    ]


def written(ways: Iterable[Way], titles: Mapping[str, str], reference: Sequence[str]) -> str:
    """Return the value of Zensical's setting `nav`, in TOML; ``titles`` has every page's."""

    def entry(page: str) -> str:
        return f"{{ {json.dumps(titles[page], ensure_ascii=False)} = {json.dumps(page)} }}"

    def section(title: str, entries: Iterable[str]) -> str:
        return f"{{ {json.dumps(title)} = [{', '.join(entries)}] }}"

    def pages(part: Part) -> Iterator[str]:
        for page in part.pages:
            yield from reference if page == REFERENCE else (page,)

    decisions = sorted(page for page in titles if page.startswith(DECISIONS))
    return "[{}]".format(", ".join([
        f'{{ "Guide" = "{FRONT}" }}',
        *(section(way.title, [section(part.title, map(entry, pages(part))) for part in way.parts]) for way in ways),
        section("Decisions", map(entry, decisions)),
    ]))  # fmt: skip
