"""A bridge's raw answer as it is stored and shown: bounded in size and depth, numbers exact."""

import json
from collections.abc import Mapping
from decimal import Decimal

LARGEST_BYTES = 8192
_DEEPEST = 6
_LONGEST_TEXT = 1000
_MOST_ITEMS = 50
_LARGEST_NUMBER = 2**53
_LONGEST_WORD = 100


def shown(raw: Mapping[str, object]) -> dict[str, object]:
    """Return the stored part of a bridge's answer: JSON of at most 8 KB, with long texts, lists and depths cut.

    Numbers that JSON readers would round become texts. An answer that is still too large is left out as a whole.
    """
    kept = _plain(raw, 0)
    fits = isinstance(kept, dict) and len(json.dumps(kept)) <= LARGEST_BYTES
    return kept if fits and isinstance(kept, dict) else {"omitted": "the answer is too large to be kept"}


def printable_word(word: str | None) -> str | None:
    """Return a bridge's own word for a state as it is kept: printable, at most 100 characters; None for nothing."""
    return "".join(letter for letter in (word or "")[:_LONGEST_WORD] if letter.isprintable()).strip() or None


def _plain(value: object, depth: int) -> object:
    if depth > _DEEPEST:
        return None
    if isinstance(value, Mapping):
        items = list(value.items())[:_MOST_ITEMS]
        return {_text(str(key)): _plain(item, depth + 1) for key, item in items}
    if isinstance(value, list | tuple):
        return [_plain(item, depth + 1) for item in value[:_MOST_ITEMS]]
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return value if abs(value) < _LARGEST_NUMBER else str(value)
    return str(value) if isinstance(value, Decimal) else _text(str(value))


def _text(text: str) -> str:
    """Cut a text; PostgreSQL's JSON has no place for a zero, nor UTF-8 for half of a pair."""
    return text[:_LONGEST_TEXT].replace("\x00", "").encode("utf-8", "replace").decode()
