"""Mayan's amounts: at most eight decimals in transit, and JSON numbers with a decimal point.

Source: swap-sdk 15.2.0 (https://github.com/mayan-finance/swap-sdk, read 2026-11-21). It writes a number with one
decimal more than it keeps (half away from zero) and cuts that one off. It does so on a double; here it is done on the
digits that were sent, which differs only where these end in an exact half: by one in the last place kept.
"""

from decimal import ROUND_DOWN, ROUND_HALF_UP, Context, Decimal

from rhumbline.domain.errors import UpstreamFailed

MOST_DECIMALS = 8
"""The decimals that the protocols keep of an amount (as Wormhole's token bridge does)."""
LARGEST_U64 = 2**64 - 1
_EXACT = Context(prec=1000)


def whole_units(number: Decimal | None, decimals: int) -> int:
    """Return raw units of a number of whole tokens, as the SDK does: at most eight decimals, the rest cut off.

    A missing number is 0. Raise UpstreamFailed for a negative one.
    """
    if number is None:
        return 0
    if number < 0:
        raise UpstreamFailed("answered with a negative amount")
    kept = min(MOST_DECIMALS, decimals)
    rounded = number.quantize(Decimal(1).scaleb(-kept - 1), ROUND_HALF_UP, _EXACT)
    cut = rounded.quantize(Decimal(1).scaleb(-kept), ROUND_DOWN, _EXACT)
    return int(cut.scaleb(decimals, _EXACT))


def protocol_units(number: Decimal | None, decimals: int) -> int:
    """Return whole tokens in the protocols' own units; raise UpstreamFailed if they exceed a u64."""
    return fitting(whole_units(number, min(MOST_DECIMALS, decimals)))


def fitting(amount: int) -> int:
    """Return the amount if a u64 holds it: the contracts cut larger ones off; raise UpstreamFailed if not."""
    if not 0 <= amount <= LARGEST_U64:
        raise UpstreamFailed("answered with an amount that the protocol cannot hold")
    return amount


def normalised(amount: int, decimals: int) -> int:
    """Return raw units in the protocols' own units, rounded down."""
    return amount // _unit(decimals)


def denormalised(amount: int, decimals: int) -> int:
    """Return the protocols' units in raw units, exactly."""
    return amount * _unit(decimals)


def floored(amount: int, decimals: int) -> int:
    """Return raw units without the digits that the protocols drop: the contracts would keep that dust."""
    return denormalised(normalised(amount, decimals), decimals)


def _unit(decimals: int) -> int:
    return int(10 ** max(0, decimals - MOST_DECIMALS))
