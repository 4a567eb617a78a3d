"""The address of a logo that the service draws, for tokens and tools without one."""

import re

_LONGEST_INITIALS = 3
_LONGEST_SUBJECT = 64
_NO_INITIALS = re.compile(r"[^A-Za-z0-9]", re.ASCII)
_NO_SUBJECT = re.compile(r"[^A-Za-z0-9_-]", re.ASCII)


def logo_url(base_url: str, name: str, subject: str) -> str:
    """Return where the drawing for a symbol or name is; ``subject`` is an address or key, which gives the colour."""
    initials = _NO_INITIALS.sub("", name)[:_LONGEST_INITIALS] or "-"
    return f"{base_url.rstrip('/')}/logos/{initials}/{_NO_SUBJECT.sub('-', subject)[:_LONGEST_SUBJECT]}.svg"
