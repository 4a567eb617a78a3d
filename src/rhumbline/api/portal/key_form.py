"""The form for a key: what it is for, from where it may be used, and until when."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from rhumbline.accounts.key_terms import read_expiry, read_terms
from rhumbline.domain.account import EVERY_SCOPE, UNRESTRICTED, KeyScope, KeyTerms
from rhumbline.domain.sentence import Sentence

_BETWEEN = re.compile(r"[\s,;]+")
_LONGEST = 4000


@dataclass(frozen=True, slots=True)
class KeyForm:
    """What was entered, to be shown again, and what it means; ``terms`` hold only without ``faults``."""

    name: str = ""
    kind: str = "secret"
    scopes: frozenset[KeyScope] = EVERY_SCOPE
    origins: str = ""
    networks: str = ""
    expires: str = ""
    terms: KeyTerms = UNRESTRICTED
    expires_at: datetime | None = None
    faults: tuple[str, ...] = ()


EMPTY = KeyForm()


def read_key_form(form: Mapping[str, str], now: datetime) -> KeyForm:
    """Read the fields ``name``, ``kind``, ``quotes``, ``tracking``, ``origins``, ``networks`` and ``expires``.

    Lists are separated by blanks, commas or lines. A form that names no kind is for a secret key; one that has none of
    the fields that restrict a key, but its name, means a key for everything.
    """
    kind = form.get("kind", "secret")
    in_browsers = kind == "browser"
    chosen = frozenset(scope for scope in KeyScope if form.get(scope.value))
    origins, networks, expires = (form.get(field, "")[:_LONGEST] for field in ("origins", "networks", "expires"))
    terms, faults = read_terms(
        () if in_browsers else chosen, _BETWEEN.split(origins), _BETWEEN.split(networks), in_browsers=in_browsers
    )
    expires_at, late = read_expiry(expires, now)
    wrong_kind = () if kind in ("secret", "browser") else (Sentence("kind: choose a secret key or one for browsers"),)
    nothing = "scopes" in form and not in_browsers and not chosen
    unused = (Sentence("scope: choose what the key is for, quotes, tracking or both"),) if nothing else ()
    return KeyForm(
        form.get("name", "")[:_LONGEST],
        "browser" if in_browsers else "secret",
        chosen or EVERY_SCOPE,
        origins,
        networks,
        expires[:20],
        terms,
        expires_at,
        (*wrong_kind, *unused, *faults, *late),
    )
