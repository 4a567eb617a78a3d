"""The order of the guide's pages."""

import tomllib

from website.navigation import REFERENCE, Part, Way, faults, read, written

WAYS = (
    Way("Integrators", (Part("First", ("a.md", "b.md")), Part("API", (REFERENCE,)))),
    Way("Operators", (Part("Running", ("c.md",)),)),
)


def test_it_is_read() -> None:
    text = """
        [[way]]
        title = "Integrators"
        part = [{ title = "First", pages = ["a.md", "b.md"] }, { title = "API", pages = ["reference/*"] }]
        [[way]]
        title = "Operators"
        part = [{ title = "Running", pages = ["c.md"] }]
    """
    assert read(text) == WAYS


def test_a_page_that_is_nowhere_or_twice_is_told() -> None:
    pages = ["index.md", "decisions/index.md", "decisions/0001-a.md", "a.md", "b.md", "c.md"]
    assert faults(WAYS, pages) == []
    assert faults(WAYS, [*pages, "d.md"]) == [
        "d.md is in no part of website/navigation.toml: put it where its reader looks"
    ]
    assert faults(WAYS, pages[:-1]) == ["website/navigation.toml names c.md, which is not there"]
    assert faults((*WAYS, Way("Again", (Part("Too", ("a.md",)),))), pages) == [
        "website/navigation.toml names a.md twice"
    ]


def test_it_is_written_as_zensical_reads_it() -> None:
    titles = {
        "a.md": 'A "quoted" title',
        "b.md": "B",
        "c.md": "C",
        "reference/index.md": "API",
        "decisions/0001-a.md": "0001",
    }
    nav = tomllib.loads(f"nav = {written(WAYS, titles, ['reference/index.md'])}")["nav"]
    assert nav == [
        {"Guide": "index.md"},
        {
            "Integrators": [
                {"First": [{'A "quoted" title': "a.md"}, {"B": "b.md"}]},
                {"API": [{"API": "reference/index.md"}]},
            ]
        },
        {"Operators": [{"Running": [{"C": "c.md"}]}]},
        {"Decisions": [{"0001": "decisions/0001-a.md"}]},
    ]
