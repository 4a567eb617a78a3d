"""Builds the guide: `python -m website --zensical <program> --to <folder>`; `make site` knows both.

Whatever is wrong ends the build, each fault in a line: a page that is in no part of navigation.toml, a link that leads
nowhere, something that would be loaded from another host, a script inside a page.
"""

import argparse
import json
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from website import navigation
from website.api_pages import api_pages
from website.built_pages import faults, finish
from website.sources import DOCUMENT, pages, title_of

ROOT = Path(__file__).parents[1]
STATIC = ROOT / "src" / "rhumbline" / "api" / "pages" / "static"


class Faulty(Exception):
    """The guide cannot be built: the message has each fault in a line."""


def build(zensical: str, target: Path) -> None:
    """Build the guide into a folder, which is replaced at the end; raise Faulty where something is wrong."""
    with TemporaryDirectory(prefix="rhumbline-site-") as name:
        work = Path(name)
        prepare(work)
        built = subprocess.run(
            [zensical, "build", "--strict", "--clean"], cwd=work, check=False, capture_output=True, text=True
        )
        if built.returncode:
            raise Faulty(built.stdout + built.stderr)
        finish(work / "site")
        for unread in ("sitemap.xml", "sitemap.xml.gz", "objects.inv", "robots.txt"):
            (work / "site" / unread).unlink(missing_ok=True)
        if found := faults(work / "site"):
            raise Faulty("\n".join(found))
        target.parent.mkdir(parents=True, exist_ok=True)
        fresh, old = (target.with_name(f".{target.name}.{state}") for state in ("new", "old"))
        for leftover in (fresh, old):
            shutil.rmtree(leftover, ignore_errors=True)
        shutil.copytree(work / "site", fresh)
        if target.exists():
            target.rename(old)
        fresh.rename(target)
        shutil.rmtree(old, ignore_errors=True)


def prepare(work: Path) -> None:
    """Write what Zensical reads into a folder; raise Faulty where a page is missing."""
    ways = navigation.read(navigation.FILE.read_text("utf-8"))
    texts = pages(ROOT)
    if found := navigation.faults(ways, texts):
        raise Faulty("\n".join(found))
    document = json.loads((ROOT / "docs" / DOCUMENT).read_text("utf-8"))
    reference = api_pages(document)
    for place, text in {**texts, **reference}.items():
        file = work / "docs" / place
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    shutil.copytree(ROOT / "docs" / "images", work / "docs" / "images")
    for asset in (STATIC / "logo.svg", STATIC / "sans.woff2", STATIC / "display.woff2", STATIC / "fonts.LICENSE.txt",
                  Path(__file__).with_name("guide.css"), Path(__file__).with_name("guide.js")):  # fmt: skip
        shutil.copy(asset, work / "docs")
    titles = {place: title_of(text) for place, text in {**texts, **reference}.items()}
    settings = Path(__file__).with_name("zensical.toml").read_text("utf-8")
    nav = navigation.written(ways, titles, list(reference))
    (work / "zensical.toml").write_text(settings.replace("[project]\n", f"[project]\nnav = {nav}\n", 1), "utf-8")


def main() -> int:
    """Build, and say what is wrong."""
    parser = argparse.ArgumentParser(prog="website", description="Build the guide.")
    parser.add_argument("--zensical", required=True, help="the program that builds it")
    parser.add_argument("--to", required=True, type=Path, help="the folder that gets it")
    given = parser.parse_args()
    try:
        build(given.zensical, given.to)
    except Faulty as fault:
        sys.stderr.write(f"the guide was not built:\n{fault}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
