"""The lines that embed the element in another site, read from a form: for the playground and the portal's page."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from types import MappingProxyType
from urllib.parse import urlsplit

from starlette.datastructures import QueryParams

from rhumbline.domain.sentence import Sentence

MOST_FEE_PERCENT = 10
LOCKS = ("from", "to")
LAYOUTS = ("compact", "wide")
_LONGEST = 200
_PERCENT = re.compile(r"[0-9]{1,2}(\.[0-9]{1,4})?", re.ASCII)


def _form(pattern: str, words: Sentence) -> tuple[re.Pattern[str], Sentence]:
    return re.compile(pattern), words


_TOKEN = _form(
    "[0-9]{1,15}:[A-Za-z0-9._₮-]{1,64}",
    Sentence("A token is its chain’s ID, a colon, and a symbol or address: 8453:USDC"),
)
_FONT = _form("[A-Za-z0-9 ,'_-]+", Sentence("A font is a list of families as CSS writes it: Inter, sans-serif"))
_FORMS: Mapping[str, tuple[re.Pattern[str], Sentence]] = MappingProxyType({
    "integrator": _form("[A-Za-z0-9._-]{1,31}", Sentence("An integrator is named as it is registered in the portal")),
    "from": _TOKEN,
    "to": _TOKEN,
    "amount": _form(r"[0-9]{1,60}(\.[0-9]{1,60})?", Sentence("The amount is in whole tokens, with a point: 12.5")),
    "receiver": _form("[A-Za-z0-9]{32,64}", Sentence("The receiver is an address: 0x… or base58")),
    "tools": _form(
        "[A-Za-z0-9_]+([ ,]+[A-Za-z0-9_]+)*", Sentence("Tools are keys with blanks between: ONCHAIN ACROSS")
    ),
    "layout": _form("|".join(LAYOUTS), Sentence("The layout is compact or wide")),
    "font": _FONT,
    "heading-font": _FONT,
    "accent": _form("#[0-9a-fA-F]{6}", Sentence("The colour is written as #6b3fa0")),
})  # fmt: skip
DEFAULT_ACCENT = "#0b6680"
"""What the form shows where no colour was chosen."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """The form's input as it was typed, and its faults by field."""

    typed: Mapping[str, str]
    chains: tuple[int, ...]
    locked: tuple[str, ...]
    faults: Mapping[str, Sentence]

    @property
    def attributes(self) -> tuple[tuple[str, str], ...]:
        """Return the attributes to write, in order, without those that say nothing or that have a fault."""
        given = {**self.typed, "chains": " ".join(map(str, self.chains)), "locked": " ".join(self.locked)}
        given["fee"] = self._share
        names = ("integrator", "chains", "api", "fee", "from", "to", "amount", "receiver", "locked", "tools")
        return tuple(
            (name, given[name])
            for name in (*names, "layout", "font", "heading-font")
            if given[name] and name not in self.faults
        )

    @property
    def accent(self) -> str:
        """The colour of buttons; empty where it is the element's own, which differs by night."""
        chosen = self.typed["accent"]
        return chosen if chosen != DEFAULT_ACCENT and "accent" not in self.faults else ""

    @property
    def _share(self) -> str:
        fee = self.typed["fee"]
        return format((Decimal(fee) / 100).normalize(), "f") if fee and "fee" not in self.faults else ""


def read_wanted(given: QueryParams, known: Iterable[int], integrator: str | None = None) -> Wanted:
    """Read the form; chains that are not known are left out. ``integrator`` stands where the form has none."""
    named = set(given.getlist("chain"))
    typed = {name: given.get(name, "").strip()[:_LONGEST] for name in (*_FORMS, "api", "fee")}
    if integrator is not None:
        typed["integrator"] = integrator
    faults = {name: words for name, (form, words) in _FORMS.items() if typed[name] and not form.fullmatch(typed[name])}
    if typed["api"] and not _is_address(typed["api"]):
        faults["api"] = Sentence("The address begins with https:// and has no query: https://yours.example/rhumbline")
    fee = typed["fee"]
    if fee and not (_PERCENT.fullmatch(fee) and 0 < Decimal(fee) <= MOST_FEE_PERCENT):
        faults["fee"] = Sentence(
            "The fee is a percentage above 0 and at most %(most)s, with at most four decimals: 0.5",
            most=MOST_FEE_PERCENT,
        )
    locked = tuple(name for name in LOCKS if name in given.getlist("locked"))
    return Wanted(typed, tuple(each for each in known if str(each) in named), locked, faults)


def _is_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname) and not parts.query and not parts.fragment
