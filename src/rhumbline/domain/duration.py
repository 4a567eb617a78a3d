"""How long something is, in words."""


def in_largest_unit(seconds: float) -> str:
    """Write a duration in the largest unit of which there are two: "45 s", "3 min", "2 h", "1,200 d"."""
    for unit, size in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= 2 * size:
            return f"{int(seconds // size):,} {unit}"
    return f"{int(seconds)} s"
