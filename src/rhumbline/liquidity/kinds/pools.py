"""What a pool is, where pools come from, and which way a swap goes through one."""

from dataclasses import dataclass
from enum import StrEnum


class PoolKind(StrEnum):
    """The designs of pools; each is a module of ``liquidity/kinds``."""

    V2 = "v2"
    V3 = "v3"
    V4 = "v4"
    SOLIDLY = "solidly"
    SLIPSTREAM = "slipstream"
    CURVE = "curve"
    VAULT = "vault"
    STAKE = "stake"


Pair = tuple[str, str]
"""Two tokens in pool order."""


@dataclass(frozen=True, slots=True)
class Pool:
    """A way between two tokens, in the pool's own order, through the contract at ``address``.

    ``fee`` is in millionths, ``spacing`` that of the ticks; 0 where the kind has none. ``id`` tells pools of one
    contract apart. ``source`` is the key of the ``PoolSource`` that named it, ``factory`` its contract where swaps ask
    that. ``native``: it holds native itself, for which token0 stands here, the wrapped native.
    """

    kind: PoolKind
    address: str
    token0: str
    token1: str
    fee: int = 0
    spacing: int = 0
    source: str = ""
    id: str = ""
    native: bool = False
    factory: str = ""

    @property
    def key(self) -> str:
        """What no two pools of a chain share."""
        return self.id or self.address

    def zero_for_one(self, token_in: str) -> bool:
        return token_in == self.token0

    def other(self, token: str) -> str:
        return self.token1 if token == self.token0 else self.token0


@dataclass(frozen=True, slots=True)
class PoolSource:
    """One protocol's pools on one chain.

    ``factory`` is the contract that names the pools of a pair. ``tiers`` are fees in millionths with their tick
    spacings; ``fee`` is that of all pools, where the protocol has one. ``wrapped_native`` is the token that stands for
    native, where the protocol has pools of native itself. ``implementations`` are the contracts that may run a pool,
    where its factory has several.
    """

    key: str
    kind: PoolKind
    factory: str
    tiers: tuple[tuple[int, int], ...] = ()
    fee: int = 0
    wrapped_native: str = ""
    implementations: tuple[str, ...] = ()


def pair_of(a: str, b: str) -> Pair:
    """Put two token addresses into pool order."""
    return (a, b) if int(a, 16) < int(b, 16) else (b, a)
