"""OKX's percentages: slippage as it is asked for, price impact as it is told."""

from decimal import ROUND_CEILING, Decimal
from fractions import Fraction

from rhumbline.domain.amount import format_amount, share_down

BPS = 10_000
_DECIMALS_OF_BPS = 2
_LONGEST_PERCENT = 40


def slippage_bps_of(share: Fraction) -> int:
    """Return a share in whole bps, rounded down, all of it at the most."""
    return min(share_down(BPS, share), BPS)


def slippage_percent(bps: int) -> str:
    """Write bps as OKX wants it: 1 is 1 %."""
    return format_amount(bps, _DECIMALS_OF_BPS)


def impact_bps(said: object) -> int | None:
    """Read a price impact in percent, where a loss is negative, as bps lost, rounded up; None when it is none.

    The documentation's formula is what is received less what is paid, by what is paid.
    """
    if (
        isinstance(said, str)
        and len(said) <= _LONGEST_PERCENT
        and said.removeprefix("-").replace(".", "", 1).isdecimal()
    ):
        said = Decimal(said) if said.isascii() else None
    if isinstance(said, bool) or not isinstance(said, int | Decimal) or not -100 <= said <= 100:
        return None
    return max(int((-100 * Decimal(said)).to_integral_value(ROUND_CEILING)), 0)
