"""Which language a page speaks, and how its people write numbers and times."""

import re
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from rhumbline.api.pages.language import CATALOGUES, ENGLISH, LANGUAGES, liked_best
from rhumbline.domain.sentence import Sentence
from tests.portal_fixture import ServedPortal

ELEMENT = Path(__file__).parents[3] / "web" / "src" / "language.ts"
TIME = datetime(2026, 3, 9, 8, 7, 6, tzinfo=UTC)


def test_they_are_those_of_the_element() -> None:
    table = ELEMENT.read_text("utf-8").partition("export const LANGUAGES = {")[2].partition("}")[0]
    named = re.findall(r'^  ([a-z]{2}): "(.*)",$', table, re.MULTILINE)
    assert named == [(each.tag, each.name) for each in LANGUAGES.values()]
    assert {path.stem for path in CATALOGUES.glob("*.po")} == {*LANGUAGES} - {"en"}


@pytest.mark.parametrize(
    ("header", "tag"),
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
def test_the_browser_says_which(header: str | None, tag: str) -> None:
    assert liked_best(header).tag == tag


@pytest.mark.parametrize("path", ["/", "/status", "/tx/nothing", "/portal", "/portal/nowhere"])
async def test_a_choice_goes_before_the_browser_and_caches_are_told(portal: ServedPortal, path: str) -> None:
    visitor = portal.visitor()

    async def spoken(**headers: str) -> str:
        page = await visitor.ask("GET", path, headers=headers)
        assert page.headers["vary"] == "accept-language, cookie"
        found = re.search(r'<html lang="([a-z]+)">', page.text)
        assert found is not None
        return found[1]

    assert await spoken() == "en"
    assert await spoken(**{"accept-language": "de-AT,de;q=0.9"}) == "de"
    visitor.cookies["rhumbline-language"] = "ja"
    assert await spoken(**{"accept-language": "de"}) == "ja"
    # What is automatic, and what no page speaks, leaves it to the browser.
    for chosen in ("auto", "tlh", ""):
        visitor.cookies["rhumbline-language"] = chosen
        assert await spoken(**{"accept-language": "de"}) == "de"


async def test_what_is_in_english_for_everybody_does_not_vary(portal: ServedPortal) -> None:
    page = await portal.visitor().ask("GET", "/docs/guides/first-swap", headers={"accept-language": "de"})
    assert (page.status, "vary" in page.headers, 'class="languages"' in page.text) == (200, False, False)
    assert '<html lang="en">' in page.text


@pytest.mark.parametrize(
    ("tag", "figures"),
    [
        ("en", ("1,234,567.891", "1,234", "12.5%", "$0.50", "2026-03-09 08:07 UTC", "9 Mar", "2 min", "1,200 ms")),
        ("de", ("1.234.567,891", "1.234", "12,5\u00a0%", "0,50\u00a0$", "09.03.2026 08:07 UTC", "9. März", "2 Min.",
                "1.200 ms")),
        ("es", ("1.234.567,891", "1234", "12,5\u00a0%", "0,50\u00a0$", "09/03/2026 08:07 UTC", "9 mar", "2 min",
                "1.200 ms")),
        ("fr", ("1\u202f234\u202f567,891", "1\u202f234", "12,5\u202f%", "0,50\u00a0$", "09/03/2026 08:07 UTC", "9 mars",
                "2\u202fmin", "1\u202f200\u202fms")),
        ("ja", ("1,234,567.891", "1,234", "12.5%", "$0.50", "2026/03/09 08:07 UTC", "3月9日", "2 分", "1,200 ms")),
        ("zh", ("1,234,567.891", "1,234", "12.5%", "$0.50", "2026-03-09 08:07 UTC", "3月9日", "2分钟", "1,200毫秒")),
    ],
)  # fmt: skip
def test_figures_are_written_as_there(tag: str, figures: tuple[str, ...]) -> None:
    language = LANGUAGES[tag]
    written = (
        language.decimal("1234567.891"),
        language.number(1234),
        language.percent("12.5"),
        language.dollars(language.decimal("0.50")),
        language.moment(TIME),
        language.day_name(date(2026, 3, 9)),
        language.duration(121),
        language.milliseconds(1200),
    )
    # Which of the narrow spaces stands where is the library's to say.
    assert [re.sub("[\u202f\xa0]", "\u00a0", each) for each in written] == [
        re.sub("[\u202f\xa0]", "\u00a0", each) for each in figures
    ]


def test_digits_are_never_rounded() -> None:
    assert LANGUAGES["de"].decimal(f"{2**256}.{'1' * 40}") == f"{2**256:,}".replace(",", ".") + "," + "1" * 40


@pytest.mark.parametrize(
    ("seconds", "english", "german"),
    [(0, "0 sec", "0 Sek."), (119, "119 sec", "119 Sek."), (120, "2 min", "2 Min."), (7199, "119 min", "119 Min."),
     (7200, "2 hr", "2 Std."), (172_800, "2 days", "2 Tg.")],
)  # fmt: skip
def test_a_duration_is_in_the_largest_unit_of_which_there_are_two(seconds: int, english: str, german: str) -> None:
    assert (ENGLISH.duration(seconds), LANGUAGES["de"].duration(seconds)) == (english, german)


def test_a_sentence_is_told_with_those_in_its_holes() -> None:
    german = LANGUAGES["de"]
    limit = Sentence(
        "%(requests)s in %(window)s",
        requests=Sentence.counted("%(count)s request", "%(count)s requests", 1),
        window=Sentence.counted("%(count)s hour", "%(count)s hours", 2),
    )
    told = Sentence("More than %(limit)s came from your address: try again later", limit=limit)
    assert told == "More than 1 request in 2 hours came from your address: try again later"
    assert german.translated(told) == (
        "Von Ihrer Adresse kamen mehr als 1 Anfrage in 2 Stunden: Versuchen Sie es später noch einmal"
    )
    assert german.translated("no sentence") == "no sentence"
    assert german.say("a sentence %(that)s nobody knows", that="that") == "a sentence that nobody knows"
    assert LANGUAGES["fr"].translated(Sentence.counted("%(count)s hour", "%(count)s hours", 0)) == "0 heure"
