"""Amounts are integers in raw units; every rounding names its direction."""

import re
from fractions import Fraction

MAX_EVM = 2**256 - 1
MAX_SVM = 2**64 - 1
BASIS_POINTS = 10_000
"""How many basis points (bps) are the whole: one is a hundredth of a percent."""
_AMOUNT = re.compile(r"[1-9][0-9]{0,77}\Z", re.ASCII)


def parse_amount(text: str, largest: int = MAX_EVM) -> int | None:
    """Read a positive base-10 integer, at most ``largest``, of digits alone without a leading zero; None for others."""
    if not _AMOUNT.match(text):
        return None
    amount = int(text)
    return amount if amount <= largest else None


def share_down(amount: int, share: Fraction) -> int:
    return amount * share.numerator // share.denominator


def slippage_bps(share: Fraction, most: int = BASIS_POINTS) -> int:
    """Return the slippage to request in whole bps, rounded down, at most ``most``."""
    return min(share_down(BASIS_POINTS, share), most)


def less_bps(amount: int, bps: int) -> int:
    """Return an amount less so many bps, rounded down."""
    return amount * (BASIS_POINTS - bps) // BASIS_POINTS


def mul_div_up(amount: int, numerator: int, denominator: int) -> int:
    """Return ``amount * numerator / denominator``, rounded up; all are non-negative, the denominator positive."""
    return -(-amount * numerator // denominator)


def format_amount(amount: int, decimals: int) -> str:
    """Write raw units as a decimal number of whole tokens, exactly, without trailing zeros."""
    sign, digits = ("-" if amount < 0 else ""), str(abs(amount)).rjust(decimals + 1, "0")
    whole, fraction = digits[: len(digits) - decimals], digits[len(digits) - decimals :].rstrip("0")
    return f"{sign}{whole}.{fraction}" if fraction else f"{sign}{whole}"
