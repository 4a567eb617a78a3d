"""The permitted loss of the output and the resulting minimum. Pure; the table is in docs/quotes.md."""

from collections.abc import Mapping
from enum import StrEnum
from fractions import Fraction
from types import MappingProxyType

from rhumbline.domain.amount import BASIS_POINTS, mul_div_up, share_down
from rhumbline.domain.chain import Chain
from rhumbline.domain.route import RouteRequest
from rhumbline.domain.token import Token

_STABLE = frozenset({"USDC", "USDC.E", "USDBC", "USDT", "USDT0", "DAI", "USDS", "PYUSD", "FRAX", "LUSD", "GHO", "TUSD"})
_MAJOR = frozenset(
    {"ETH", "WETH", "BTC", "WBTC", "CBBTC", "BTCB", "BNB", "WBNB", "POL", "WPOL", "AVAX", "WAVAX", "SOL", "WSOL"}
)
_IMPACT_DIVISOR = 4
_MOST_AUTO = Fraction(5, 100)


class PairKind(StrEnum):
    """The kind of a pair."""

    WRAP = "wrap"
    SAME_ASSET = "same asset"
    STABLE = "stable"
    MAJOR = "major"
    LONG_TAIL = "long tail"
    UNLISTED = "unlisted"


_PERMITTED: Mapping[PairKind, tuple[Fraction, Fraction]] = MappingProxyType(
    {
        PairKind.WRAP: (Fraction(0), Fraction(0)),
        PairKind.SAME_ASSET: (Fraction(5, 1000), Fraction(5, 10_000)),
        PairKind.STABLE: (Fraction(1, 1000), Fraction(1, 1000)),
        PairKind.MAJOR: (Fraction(5, 1000), Fraction(3, 1000)),
        PairKind.LONG_TAIL: (Fraction(5, 1000), Fraction(1, 100)),
        PairKind.UNLISTED: (Fraction(5, 1000), Fraction(2, 100)),
    }
)
"""By kind of pair: the default share, and that of ``auto`` before the price impact."""


def pair_kind(origin: Chain, sold: Token, bought: Token) -> PairKind:
    """Return the kind of a pair. Symbols count for listed tokens only: anybody can call a token USDC."""
    both = {sold.address, bought.address}
    if sold.chain_id == bought.chain_id and both == {origin.native.address, origin.wrapped_native}:
        return PairKind.WRAP
    if not (sold.listed and bought.listed):
        return PairKind.UNLISTED
    if is_same_asset(sold, bought):
        return PairKind.SAME_ASSET
    names = {(token.coin_key or token.symbol).upper() for token in (sold, bought)}
    if names <= _STABLE:
        return PairKind.STABLE
    return PairKind.MAJOR if names <= _STABLE | _MAJOR else PairKind.LONG_TAIL


def is_same_asset(one: Token, other: Token) -> bool:
    """Return whether two listed tokens are one asset by their coin key. Unlisted tokens equal nothing."""
    return one.listed and other.listed and one.coin_key is not None and one.coin_key == other.coin_key


def permitted_loss(request: RouteRequest, kind: PairKind, price_impact_bps: int | None) -> Fraction:
    """Return the share of the output that may be lost, applied once, end to end.

    ``auto`` wins over an explicit bound: the pair's share and a quarter of the price impact, at most 5 %.
    """
    default, auto = _PERMITTED[kind]
    if request.auto_slippage:
        impact = Fraction(max(price_impact_bps or 0, 0), BASIS_POINTS * _IMPACT_DIVISOR)
        return min(auto + impact, _MOST_AUTO)
    return default if request.slippage is None else request.slippage


def least_output(output: int, loss: Fraction) -> int:
    """Return the minimum of an output: the permitted loss is rounded down. Never 0, which no contract accepts."""
    return max(output - share_down(output, loss), 1)


def output_for(least: int, loss: Fraction) -> int:
    """Return the smallest output, but for a unit, whose minimum is ``least``: rounded up; ``loss`` is below 1."""
    return mul_div_up(least, loss.denominator, loss.denominator - loss.numerator)


def promisable(output: int, fixed: int, loss: Fraction) -> int:
    """Return what may be promised of an output whose minimum an upstream has fixed.

    Upstreams round what must arrive down, which may lose one unit more than is permitted. Then the largest output of
    which ``fixed`` is the minimum is promised, a unit or so less; for all else the output itself.
    """
    if fixed != least_output(output, loss) - 1 or fixed < 1:
        return output
    return fixed * loss.denominator // (loss.denominator - loss.numerator)


def lost_share(paid: int | Fraction, received: int | Fraction) -> Fraction:
    """Return which share of a value is lost between two values; negative is a gain. ``paid`` is positive."""
    return 1 - Fraction(received) / paid
