"""How long something is, in words."""

from collections.abc import Mapping
from types import MappingProxyType

_UNITS: Mapping[str, int] = MappingProxyType({"s": 1, "m": 60, "h": 3_600, "d": 86_400})
_MOST_DIGITS = 9


def in_largest_unit(seconds: float) -> str:
    """Write a duration in the largest unit of which there are two: "45 s", "3 min", "2 h", "1,200 d"."""
    for unit, size in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= 2 * size:
            return f"{int(seconds // size):,} {unit}"
    return f"{int(seconds)} s"


def read_seconds(text: str) -> int | None:
    """Read a duration as people write it: ``90s``, ``10m``, ``2h``, ``1d``; None for anything else."""
    number, unit = text.strip()[:-1], text.strip()[-1:].lower()
    if unit not in _UNITS or not (number.isascii() and number.isdigit() and len(number) <= _MOST_DIGITS):
        return None
    return int(number) * _UNITS[unit]
