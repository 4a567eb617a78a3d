"""The guide's sources: what the pages of a repository become."""

from pathlib import Path

import pytest

from website.sources import guide_text, pages, title_of

ROOT = Path(__file__).parents[2]
FILES = {
    "README.md": "# Project\n",
    "CONTRIBUTING.md": "# Contributing\nSee [docs/a.md](docs/a.md#part).\n",
    "CHANGELOG.md": "# Changelog\n",
    "SECURITY.md": "# Reporting\n",
    "src/a.py": "",
    "docs/README.md": "# The front\n",
    "docs/a.md": "# The `first` page\n",
    "docs/guides/b.md": "# B\n",
    "docs/openapi.json": "{}",
    "docs/images/map.png": "",
    "docs/decisions/0002-two.md": "# 0002 Two\n",
    "docs/decisions/0001-one.md": "# 0001 One\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_pages_have_their_places(root: Path) -> None:
    found = pages(root)
    assert sorted(found) == [
        "a.md", "changelog.md", "contributing.md", "decisions/0001-one.md", "decisions/0002-two.md",
        "decisions/index.md", "guides/b.md", "index.md", "reporting.md",
    ]  # fmt: skip
    assert found["contributing.md"] == "# Contributing\nSee [The first page](a.md#part).\n"
    assert found["decisions/index.md"].endswith("- [0001 One](0001-one.md)\n- [0002 Two](0002-two.md)\n")


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("[words](../a.md#part)", "[words](../a.md#part)"),
        ("[a.md](../a.md#part)", "[The first page](../a.md#part)"),
        ("[the front](../README.md)", "[the front](../index.md)"),
        ("[openapi.json](../openapi.json)", "[openapi.json](../reference/index.md)"),
        ("[decisions/](../decisions/)", "[Decisions](../decisions/index.md)"),
        ("[rules](../../CONTRIBUTING.md)", "[rules](../contributing.md)"),
        ("[`src/a.py`](../../src/a.py)", "`src/a.py`"),
        ("![A map](../images/map.png)", "![A map](../images/map.png)"),
        ("[here](#part) [there](https://example.org/a.md)", "[here](#part) [there](https://example.org/a.md)"),
        ("[gone](../gone.md)", "[gone](../gone.md)"),
        ("Words:\n- one\n  - inner\n", "Words:\n\n- one\n    - inner\n"),
        (
            "```md\nWords:\n- [`src/a.py`](../../src/a.py)\n```\n",
            "```md\nWords:\n- [`src/a.py`](../../src/a.py)\n```\n",
        ),
    ],
)
def test_what_a_page_becomes(root: Path, written: str, read: str) -> None:
    assert guide_text(written, Path("docs/guides/b.md"), root) == read


def test_a_page_needs_a_title() -> None:
    assert title_of("\n# A `b`\n# C\n") == "A b"
    with pytest.raises(ValueError, match="begin it with #"):
        title_of("words\n")
