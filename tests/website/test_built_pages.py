"""What is done with the built pages, and what is found in them."""

from pathlib import Path

import pytest

from website.built_pages import faults, finish

PAGE = '<!doctype html><h1 id="top">A</h1>{}'


@pytest.fixture
def site(tmp_path: Path) -> Path:
    for name in ("index.html", "a/index.html"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(PAGE.format(""))
    (tmp_path / "assets" / "javascripts").mkdir(parents=True)
    return tmp_path


def test_scripts_leave_the_page_and_stay_in_their_order(site: Path) -> None:
    page = site / "a" / "index.html"
    page.write_text(PAGE.format('<script>one()</script><script src="x.js"></script><script>two()</script>'))
    (site / "a" / "x.js").write_text("")
    assert faults(site) == ["a/index.html: script stands inside the page"] * 2
    finish(site)
    assert faults(site) == []
    first, _, second = (part.split('"')[0] for part in page.read_text().split('src="')[1:])
    assert [(page.parent / each).read_text() for each in (first, second)] == ["one()", "two()"]


def test_corners_of_tables_are_no_headings(site: Path) -> None:
    page = site / "index.html"
    page.write_text("<table><thead>\n<tr>\n<th></th>\n<th></th>\n</tr>\n</thead></table><tr><th></th><th>B</th></tr>")
    finish(site)
    assert page.read_text() == "<table></table><tr><td></td><th>B</th></tr>"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ('<a href="../a/#top">', None),
        ('<a href="#top">', None),
        ('<a href="https://example.org/">', None),
        ('<a href="../b/">', "there is no ../b/"),
        ('<a href="../../b/">', "there is no ../../b/"),
        ('<a href="../#part">', "there is no #part in index.html"),
        ('<img src="map.png">', "there is no map.png"),
        ('<link href="https://example.org/a.css">', "loads https://example.org/a.css from elsewhere"),
        ('<script src="//example.org/a.js"></script>', "loads //example.org/a.js from elsewhere"),
        ('<script id="data" type="application/json">{}</script>', None),
        ("<style>p {}</style>", "style stands inside the page"),
        ('<p style="color: red">', "p style stands inside the page"),
        ('<p onclick="go()">', "p onclick stands inside the page"),
    ],
)
def test_what_is_wrong_is_told(site: Path, words: str, told: str | None) -> None:
    (site / "a" / "index.html").write_text(PAGE.format(words))
    assert faults(site) == ([] if told is None else [f"a/index.html: {told}"])
