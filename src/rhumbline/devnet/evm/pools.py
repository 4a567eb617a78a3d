"""The sandbox's pools, with their prices and depths, and their set-up.

Prices of pools of one pair differ by a few basis points, less than their fees: a router has a choice, an arbitrageur
has no profit. No pool joins USDT with WBTC, so that pair needs an intermediate token.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isqrt
from types import MappingProxyType

from rhumbline.devnet.evm.operator import Operator, encoded
from rhumbline.devnet.pool import Pool
from rhumbline.devnet.tokens import TOKENS

# USD cents for one whole token.
PRICES = MappingProxyType({"WETH": 300_000, "WBTC": 6_000_000, "USDC": 100, "USDT": 100, "DAI": 100, "TAX": 200})
DECIMALS = MappingProxyType({"WETH": 18} | {token.symbol: token.decimals for token in TOKENS})
TICK_SPACING = MappingProxyType({100: 1, 500: 10, 3000: 60})
_FOR_EVER = 2**40
_MAX = 2**256 - 1
_MINT = "mint((address,address,uint24,int24,int24,uint256,uint256,uint256,uint256,address,uint256))"


@dataclass(frozen=True, slots=True)
class Range:
    """Liquidity between two ticks, relative to the current one; `usd` of each of the two tokens is provided."""

    lower: int
    upper: int
    usd: int


@dataclass(frozen=True, slots=True)
class PoolPlan:
    """A pool of `first` against `second`. `fee` in millionths; `shift` moves the price of `first`, in 0.01 bp.

    Without ranges it is a Uniswap V2 pair with `usd` on each side (and the fee is 3000), with ranges a V3 pool.
    """

    first: str
    second: str
    fee: int
    shift: int
    usd: int = 0
    ranges: tuple[Range, ...] = ()


def _nested(*rings: tuple[int, int]) -> tuple[Range, ...]:
    return tuple(Range(-width, width, usd) for width, usd in rings)


_STEPS = tuple(
    Range(low * sign if sign > 0 else -high, high * sign if sign > 0 else -low, usd)
    for low, high, usd in ((60, 180, 60_000), (180, 420, 90_000), (420, 900, 120_000), (900, 2400, 150_000))
    for sign in (1, -1)
)

PLANS = (
    PoolPlan("WETH", "USDC", 3000, 400, usd=1_500_000),
    PoolPlan("WETH", "DAI", 3000, -300, usd=900_000),
    PoolPlan("USDC", "DAI", 3000, 200, usd=2_000_000),
    PoolPlan("WETH", "WBTC", 3000, 250, usd=1_200_000),
    PoolPlan("WETH", "TAX", 3000, 0, usd=300_000),
    PoolPlan("USDT", "USDC", 3000, -200, usd=1_000_000),
    PoolPlan(
        "WETH",
        "USDC",
        500,
        0,
        ranges=_nested((20_000, 800_000), (6000, 900_000), (1500, 400_000), (300, 100_000))
        + _nested((120, 25_000), (70, 15_000), (40, 10_000), (20, 6_000))
        + _STEPS,
    ),
    PoolPlan(
        "WETH", "USDC", 3000, -200, ranges=_nested((20_040, 600_000), (3000, 500_000), (600, 200_000)) + _STEPS[4:]
    ),
    PoolPlan(
        "USDC",
        "USDT",
        100,
        50,
        ranges=_nested((1000, 150_000), (100, 300_000), (20, 300_000), (5, 200_000), (2, 60_000)),
    ),
    PoolPlan("WETH", "WBTC", 3000, -150, ranges=_nested((20_040, 400_000), (3000, 400_000), (600, 200_000))),
    PoolPlan("USDC", "DAI", 100, -30, ranges=_nested((1000, 150_000), (100, 300_000), (10, 200_000))),
    PoolPlan("DAI", "WETH", 3000, 300, ranges=_nested((20_040, 300_000), (3000, 300_000), (600, 100_000))),
)


def raw_amount(symbol: str, usd: int) -> int:
    """Return the raw units of a token that are worth `usd` whole dollars, rounded down."""
    unit: int = 10 ** DECIMALS[symbol]
    return usd * 100 * unit // PRICES[symbol]


def sqrt_price_x96(first: str, second: str, shift: int, *, first_is_token0: bool) -> int:
    """Return floor(sqrt(raw token1 per raw token0) * 2^96), the price of `first` shifted by `shift` 0.01 bp."""
    first_value = PRICES[first] * (1_000_000 + shift) * 10 ** DECIMALS[second]
    second_value = PRICES[second] * 1_000_000 * 10 ** DECIMALS[first]
    above, below = (first_value, second_value) if first_is_token0 else (second_value, first_value)
    return isqrt((above << 192) // below)


@dataclass(frozen=True, slots=True)
class Seeder:
    """Creates pools on one chain. `tokens` and `contracts` are addresses by name; `depth` scales amounts, in percent.

    `turned` inverts every shift, so that prices differ between two chains.
    """

    operator: Operator
    tokens: Mapping[str, str]
    contracts: Mapping[str, str]
    depth: int
    turned: bool

    async def seed(self, plans: Sequence[PoolPlan] = PLANS) -> tuple[Pool, ...]:
        """Approve, create and fill every planned pool; the operator must have the tokens."""
        for token in self.tokens.values():
            for spender in ("uniswap_v2_router", "position_manager"):
                await self.operator.send(token, encoded("approve(address,uint256)", self.contracts[spender], _MAX))
        return tuple([await (self._v3(plan) if plan.ranges else self._v2(plan)) for plan in plans])

    def _shift(self, plan: PoolPlan) -> int:
        return -plan.shift if self.turned else plan.shift

    def _in_order(self, plan: PoolPlan) -> tuple[str, str]:
        first, second = sorted((plan.first, plan.second), key=lambda symbol: int(self.tokens[symbol], 16))
        return first, second

    def _amount(self, symbol: str, usd: int) -> int:
        return raw_amount(symbol, usd) * self.depth // 100

    async def _v2(self, plan: PoolPlan) -> Pool:
        first, second = self.tokens[plan.first], self.tokens[plan.second]
        # The token's tax is sent on top of the amount that must arrive.
        amounts = (
            self._amount(plan.first, plan.usd),
            self._amount(plan.second, plan.usd) * (1_000_000 + self._shift(plan)) // 1_000_000,
        )
        sent = [
            amount * 100 // 99 if symbol == "TAX" else amount
            for amount, symbol in zip(amounts, (plan.first, plan.second), strict=True)
        ]
        await self.operator.send(
            self.contracts["uniswap_v2_router"],
            encoded(
                "addLiquidity(address,address,uint256,uint256,uint256,uint256,address,uint256)",
                first, second, *sent, 0, 0, self.operator.address, _FOR_EVER,
            ),
        )  # fmt: skip
        pair = await self.operator.address_of(
            self.contracts["uniswap_v2_factory"], encoded("getPair(address,address)", first, second)
        )
        return Pool("uniswap_v2", pair, self._in_order(plan), 3000)

    async def _v3(self, plan: PoolPlan) -> Pool:
        order = self._in_order(plan)
        token0, token1 = (self.tokens[symbol] for symbol in order)
        manager = self.contracts["position_manager"]
        price = sqrt_price_x96(plan.first, plan.second, self._shift(plan), first_is_token0=order[0] == plan.first)
        await self.operator.send(
            manager,
            encoded(
                "createAndInitializePoolIfNecessary(address,address,uint24,uint160)", token0, token1, plan.fee, price
            ),
        )
        pool = await self.operator.address_of(
            self.contracts["uniswap_v3_factory"],
            encoded("getPool(address,address,uint24)", token0, token1, plan.fee),
        )
        slot0 = await self.operator.read(pool, encoded("slot0()"), "uint160", "int24")
        spacing = TICK_SPACING[plan.fee]
        current = int(str(slot0[1])) // spacing * spacing
        for span in plan.ranges:
            lower, upper = (current + offset // spacing * spacing for offset in (span.lower, span.upper))
            amounts = [self._amount(symbol, span.usd) for symbol in order]
            await self.operator.send(
                manager,
                encoded(
                    _MINT, (token0, token1, plan.fee, lower, upper, *amounts, 0, 0, self.operator.address, _FOR_EVER)
                ),
            )
        return Pool("uniswap_v3", pool, order, plan.fee)
