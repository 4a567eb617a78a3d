"""Price impact and duration as upstreams state them: for display, not enforced.

A price impact is a number or a text, of one or of a hundred, with either sign for a loss.
"""

import re
from decimal import ROUND_CEILING, Decimal, InvalidOperation
from math import ceil

from rhumbline.domain.amount import BASIS_POINTS

SHARE = BASIS_POINTS
"""The unit of an upstream that states a loss as a positive share of one."""
NEGATIVE_PERCENT = -BASIS_POINTS // 100
"""The unit of an upstream that states a loss as a negative percentage."""
_NUMBER = re.compile(r"-?[0-9.]{1,60}(?:[eE]-?[0-9]{1,3})?\Z", re.ASCII)


def price_impact_bps(stated: object, unit: int) -> int | None:
    """Parse a price impact as bps lost, rounded up; a gain is 0, and None for no number or more than all.

    ``unit`` is how many bps the upstream's 1 is, negative if a loss is negative. It is shown and affects nothing that
    is enforced, so an unreadable one is ignored.
    """
    if isinstance(stated, str) and _NUMBER.match(stated):
        try:
            stated = Decimal(stated)
        except InvalidOperation:
            return None
    if isinstance(stated, bool) or not isinstance(stated, int | Decimal) or not (number := Decimal(stated)).is_finite():
        return None
    if number.is_zero() or (number < 0) is not (unit < 0):
        return 0
    # Numbers that would overflow are larger than all in any unit.
    lost = number * unit if abs(number) <= BASIS_POINTS else BASIS_POINTS + 1
    return int(Decimal(lost).to_integral_value(ROUND_CEILING)) if lost <= BASIS_POINTS else None


WEEK_S = 7 * 86_400


def estimated_seconds(stated: Decimal | int | None, longest: int = WEEK_S) -> int | None:
    """Return an estimate in whole seconds, rounded up; None if it is below zero or above ``longest``."""
    return None if stated is None or not 0 <= stated <= longest else ceil(stated)
