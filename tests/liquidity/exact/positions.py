"""Liquidity at random: positions around a price, near and far, beside each other, with gaps."""

import random
from dataclasses import dataclass

from rhumbline.liquidity.kinds.tick_math import MAX_TICK, amount0_between, amount1_between, sqrt_price_at


@dataclass(frozen=True)
class Position:
    low: int
    high: int
    liquidity: int

    def amounts(self, price: int) -> tuple[int, int]:
        """What it takes of both tokens at a price (Q64.96)."""
        low, high = sqrt_price_at(self.low), sqrt_price_at(self.high)
        inside = min(max(price, low), high)
        return (
            amount0_between(inside, high, self.liquidity, up=True),
            amount1_between(low, inside, self.liquidity, up=True),
        )


def positions(dice: random.Random, spacing: int, tick: int, most: int = 60) -> list[Position]:
    """Return 1 to ``most`` positions, of which up to twice as many ticks are initialised."""
    centre, usable = tick // spacing, MAX_TICK // spacing
    found = []
    for _ in range(dice.choice((1, dice.randint(2, most), most))):
        width, shift = int(10 ** dice.uniform(0, 3)), int(10 ** dice.uniform(0, 3)) * dice.choice((-1, 0, 1))
        low = min(max(centre + shift - dice.randint(0, width), -usable), usable - 1)
        high = min(low + 1 + width, usable)
        found.append(Position(low * spacing, high * spacing, int(10 ** dice.uniform(12, 24))))
    if dice.random() < 0.3:
        found.append(Position(-usable * spacing, usable * spacing, int(10 ** dice.uniform(10, 20))))
    return found
