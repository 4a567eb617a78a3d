"""The front page in the languages of its element, by what the browser says."""

import re
from dataclasses import astuple
from pathlib import Path

import pytest

from rhumbline.api.pages.front_words import ENGLISH, LANGUAGES, front_words
from tests.portal_fixture import ServedPortal

ELEMENT = Path(__file__).parents[3] / "web" / "src" / "language.ts"


def test_it_has_the_languages_of_the_element() -> None:
    table = ELEMENT.read_text("utf-8").partition("export const LANGUAGES = {")[2].partition("}")[0]
    assert re.findall(r"^  ([a-z]{2}):", table, re.MULTILINE) == [*LANGUAGES]


@pytest.mark.parametrize("language", [each for each in LANGUAGES if each != "en"])
def test_no_word_is_missing_or_in_english(language: str) -> None:
    words = LANGUAGES[language]
    assert all(astuple(words))
    alike = {one for one, other in zip(astuple(words), astuple(ENGLISH), strict=True) if one == other}
    assert alike <= {"Site", "Portal"}


@pytest.mark.parametrize(
    ("header", "language"),
    [
        (None, "en"),
        ("", "en"),
        ("de", "de"),
        ("de-CH,de;q=0.9,en;q=0.8", "de"),
        ("en;q=0.5,fr;q=0.9", "fr"),
        ("pt-BR,pt;q=0.9,es;q=0.8,en;q=0.7", "es"),
        ("zh-Hans-CN", "zh"),
        ("JA", "ja"),
        ("tlh,*;q=0.5", "en"),
        ("de;q=0", "en"),
        ("de;q=0,fr;q=0.1", "fr"),
        ("de;q=nan,fr;q=9,<script>", "en"),
        ("x" * 5000 + ",de", "en"),
        (",;=,,", "en"),
    ],
)
def test_the_browser_says_which(header: str | None, language: str) -> None:
    assert front_words(header).language == language


async def test_the_page_is_in_it_and_says_so_to_caches(portal: ServedPortal) -> None:
    visitor = portal.visitor()
    german = await visitor.ask("GET", "/", headers={"accept-language": "de-AT,de;q=0.9"})
    assert '<html lang="de">' in german.text
    assert f"<h1>{LANGUAGES['de'].heading}</h1>" in german.text
    assert german.headers["vary"] == "accept-language"
    english = await visitor.get("/")
    assert '<html lang="en">' in english.text
    assert english.headers["vary"] == "accept-language"
    # The portal speaks English only.
    other = await visitor.ask("GET", "/portal", headers={"accept-language": "de"})
    assert '<html lang="en">' in other.text
