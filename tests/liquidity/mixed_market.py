"""Seeded markets of all kinds of pools: two dear tokens, three dollars, a stake, a vault's share, and one more."""

import random
from functools import cache
from itertools import combinations

from rhumbline.liquidity.kinds.curve import CurveState
from rhumbline.liquidity.kinds.linear import LinearState
from rhumbline.liquidity.kinds.pool_state import PoolState
from rhumbline.liquidity.kinds.pools import Pool, PoolKind
from rhumbline.liquidity.kinds.slipstream import SlipstreamPool
from rhumbline.liquidity.kinds.solidly import SolidlyPool, SolidlyState
from rhumbline.liquidity.kinds.v2 import V2State
from rhumbline.liquidity.kinds.v3 import V3Pool, V3State
from rhumbline.liquidity.kinds.v4 import V4Pool, V4State
from rhumbline.liquidity.market import Market
from tests.liquidity.made_market import TIERS, token, v3_state

MANAGER = token(0xFFFF)
USD = (3000 / 1e18, 60_000 / 1e8, 1 / 1e6, 1 / 1e6, 1 / 1e18, 3300 / 1e18, 1.05 / 1e18, 17 / 1e18)
DECIMALS = (18, 8, 6, 6, 18, 18, 18, 18)
DOLLARS, NATIVE, STAKE, SHARE = (2, 3, 4), 0, 5, 6
ANCHORS = (0, 1, 2, 3, 4)


class _Makers:
    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        self.pools: dict[tuple[str, str], tuple[Pool, ...]] = {}
        self.states: dict[str, PoolState | None] = {}
        self.number = 0x20000

    def add(self, pool: Pool, state: PoolState) -> None:
        pair = pool.token0, pool.token1
        self.pools[pair] = (*self.pools.get(pair, ()), pool)
        self.states[pool.key] = state

    def address(self) -> str:
        self.number += 1
        return token(self.number)

    def plain(self, kind: PoolKind, a: int, b: int) -> None:
        depth = 10 ** self.dice.uniform(5, 7.5)
        price = USD[a] / USD[b] * (1 + self.dice.uniform(-0.0002, 0.0002))
        reserves = int(depth / USD[a]), int(depth / USD[a] * price)
        fee, spacing = self.dice.choice(TIERS)
        pool = Pool(kind, self.address(), token(a), token(b), fee, spacing)
        match kind:
            case PoolKind.V2:
                self.add(Pool(kind, pool.address, token(a), token(b), 3000), V2State(*reserves))
            case PoolKind.SOLIDLY:
                stable = a in DOLLARS and b in DOLLARS
                rate = 5 if stable else 30
                state = SolidlyState(*reserves, 10 ** DECIMALS[a], 10 ** DECIMALS[b], rate, stable)
                self.add(Pool(kind, pool.address, token(a), token(b)), SolidlyPool(state))
            case _:
                v3 = v3_state(self.dice, fee, spacing, price, depth / (USD[a] * USD[b]) ** 0.5)
                self.ticked(pool, v3)

    def ticked(self, pool: Pool, v3: V3State) -> None:
        if pool.kind is PoolKind.V3:
            self.add(pool, V3Pool(v3))
        elif pool.kind is PoolKind.SLIPSTREAM:
            self.add(Pool(pool.kind, pool.address, pool.token0, pool.token1, spacing=pool.spacing), SlipstreamPool(v3))
        else:
            key = "0x" + pool.address[2:].rjust(64, "0")
            fields = (getattr(v3, name) for name in V3State.__dataclass_fields__)
            self.add(
                Pool(pool.kind, MANAGER, pool.token0, pool.token1, pool.fee, pool.spacing, id=key),
                V4Pool(V4State(*fields)),
            )

    def curve(self) -> None:
        """One pool of the three dollars, which is three edges."""
        address, depth = self.address(), 10 ** self.dice.uniform(6, 8)
        balances = tuple(int(depth * self.dice.uniform(0.97, 1.03) / USD[coin]) for coin in DOLLARS)
        rates = tuple(10 ** (36 - DECIMALS[coin]) for coin in DOLLARS)
        for one, other in combinations(range(3), 2):
            state = CurveState(20_000, 1_000_000, 20_000_000_000, rates, balances, one, other)
            tokens = token(DOLLARS[one]), token(DOLLARS[other])
            self.add(Pool(PoolKind.CURVE, address, *tokens, id=f"{address}/{one}/{other}/3"), state)

    def linear(self, kind: PoolKind, plain: int, share: int, rate: int) -> None:
        state = LinearState(100, rate, 10**24, 10**24)
        self.add(Pool(kind, token(share), token(plain), token(share)), state)


@cache
def mixed_market(seed: int, pools: int = 40) -> tuple[Market, list[float]]:
    """Make pools of every kind, none much against another; with USD a raw unit of each token."""
    made = _Makers(seed)
    made.curve()
    made.linear(PoolKind.STAKE, NATIVE, STAKE, 110)
    made.linear(PoolKind.VAULT, 4, SHARE, 105)
    kinds = (PoolKind.V2, PoolKind.V3, PoolKind.V4, PoolKind.SOLIDLY, PoolKind.SLIPSTREAM)
    pairs = [pair for pair in combinations(range(len(USD)), 2) if pair[0] in ANCHORS]
    for number in range(pools):
        made.plain(kinds[number % len(kinds)], *made.dice.choice(pairs))
    return Market(made.pools, made.states), list(USD)
