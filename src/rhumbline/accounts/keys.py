"""An API key: `rl_live_` and 32 characters of base62, 190 random bits, so unsalted SHA-256 keeps it safe at rest.

Beside it a key has a name, which is for people alone.
"""

import re
import secrets
import string
from hashlib import sha256
from unicodedata import category

_BEGIN = "rl_live_"
_ALPHABET = string.digits + string.ascii_uppercase + string.ascii_lowercase
_LENGTH = 32
_FORM = re.compile(rf"{_BEGIN}[0-9A-Za-z]{{{_LENGTH}}}\Z", re.ASCII)
_SHOWN = 4
LONGEST_NAME = 40


def new_key() -> str:
    return _BEGIN + "".join(secrets.choice(_ALPHABET) for _ in range(_LENGTH))


def is_key(text: str) -> bool:
    return bool(_FORM.match(text))


def digest(key: str) -> bytes:
    """Return the 32 bytes under which the store knows a key."""
    return sha256(key.encode()).digest()


def prefix(key: str) -> str:
    """Return the start that tells keys apart for people: `rl_live_` and four characters."""
    return key[: len(_BEGIN) + _SHOWN]


def key_name_faults(name: str | None) -> tuple[str, ...]:
    """Say what is wrong with a key's name: what cannot be seen, or turns the text around it, is no part of one."""
    if name is None:
        return ()
    if not 1 <= len(name) <= LONGEST_NAME or name != name.strip():
        return (f"name: must have 1 to {LONGEST_NAME} characters, without blanks around",)
    if any(category(character)[0] == "C" or category(character) in {"Zl", "Zp"} for character in name):
        return ("name: must have characters that can be seen, in one line",)
    return ()
