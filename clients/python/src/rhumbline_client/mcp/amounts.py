"""Amounts as people write them, ``1.5``, and in a token's smallest unit."""

import re
from decimal import Decimal

from rhumbline_client.mcp.failures import ToolFailure

LONGEST = 80
MOST_PERCENT_DIGITS = 6
_WRITTEN = re.compile(r"[0-9]+(?:\.[0-9]+)?", re.ASCII)


def units_of(name: str, written: str, decimals: int, symbol: str) -> int:
    """Return an amount of a token in its smallest unit, exactly.

    Raises:
        ToolFailure: it is no positive decimal number, or has more decimals than the token.

    """
    if not _WRITTEN.fullmatch(written) or len(written) > LONGEST or not written.strip("0."):
        raise ToolFailure(
            f"{name}: give a decimal number above 0 of {symbol} as people write it, such as 100 or 0.25, "
            "without signs, exponents, commas or blanks"
        )
    whole, _, part = written.partition(".")
    part = part.rstrip("0")
    if len(part) > decimals:
        raise ToolFailure(
            f"{name}: {symbol} has {decimals} decimals, so {written} is no amount of it: round it to {decimals}"
        )
    return int(whole + part.ljust(decimals, "0"))


def written_of(units: int, decimals: int) -> str:
    """Return an amount in the smallest unit as people write it, with every digit and no zeros at the end."""
    text = f"{abs(units):0{decimals + 1}d}"
    cut = len(text) - decimals
    part = text[cut:].rstrip("0")
    return f"{'-' if units < 0 else ''}{text[:cut]}{'.' if part else ''}{part}"


def share_of(name: str, percent: str) -> Decimal:
    """Return a percentage as a fraction: ``0.5`` is 0.005.

    Raises:
        ToolFailure: it is no decimal number above 0 and below 100 with at most six decimals.

    """
    sound = _WRITTEN.fullmatch(percent) and len(percent) <= LONGEST
    number = Decimal(percent) if sound else Decimal(0)
    if not 0 < number < 100 or len(percent.partition(".")[2]) > MOST_PERCENT_DIGITS:
        raise ToolFailure(
            f"{name}: give percent as a decimal number above 0 and below 100, such as 0.5 for half a percent, "
            f"with at most {MOST_PERCENT_DIGITS} decimals and without a sign"
        )
    return number / 100
