"""Compares answers with the request. Pure; faults name what differs, never an upstream's text."""

from rhumbline.domain.errors import BelowMinimum, UpstreamFailed

MOST_GAS = 10**12
"""Far above any block's gas, also on chains with small gas units; a larger estimate is ignored."""


def expect(what: str, found: object, expected: object) -> None:
    """Raise UpstreamFailed unless both are equal; texts that are EVM addresses or hex compare without case."""
    if not same(found, expected):
        raise UpstreamFailed(f"answered with another {what} than was asked for")


def same(found: object, expected: object) -> bool:
    """Return whether two values are equal: hex without regard to case, base58 with it."""
    return found == expected or _plain(found) == _plain(expected)


def expect_at_least(what: str, found: int, least: int) -> None:
    """Raise UpstreamFailed unless ``found`` is ``least`` or more."""
    if found < least:
        raise UpstreamFailed(f"answered with a smaller {what} than was asked for, at least {least}")


def expect_at_most(what: str, found: int, most: int) -> None:
    """Raise UpstreamFailed unless ``found`` is ``most`` or less."""
    if found > most:
        raise UpstreamFailed(f"answered with a larger {what} than was asked for, at most {most}")


def expect_within(what: str, found: int, least: int, most: int) -> None:
    """Raise UpstreamFailed, which names the bound, unless ``found`` is from ``least`` to ``most``, both of ours."""
    if not least <= found <= most:
        raise UpstreamFailed(f"answered with its {what} outside of the bounds, from {least} to {most}")


def expect_gas(estimate: int | None) -> int | None:
    """Return an upstream's gas estimate, None for none; raise UpstreamFailed above any block's gas."""
    if estimate is not None:
        expect_within("estimate of gas", estimate, 0, MOST_GAS)
    return estimate


def read_gas(stated: object) -> int | None:
    """Read a gas estimate that only affects ranking: a value that is not a decimal number counts as none.

    Raise UpstreamFailed for what no block takes.
    """
    if isinstance(stated, str) and stated.isascii() and stated.isdecimal() and len(stated) < 19:
        return expect_gas(int(stated))
    return None


def expect_minimum(found: int, output: int, least: int) -> None:
    """Raise UpstreamFailed unless a call's minimum is from ``least`` to the quoted output.

    Raise BelowMinimum where the output is too small for any minimum.
    """
    expect_at_most("minimum", found, output)
    if least == found == 0:
        raise BelowMinimum("gives too little for any minimum")
    expect_at_least("minimum", found, max(least, 1))


def expect_one_of(what: str, found: object, allowed: frozenset[str]) -> None:
    """Raise UpstreamFailed unless ``found`` is among those pinned; hex compares without case."""
    if found not in allowed and _plain(found) not in {_plain(item) for item in allowed}:
        raise UpstreamFailed(f"answered with a {what} that is not among those known")


def _plain(value: object) -> object:
    """Take the case out of hex; base58 keeps it."""
    return value.lower() if isinstance(value, str) and value[:2] in ("0x", "0X") else value
