"""The plan of the sandbox's Solana chain: its tokens, and its pools with their prices and depths.

Prices are those of the EVM chains, which a test enforces; amounts have 64 bits here, so tokens of 18 decimals have
fewer.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

CHAIN_ID, CHAIN_KEY, CHAIN_NAME = 900003, "sbxs", "Sandbox Solana"

# USD cents for one whole token.
PRICES: Mapping[str, int] = MappingProxyType({
    "WSOL": 15_000, "WETH": 300_000, "WBTC": 6_000_000, "USDC": 100, "USDT": 100, "DAI": 100, "TAX": 200,
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class MintPlan:
    """A token. With ``fee_points``, hundredths of a percent of each transfer, it is a Token-2022 mint."""

    symbol: str
    decimals: int
    fee_points: int = 0


@dataclass(frozen=True, slots=True)
class PoolPlan:
    """A pool with whole dollars of ``usd`` on each side. ``fee`` in millionths; ``shift`` moves the price of ``first``.

    A shift is counted in 0.01 bp.
    """

    first: str
    second: str
    fee: int
    shift: int
    usd: int

    @property
    def name(self) -> str:
        """The seed of its address."""
        return f"{self.first}/{self.second} {self.fee}"


MINTS = (
    MintPlan("USDC", 6), MintPlan("USDT", 6), MintPlan("DAI", 9), MintPlan("WETH", 8), MintPlan("WBTC", 8),
    MintPlan("TAX", 9, fee_points=100),
)  # fmt: skip
DECIMALS: Mapping[str, int] = MappingProxyType({"WSOL": 9} | {mint.symbol: mint.decimals for mint in MINTS})
POOLS = (
    PoolPlan("WSOL", "USDC", 3000, 400, 1_500_000),
    PoolPlan("WSOL", "USDC", 500, -100, 600_000),
    PoolPlan("WSOL", "USDT", 3000, -300, 900_000),
    PoolPlan("WSOL", "WETH", 3000, 250, 1_200_000),
    PoolPlan("WSOL", "WBTC", 3000, -150, 1_000_000),
    PoolPlan("WETH", "USDC", 500, 0, 800_000),
    PoolPlan("USDC", "USDT", 100, 50, 1_000_000),
    PoolPlan("USDC", "DAI", 100, -30, 1_000_000),
    PoolPlan("WSOL", "TAX", 3000, 0, 300_000),
)
HELD_USD = 1_000_000
"""The balance of each funded account in every token, in whole dollars."""


def raw_amount(symbol: str, usd: int) -> int:
    """Return the raw units of a token that are worth so many whole dollars, rounded down."""
    unit: int = 10 ** DECIMALS[symbol]
    return usd * 100 * unit // PRICES[symbol]


def reserves(plan: PoolPlan) -> tuple[int, int]:
    """Return a pool's initial reserves, in raw units of its two tokens."""
    return raw_amount(plan.first, plan.usd), raw_amount(plan.second, plan.usd) * (1_000_000 + plan.shift) // 1_000_000
