"""Prices and amounts of concentrated liquidity, rounded as Uniswap V3 rounds them.

Sources, read 2026-11: v3-core 1.0.1, contracts/libraries/TickMath.sol, SqrtPriceMath.sol, TickBitmap.sol. Square roots
of prices are Q64.96: sqrt(raw token1 for a raw token0) * 2^96. Amounts are raw units, liquidity the contract's uint128.
"""

MIN_TICK = -887272
MAX_TICK = 887272
MIN_SQRT_PRICE = 4295128739
MAX_SQRT_PRICE = 1461446703485210103287273052203988822378723970342
LOWEST_LIMIT = MIN_SQRT_PRICE + 1
HIGHEST_LIMIT = MAX_SQRT_PRICE - 1
"""The price limits that QuoterV2 and SwapRouter02 put where the caller gives none."""
FEE_UNITS = 1_000_000
_MAX_UINT256 = 2**256 - 1

# 2^128 * 1.0001^(-2^i / 2) for bit i of the tick; the values of TickMath.sol.
_RATIOS = (
    0xFFFCB933BD6FAD37AA2D162D1A594001, 0xFFF97272373D413259A46990580E213A, 0xFFF2E50F5F656932EF12357CF3C7FDCC,
    0xFFE5CACA7E10E4E61C3624EAA0941CD0, 0xFFCB9843D60F6159C9DB58835C926644, 0xFF973B41FA98C081472E6896DFB254C0,
    0xFF2EA16466C96A3843EC78B326B52861, 0xFE5DEE046A99A2A811C461F1969C3053, 0xFCBE86C7900A88AEDCFFC83B479AA3A4,
    0xF987A7253AC413176F2B074CF7815E54, 0xF3392B0822B70005940C7A398E4B70F3, 0xE7159475A2C29B7443B29C7FA6E889D9,
    0xD097F3BDFD2022B8845AD8F792AA5825, 0xA9F746462D870FDF8A65DC1F90E061E5, 0x70D869A156D2A1B890BB3DF62BAF32F7,
    0x31BE135F97D08FD981231505542FCFA6, 0x9AA508B5B7A84E1C677DE54F3E99BC9, 0x5D6AF8DEDB81196699C329225EE604,
    0x2216E584F5FA1EA926041BEDFE98, 0x48A170391F7DC42444E8FA2,
)  # fmt: skip


def sqrt_price_at(tick: int) -> int:
    """Square root of the price at a tick, rounded up; ValueError beyond the outermost ticks."""
    distance = abs(tick)
    if distance > MAX_TICK:
        raise ValueError(f"tick {tick} is beyond ±{MAX_TICK}")
    ratio = 1 << 128
    for bit, factor in enumerate(_RATIOS):
        if distance >> bit & 1:
            ratio = ratio * factor >> 128
    if tick > 0:
        ratio = _MAX_UINT256 // ratio
    return -(-ratio >> 32)


def amount0_between(a: int, b: int, liquidity: int, *, up: bool) -> int:
    """Token0 between two square roots of prices, rounded up or down."""
    low, high = (a, b) if a < b else (b, a)
    product = (liquidity << 96) * (high - low)
    if up:
        raised = -(-product // high)
        return -(-raised // low)
    return product // high // low


def amount1_between(a: int, b: int, liquidity: int, *, up: bool) -> int:
    """Token1 between two square roots of prices, rounded up or down."""
    product = liquidity * abs(b - a)
    return -(-product >> 96) if up else product >> 96


def price_after_input(sqrt_price: int, liquidity: int, amount: int, zero_for_one: bool) -> int:
    """Square root of the price once the pool took ``amount`` (without its fee), rounded against the trader.

    ``liquidity`` is positive. Where the product leaves 256 bits the contract uses a coarser formula; so does this.
    """
    if not zero_for_one:
        return sqrt_price + (amount << 96) // liquidity
    numerator = liquidity << 96
    product = amount * sqrt_price
    total = numerator + product
    if total <= _MAX_UINT256:
        # The contract's numerator * sqrt_price / total, rounded up: total - product is the numerator.
        return sqrt_price - product * sqrt_price // total
    return -(-numerator // (numerator // sqrt_price + amount))


def price_after_output(sqrt_price: int, liquidity: int, amount: int, zero_for_one: bool) -> int:
    """Square root of the price once the pool gave ``amount``, rounded against the trader.

    ``liquidity`` is positive and has more than ``amount`` to give: then no product leaves the contract's 256 bits.
    """
    if zero_for_one:
        return sqrt_price - -(-(amount << 96) // liquidity)
    numerator = liquidity << 96
    return -(-numerator * sqrt_price // (numerator - amount * sqrt_price))


def word_of(tick: int, spacing: int) -> int:
    """Return the number of the bitmap word with a tick's bit (its own, or that of the next usable tick below)."""
    return tick // spacing >> 8


def outermost_words(spacing: int) -> tuple[int, int]:
    """Return the numbers of the first and the last bitmap word that can have an initialised tick."""
    return word_of(MIN_TICK, spacing), word_of(MAX_TICK, spacing)
