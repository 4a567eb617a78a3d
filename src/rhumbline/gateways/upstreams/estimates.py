"""Price impact and duration as upstreams tell them: shown, and nothing that is enforced.

A price impact is a number or a text, of one or of a hundred, with either sign for a loss.
"""

import re
from decimal import ROUND_CEILING, Decimal, InvalidOperation
from math import ceil

from rhumbline.domain.amount import BASIS_POINTS

SHARE = BASIS_POINTS
"""The unit of an upstream that tells a loss as a positive share of one."""
NEGATIVE_PERCENT = -BASIS_POINTS // 100
"""The unit of an upstream that tells a loss as a negative percentage."""
_NUMBER = re.compile(r"-?[0-9.]{1,60}(?:[eE]-?[0-9]{1,3})?\Z", re.ASCII)


def price_impact_bps(said: object, unit: int) -> int | None:
    """Read a price impact as bps lost, rounded up; a gain is 0, and None what is no number or more than all.

    ``unit`` is how many bps the upstream's 1 is, below zero where a loss is negative. It is shown and weighs nothing
    that is enforced, so whatever cannot be read is left alone.
    """
    if isinstance(said, str) and _NUMBER.match(said):
        try:
            said = Decimal(said)
        except InvalidOperation:
            return None
    if isinstance(said, bool) or not isinstance(said, int | Decimal) or not (number := Decimal(said)).is_finite():
        return None
    if number.is_zero() or (number < 0) is not (unit < 0):
        return 0
    # Numbers that would overflow are larger than all in any unit.
    lost = number * unit if abs(number) <= BASIS_POINTS else BASIS_POINTS + 1
    return int(Decimal(lost).to_integral_value(ROUND_CEILING)) if lost <= BASIS_POINTS else None


WEEK_S = 7 * 86_400


def estimated_seconds(said: Decimal | int | None, longest: int = WEEK_S) -> int | None:
    """Return an estimate in whole seconds, rounded up; None for one below zero or above ``longest``: it is none."""
    return None if said is None or not 0 <= said <= longest else ceil(said)
