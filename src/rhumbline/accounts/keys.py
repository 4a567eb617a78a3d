"""An API key: `rl_live_` and 32 characters of base62. With 190 random bits an unsalted SHA-256 is safe to store.

One that may stand in a page, where everybody sees it, begins with `rl_pub_` instead.
Beside it a key has a name, which is for people alone.
"""

import re
import secrets
import string
from hashlib import sha256
from unicodedata import category

from rhumbline.domain.sentence import Sentence

_SECRET, _IN_BROWSERS = "rl_live_", "rl_pub_"
_ALPHABET = string.digits + string.ascii_uppercase + string.ascii_lowercase
_LENGTH = 32
_FORM = re.compile(rf"(?:{_SECRET}|{_IN_BROWSERS})[0-9A-Za-z]{{{_LENGTH}}}\Z", re.ASCII)
_SHOWN = 4
LONGEST_NAME = 40


def new_key(*, in_browsers: bool = False) -> str:
    begin = _IN_BROWSERS if in_browsers else _SECRET
    return begin + "".join(secrets.choice(_ALPHABET) for _ in range(_LENGTH))


def is_key(text: str) -> bool:
    return bool(_FORM.match(text))


def digest(key: str) -> bytes:
    """Return the 32 bytes under which the store knows a key."""
    return sha256(key.encode()).digest()


def prefix(key: str) -> str:
    """Return the visible start of a key: `rl_live_` or `rl_pub_`, and four characters."""
    return key[: key.rindex("_") + 1 + _SHOWN]


def is_for_browsers(start: str) -> bool:
    """Return whether a key, of which the start is given, is one that may stand in a page."""
    return start.startswith(_IN_BROWSERS)


def key_name_faults(name: str | None) -> tuple[str, ...]:
    """Return the faults of a key's name: it may not contain invisible characters or change the text direction."""
    if name is None:
        return ()
    if not 1 <= len(name) <= LONGEST_NAME or name != name.strip():
        return (Sentence("name: must have 1 to %(most)s characters, without spaces at the ends", most=LONGEST_NAME),)
    if any(category(character)[0] == "C" or category(character) in {"Zl", "Zp"} for character in name):
        return (Sentence("name: must have printable characters, on one line"),)
    return ()
