"""The languages that pages speak: their sentences, and how people there write numbers and times.

English sentences stand where they are shown, in templates and in code. ``languages/<tag>.po`` has them in another
language; ``web/src/language.ts`` names the same languages for the swap box.
"""

import gettext
import io
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from starlette.requests import Request

from rhumbline.domain.sentence import Sentence

if TYPE_CHECKING:
    from babel import Locale

COOKIE = "rhumbline-language"
"""What a visitor has chosen on this site: a tag, or ``AUTOMATIC``. The pages' scripts read and write it too."""
AUTOMATIC = "auto"
CATALOGUES = Path(__file__).with_name("languages")
_LONGEST_HEADER = 1000
_RANGE = re.compile(r"([A-Za-z]{2,8})(?:-[A-Za-z0-9]{1,8})*(?:\s*;\s*q=([01](?:\.[0-9]{0,3})?))?", re.ASCII)


@dataclass(frozen=True)
class Language:
    """A language: ``tag`` as HTML names it, ``name`` as it calls itself.

    ``minute`` writes a time to the minute and ``second`` to the second, as `strftime` takes it; ``short_day`` writes a
    day of this year, as CLDR takes it.
    """

    tag: str
    name: str
    minute: str
    second: str
    short_day: str

    def say(self, form: str, /, **holes: object) -> str:
        """Say an English sentence in this language; ``holes`` fill its ``%(name)s``."""
        return self.translated(Sentence(form, **holes))

    def translated(self, text: str) -> str:
        """Say a sentence, and the sentences in its holes, in this language; what is no sentence stays as it is."""
        if not isinstance(text, Sentence):
            return text
        holes = {name: self.translated(hole) if isinstance(hole, str) else hole for name, hole in text.holes.items()}
        if text.several is None:
            form = self.catalogue.gettext(text.form)
            return form % holes if holes else form
        count = holes["count"]
        form = self.catalogue.ngettext(text.form, text.several, count if isinstance(count, int) else 2)
        return form % holes

    def number(self, number: int) -> str:
        return self.decimal(f"{number}")

    def decimal(self, text: str) -> str:
        """Write a decimal number, given as ``1234.50``, with the marks of this language, digit by digit."""
        whole, _, fraction = text.partition(".")
        group, mark = self._marks
        # Spanish sets four digits apart only where there are more.
        grouped = whole if self.tag == "es" and len(whole) < 5 else f"{int(whole):,}".replace(",", group)
        return f"{grouped}{mark}{fraction}" if fraction else grouped

    def percent(self, text: str) -> str:
        """Write a percentage, given as ``12.5``."""
        before, after = self._affixes("percent")
        return f"{before}{self.decimal(text)}{after}"

    def dollars(self, text: str) -> str:
        """Write US dollars: a text with the amount, in which the marks are right already."""
        before, after = self._affixes("currency")
        return f"{before}{text}{after}"

    def moment(self, time: datetime) -> str:
        """Write a time in UTC, to the minute."""
        return time.strftime(f"{self.minute} UTC")

    def exact_moment(self, time: datetime) -> str:
        """Write a time in UTC, to the second."""
        return time.strftime(f"{self.second} UTC")

    def day(self, day: date) -> str:
        return day.strftime(self.minute.partition(" ")[0])

    def day_name(self, day: date) -> str:
        """Write a day without its year."""
        from babel.dates import format_date

        return format_date(day, self.short_day, self.locale)

    def duration(self, seconds: float) -> str:
        """Write a duration in the largest unit of which there are two."""
        for unit, size in (("day", 86_400), ("hour", 3_600), ("minute", 60)):
            if seconds >= 2 * size:
                return self._unit(int(seconds // size), f"duration-{unit}")
        return self._unit(int(seconds), "duration-second")

    def milliseconds(self, number: int) -> str:
        return self._unit(number, "duration-millisecond")

    def listed(self, items: Iterable[object]) -> str:
        """Write items one after the other, each of which counts."""
        return ("、" if self.tag in ("ja", "zh") else ", ").join(map(str, items))

    def _unit(self, number: int, unit: str) -> str:
        from babel.units import format_unit

        return format_unit(number, unit, length="short", locale=self.locale)

    @cached_property
    def catalogue(self) -> gettext.NullTranslations:
        """The sentences in this language; English ones are themselves."""
        if self.tag == "en":
            return gettext.NullTranslations()
        from babel.messages.mofile import write_mo
        from babel.messages.pofile import read_po

        with (CATALOGUES / f"{self.tag}.po").open("rb") as file:
            written = io.BytesIO()
            write_mo(written, read_po(file, self.tag))
        written.seek(0)
        return gettext.GNUTranslations(written)

    @cached_property
    def locale(self) -> "Locale":
        # Here, because a start should not wait for what the first visitor needs.
        from babel import Locale

        return Locale.parse(self.tag)

    @cached_property
    def _marks(self) -> tuple[str, str]:
        symbols = self.locale.number_symbols["latn"]
        return symbols["group"], symbols["decimal"]

    def _affixes(self, kind: str) -> tuple[str, str]:
        """Return what stands before and after a positive number."""
        formats = self.locale.percent_formats[None] if kind == "percent" else self.locale.currency_formats["standard"]
        return formats.prefix[0].replace("¤", "$"), formats.suffix[0].replace("¤", "$")


ENGLISH = Language("en", "English", "%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S", "d MMM")
LANGUAGES: Mapping[str, Language] = MappingProxyType({
    each.tag: each
    for each in (
        ENGLISH,
        Language("de", "Deutsch", "%d.%m.%Y %H:%M", "%d.%m.%Y %H:%M:%S", "d. MMM"),
        Language("es", "Español", "%d/%m/%Y %H:%M", "%d/%m/%Y %H:%M:%S", "d MMM"),
        Language("fr", "Français", "%d/%m/%Y %H:%M", "%d/%m/%Y %H:%M:%S", "d MMM"),
        Language("ja", "日本語", "%Y/%m/%d %H:%M", "%Y/%m/%d %H:%M:%S", "M月d日"),
        Language("zh", "简体中文", "%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S", "M月d日"),
    )
})  # fmt: skip


def language_of(request: Request) -> Language:
    """Return what the visitor has chosen on this site, else what the browser likes best, else English."""
    return LANGUAGES.get(request.cookies.get(COOKIE, "")) or liked_best(request.headers.get("accept-language"))


def liked_best(accept_language: str | None) -> Language:
    """Return the language that a browser likes best of those there are; English where it likes none."""
    liked: list[tuple[float, str]] = []
    for part in (accept_language or "")[:_LONGEST_HEADER].split(","):
        found = _RANGE.fullmatch(part.strip())
        if found is not None and found[1].lower() in LANGUAGES:
            liked.append((float(found[2] or 1), found[1].lower()))
    best = max(liked, key=lambda each: each[0], default=(0.0, ENGLISH.tag))
    return LANGUAGES[best[1]] if best[0] > 0 else ENGLISH
