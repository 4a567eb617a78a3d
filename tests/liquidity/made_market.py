"""Seeded markets without a chain: one price a token, pools of every kind around it."""

import random
from functools import cache
from itertools import combinations
from math import isqrt

from rhumbline.liquidity.kinds.pool_state import PoolState
from rhumbline.liquidity.kinds.pools import Pool, PoolKind
from rhumbline.liquidity.kinds.tick_math import sqrt_price_at
from rhumbline.liquidity.kinds.v2 import V2State
from rhumbline.liquidity.kinds.v3 import V3Pool, V3State
from rhumbline.liquidity.market import Market

TIERS = ((500, 10), (3000, 60), (10000, 200))


def token(number: int) -> str:
    return f"0x{number + 1:040x}"


@cache
def made_market(seed: int, tokens: int = 6, pools: int = 30) -> tuple[Market, list[float]]:
    """Make pools between tokens, most of them with the first five, none against another; with USD a raw unit."""
    dice = random.Random(seed)
    usd = [10 ** dice.uniform(-2, 4) / 10 ** dice.choice((6, 8, 18)) for _ in range(tokens)]
    pairs = [pair for pair in combinations(range(tokens), 2) if pair[0] < 5]
    found: dict[tuple[str, str], tuple[Pool, ...]] = {}
    states: dict[str, PoolState | None] = {}
    for number in range(pools):
        a, b = pairs[number] if number < min(tokens - 1, len(pairs)) else dice.choice(pairs)
        depth = 10 ** dice.uniform(5, 7.5)
        price = usd[a] / usd[b] * (1 + dice.uniform(-0.0002, 0.0002))
        address = f"0x{number + 0x10000:040x}"
        if dice.random() < 0.3:
            pool = Pool(PoolKind.V2, address, token(a), token(b))
            states[address] = V2State(int(depth / usd[a]), int(depth / usd[a] * price))
        else:
            fee, spacing = dice.choice(TIERS)
            pool = Pool(PoolKind.V3, address, token(a), token(b), fee, spacing)
            states[address] = V3Pool(v3_state(dice, fee, spacing, price, depth / (usd[a] * usd[b]) ** 0.5))
        pair = pool.token0, pool.token1
        found[pair] = (*found.get(pair, ()), pool)
    return Market(found, states), usd


def v3_state(dice: random.Random, fee: int, spacing: int, price: float, liquidity: float) -> V3State:
    root = isqrt(int(price * 2**192))
    tick = _tick_of(root)
    centre = tick // spacing
    net: dict[int, int] = {}
    here = 0
    for width in (887272 // spacing - abs(centre) - 1, 600, 200, 60, 20):
        low, high = (centre - dice.randint(width // 2, width)), (centre + 1 + dice.randint(width // 2, width))
        amount = int(liquidity * dice.uniform(0.5, 3))
        here += amount
        net[low * spacing] = net.get(low * spacing, 0) + amount
        net[high * spacing] = net.get(high * spacing, 0) - amount
    return V3State(fee, spacing, root, tick, here, net, -(887272 // spacing >> 8) - 1, 887272 // spacing >> 8)


def _tick_of(root: int) -> int:
    low, high = -887272, 887271
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if sqrt_price_at(middle) <= root else (low, middle - 1)
    return low
