"""Curve's stableswap invariant with whole numbers, rounded and bounded as CurveStableSwapNG computes it.

Source, read 2026-11: https://github.com/curvefi/stableswap-ng, contracts/main/CurveStableSwapNG.vy and
CurveStableSwapNGMath.vy (v7.0.0, as deployed since 2023-12-12). Balances are scaled to 18 decimals and by their
rates; ``amplification`` is A in hundredths. The contract reverts where a product leaves 256 bits or a search does not
end; here that is Unswappable.
"""

from collections.abc import Sequence

from rhumbline.liquidity.kinds.unswappable import Unswappable

A_PRECISION = 100
PRECISION = 10**18
FEE_UNITS = 10**10
MOST_STEPS = 255
_MOST_INVARIANT = 2**128 - 1


def word(value: int) -> int:
    """Return a number that fits 256 bits; Unswappable for another."""
    if value < 0 or value >> 256:
        raise Unswappable("the pool's numbers leave 256 bits")
    return value


def quotient(dividend: int, divisor: int) -> int:
    """Divide, rounded down; Unswappable for a divisor of 0, which an empty side makes, and beyond 256 bits."""
    if not divisor:
        raise Unswappable("the pool is empty")
    return word(dividend) // word(divisor)


def invariant(balances: Sequence[int], amplification: int) -> int:
    """Return D, by the contract's own steps; raise Unswappable if one side is empty."""
    count, total = len(balances), word(sum(balances))
    factor = word(amplification * count)
    least = word(factor - A_PRECISION)
    found = total
    for _ in range(MOST_STEPS):
        product = found
        for balance in balances:
            product = quotient(product * found, balance)
        product //= count**count
        before = found
        above = word(word(factor * total) // A_PRECISION + product * count)
        below = word(least * found) // A_PRECISION + word((count + 1) * product)
        found = quotient(above * found, below)
        if abs(found - before) <= 1:
            return found
    raise Unswappable("the pool's invariant is not found")


def balance_after(balances: Sequence[int], sold: int, bought: int, balance: int, amplification: int, total: int) -> int:
    """Return the balance of the coin ``bought`` if that of ``sold`` is ``balance``; ``total`` is D."""
    count = len(balances)
    factor = word(amplification * count)
    known, c = 0, total
    for index, each in enumerate(balances):
        if index == bought:
            continue
        value = balance if index == sold else each
        known += value
        c = quotient(c * total, value * count)
    c = quotient(word(c * total) * A_PRECISION, factor * count)
    b = word(known) + total * A_PRECISION // factor
    found = total
    for _ in range(MOST_STEPS):
        before = found
        found = quotient(found * found + c, 2 * found + b - total)
        if abs(found - before) <= 1:
            return found
    raise Unswappable("the pool's balance is not found")


def check_prices(balances: Sequence[int], amplification: int, total: int) -> None:
    """Raise Unswappable where the contract cannot write its price oracles after a swap, and so reverts."""
    count, first = len(balances), balances[0]
    rest = total // count**count
    for balance in balances:
        rest = quotient(rest * total, balance)
    base = word(amplification * count * first) // A_PRECISION
    word(base + rest)
    for balance in balances[1:]:
        word(PRECISION * word(base + quotient(rest * first, balance)))
    if total > _MOST_INVARIANT:
        raise Unswappable("the pool's numbers leave 256 bits")


def dynamic_fee(sold: int, bought: int, fee: int, off_peg: int) -> int:
    """Return the fee, in 1e-10, at balances that are the means of before and after a swap."""
    if off_peg <= FEE_UNITS:
        return fee
    square = word(word(sold + bought) ** 2)
    weight = quotient(word((off_peg - FEE_UNITS) * 4 * sold) * bought, square)
    return off_peg * fee // (weight + FEE_UNITS)
