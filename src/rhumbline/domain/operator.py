"""Who at the command line changes something, and why."""

from dataclasses import dataclass

LONGEST_NAME = 64
LONGEST_REASON = 200
LONGEST_PUBLIC_REASON = 100
"""Answers show it in messages, which have at most 200 characters themselves."""


@dataclass(frozen=True, slots=True)
class Operator:
    """A person who runs the service. ``reason`` is in that person's words, None where none was given."""

    name: str
    reason: str | None = None


def operator_faults(name: str, reason: str | None, *, public: bool = False) -> tuple[str, ...]:
    """Say what is wrong with a name or reason; lists and answers show both in one line."""
    most = LONGEST_PUBLIC_REASON if public else LONGEST_REASON
    found = (("by", name, LONGEST_NAME), ("reason", reason, most))
    return tuple(fault for field, text, most in found if text is not None and (fault := _fault(field, text, most)))


def _fault(field: str, text: str, most: int) -> str | None:
    if not text.strip():
        return f"{field}: is empty; write 1 to {most} characters"
    if len(text) > most:
        return f"{field}: has {len(text)} characters; at most {most} are allowed"
    return None if text.isprintable() else f"{field}: has a character that cannot be printed; write one line of text"
