"""What a pool is, and which way a swap goes through it."""

from dataclasses import dataclass
from enum import IntEnum


class Version(IntEnum):
    """The two designs."""

    V2 = 2
    V3 = 3


@dataclass(frozen=True, slots=True)
class Pool:
    """A pool, tokens in its own order. ``fee`` (in millionths) and ``spacing`` of ticks are V3's, 0 for V2."""

    version: Version
    address: str
    token0: str
    token1: str
    fee: int = 0
    spacing: int = 0

    def zero_for_one(self, token_in: str) -> bool:
        return token_in == self.token0

    def other(self, token: str) -> str:
        return self.token1 if token == self.token0 else self.token0


Pair = tuple[str, str]
"""Two tokens in pool order."""


def pair_of(a: str, b: str) -> Pair:
    """Put two token addresses into pool order."""
    return (a, b) if int(a, 16) < int(b, 16) else (b, a)
