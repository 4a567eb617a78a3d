"""The guide's sources: the pages of docs/ and a few of the project's own, as Zensical reads them."""

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

from website.navigation import DECISIONS, FRONT

PROJECT: Mapping[str, str] = MappingProxyType({
    "CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md", "SECURITY.md": "reporting.md",
})  # fmt: skip
"""Pages beside docs/ that are a part of the guide, with their place in it."""
DOCUMENT = "openapi.json"
_PLACES: Mapping[str, str] = MappingProxyType({
    **PROJECT, "README.md": FRONT, "docs/README.md": FRONT, f"docs/{DOCUMENT}": "reference/index.md",
    "docs/decisions": f"{DECISIONS}index.md",
})  # fmt: skip
_LINK = re.compile(r"(!?)\[((?:[^\[\]]|!\[[^\]]*\]\([^)]*\))*)\]\(([^)#\s]*)(#[^)\s]*)?\)")
_FILE_NAME = re.compile(r"[\w./-]+(?:\.md|/)")
_NESTED = re.compile(r" {2,3}(?=(?:[-*]|\d+\.) )")
_ITEM = re.compile(r"(?:[-*]|1\.) ")


def pages(root: Path) -> dict[str, str]:
    """Return the guide's pages by their place in it, as Zensical reads them; the list of decisions is made."""
    found = {place_of(root, path): path for path in sorted((root / "docs").rglob("*.md"))}
    found |= {place: root / name for name, place in PROJECT.items()}
    read = {place: guide_text(path.read_text("utf-8"), path.relative_to(root), root) for place, path in found.items()}
    return read | {f"{DECISIONS}index.md": decisions(read)}


def place_of(root: Path, path: Path) -> str:
    name = path.relative_to(root / "docs").as_posix()
    return FRONT if name == "README.md" else name


def title_of(text: str) -> str:
    """Return a page's title: its first heading; raise ValueError where it has none."""
    match = re.search(r"^# (.+)$", text, re.M)
    if match is None:
        raise ValueError("a page has no heading: begin it with # and its title")
    return match[1].replace("`", "")


def decisions(texts: Mapping[str, str]) -> str:
    """Return the page that lists the decisions."""
    listed = "".join(
        f"- [{title_of(text)}]({place.removeprefix(DECISIONS)})\n"
        for place, text in sorted(texts.items())
        if place.startswith(DECISIONS)
    )
    return f"# Decisions\n\nWhy things are as they are: each page was written when it was decided.\n\n{listed}"


def guide_text(text: str, path: Path, root: Path) -> str:
    """Return a page's text for the guide: links to what is not a part of it become plain words."""
    return "".join(_lines(text, path, root))


def _lines(text: str, path: Path, root: Path) -> Iterator[str]:
    code, before = False, ""
    for line in text.splitlines(keepends=True):
        if line.startswith("```"):
            code = not code
        if code or line.startswith("```"):
            yield line
        else:
            # Python's Markdown wants four blanks before an inner item, and a blank line before a list.
            if (
                _ITEM.match(line)
                and before.strip()
                and not before.startswith((" ", "-", "*"))
                and not before[:1].isdigit()
            ):
                yield "\n"
            yield _LINK.sub(lambda match: _linked(match, path, root), _NESTED.sub("    ", line))
        before = line


def _linked(match: re.Match[str], path: Path, root: Path) -> str:
    image, label, target, part = match[1], match[2], match[3], match[4] or ""
    label = _LINK.sub(lambda inner: _linked(inner, path, root), label)
    if not target or ":" in target:
        return f"{image}[{label}]({target}{part})"
    wanted = Path(os.path.normpath(path.parent / target)).as_posix()
    if wanted in _PLACES:
        place = _PLACES[wanted]
    elif wanted.startswith("docs/") and (root / wanted).exists():
        place = wanted.removeprefix("docs/")
    elif (root / wanted).exists():
        return label
    else:
        return match[0]
    if _FILE_NAME.fullmatch(label) and (root / wanted).suffix == ".md":
        # In a repository a page is known by its file, in the guide by its title.
        label = title_of((root / wanted).read_text("utf-8"))
    elif wanted == "docs/decisions":
        label = "Decisions"
    own = PROJECT.get(path.as_posix()) or path.relative_to("docs").as_posix()
    return f"{image}[{label}]({os.path.relpath(place, Path(own).parent)}{part})"
