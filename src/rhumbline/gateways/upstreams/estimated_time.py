"""How long a transfer takes, as upstreams estimate it: shown, and nothing that is enforced."""

from decimal import Decimal
from math import ceil

WEEK_S = 7 * 86_400


def estimated_seconds(said: Decimal | int | None, longest: int = WEEK_S) -> int | None:
    """Return an estimate in whole seconds, rounded up; None for one below zero or above ``longest``: it is none."""
    return None if said is None or not 0 <= said <= longest else ceil(said)
