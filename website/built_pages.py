"""The pages after they were built: no script stays inside, everybody can use them, and each link leads somewhere."""

import os
import posixpath
import re
from collections.abc import Iterator
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

_SCRIPT = re.compile(r"<script>(.*?)</script>", re.S)
_SCRIPTS = "assets/javascripts"
_FOR_EVERYBODY = (
    # A table without words above its columns has no row of headings, and a corner without words is no heading.
    (re.compile(r"<thead>\s*<tr>(?:\s*<th[^>]*></th>)+\s*</tr>\s*</thead>"), ""),
    (re.compile(r"<th([^>]*)></th>"), r"<td\1></td>"),
    # Two landmarks have two names.
    (re.compile(r'(<nav class="md-path" aria-label=")[^"]*'), r"\1Path"),
)


def finish(site: Path) -> None:
    """Mend what screen readers and keyboards stumble over, and move scripts out of the pages.

    The policy of our pages permits no script within them.
    """
    for page in site.rglob("*.html"):
        text = page.read_text("utf-8")

        def moved(match: re.Match[str], page: Path = page) -> str:
            name = f"{_SCRIPTS}/page.{sha256(match[1].encode()).hexdigest()[:8]}.min.js"
            (site / name).write_text(match[1], "utf-8")
            return f'<script src="{os.path.relpath(site / name, page.parent)}"></script>'

        changed = _SCRIPT.sub(moved, text)
        for found, put in _FOR_EVERYBODY:
            changed = found.sub(put, changed)
        if changed != text:
            page.write_text(changed, "utf-8")


class _Page(HTMLParser):
    """Collects what a page asks for and links to, what can be linked to in it, and what a policy would refuse."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.anchors: set[str] = {""}
        self.inline: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take one element."""
        given = {name: value or "" for name, value in attrs}
        self.anchors |= {given[name] for name in ("id", "name") if name in given}
        if "href" in given:
            (self.links if tag == "a" else self.loads).append(given["href"])
        if "src" in given:
            self.loads.append(given["src"])
        self.inline += [f"{tag} {name}" for name in given if name == "style" or name.startswith("on")]
        if tag == "style" or (tag == "script" and "src" not in given and given.get("type") != "application/json"):
            self.inline.append(tag)


def faults(site: Path) -> list[str]:
    """Tell which links lead nowhere, what other hosts would be asked for, and what stands inside pages."""
    read: dict[str, _Page] = {}
    for path in sorted(site.rglob("*.html")):
        read[path.relative_to(site).as_posix()] = page = _Page()
        page.feed(path.read_text("utf-8"))
    return [f"{name}: {fault}" for name, page in read.items() for fault in _of_page(site, name, page, read)]


def _of_page(site: Path, name: str, page: _Page, read: dict[str, _Page]) -> Iterator[str]:
    yield from (f"{each} stands inside the page" for each in page.inline)
    yield from (f"loads {url} from elsewhere" for url in page.loads if urlsplit(url).netloc)
    for link in [*page.links, *page.loads]:
        url = urlsplit(link)
        if url.scheme or url.netloc or name == "404.html":
            continue
        target = posixpath.normpath(posixpath.join(posixpath.dirname(name), unquote(url.path))) if url.path else name
        if (site / target).is_dir():
            target = posixpath.normpath(posixpath.join(target, "index.html"))
        if target.startswith("..") or not (site / target).is_file():
            yield f"there is no {link}"
        elif target in read and unquote(url.fragment) not in read[target].anchors:
            yield f"there is no #{url.fragment} in {target}"
