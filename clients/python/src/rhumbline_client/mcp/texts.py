"""Texts of strangers: names of tokens and tools, reasons of upstreams; on one line and bounded for an agent."""

import unicodedata
from typing import Annotated

from pydantic import BeforeValidator

LONGEST = 200


def plain(text: object, longest: int = LONGEST) -> str:
    """Return a text on one line, without invisible characters, and cut to a number of characters.

    Controls, marks of direction and unassigned code points are left out, every blank becomes a space: what an agent
    reads is what a person would see.
    """
    given = str(text)[: 4 * longest]
    shown = "".join(" " if each.isspace() else each for each in given if each.isspace() or _is_visible(each))
    words = " ".join(shown.split())
    return words if len(words) <= longest else f"{words[: longest - 1]}…"


def _is_visible(character: str) -> bool:
    return not unicodedata.category(character).startswith("C")


def _shown(given: object) -> object:
    return plain(given) if isinstance(given, str) else given


Text = Annotated[str, BeforeValidator(_shown)]
"""A text of a result that others wrote."""
