"""What the engine asks of a kind of pools: how its pools are found, read, and called by a plan.

A kind is one module: its state at a block with exact amounts (``PoolState``), and one object that answers this
protocol. ``registry.py`` lists the kinds.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

from rhumbline.gateways.evm.address import checksummed
from rhumbline.gateways.nodes.evm.multicall import Read
from rhumbline.liquidity.kinds.pool_state import PoolState
from rhumbline.liquidity.kinds.pools import Pair, Pool, PoolSource


class HopKind(IntEnum):
    """What a hop of the Executor's plan trades with (contracts/src/Pools.sol)."""

    PAIR = 0
    STABLE_PAIR = 1
    CONCENTRATED = 2
    V4 = 3
    EXCHANGE = 4
    WRAP = 5
    UNWRAP = 6
    DEPOSIT = 7
    REDEEM = 8
    WRAP_STAKED = 9
    UNWRAP_STAKED = 10
    CRYPTO_EXCHANGE = 11


class StateRead(NamedTuple):
    """A read of which the first ``words`` of 32 bytes count; a shorter answer counts as none."""

    to: str
    data: bytes
    words: int


@dataclass(frozen=True, slots=True)
class PoolFacts:
    """Asks what has to be known of a pool that was named; ``pool`` reads the answers, None for a revert."""

    reads: tuple[Read, ...]
    pool: Callable[[Sequence[bytes | None]], Pool | None]


@dataclass(frozen=True, slots=True)
class PoolLookup:
    """Asks whether there is a pool; ``pool`` reads the answer, None for a revert, and returns the pool, if any.

    Or it returns what else has to be asked first, for which there is one more request.
    """

    read: Read
    pool: Callable[[bytes | None], Pool | PoolFacts | None]


class Kind(ABC):
    """One kind of pools."""

    hop: HopKind

    @abstractmethod
    def lookups(self, source: PoolSource, pair: Pair, /) -> list[PoolLookup]:
        """Return what to ask for the pools of a pair."""

    @abstractmethod
    def place(self, pool: Pool, token_in: str, /) -> bytes:
        """Return a plan's bytes for a hop through the pool, after the hop's kind, share and tokens."""

    def hop_in(self, _: Pool, __: str, /) -> HopKind:
        """Return what a plan calls a hop that sells a token through a pool."""
        return self.hop


class PlainKind(Kind):
    """A kind whose state is a fixed number of reads."""

    @abstractmethod
    def reads(self, pool: Pool, /) -> tuple[StateRead, ...]:
        """Return what has to be read."""

    @abstractmethod
    def state(self, pool: Pool, answers: Sequence[bytes], /) -> PoolState | None:
        """Read the answers, each as long as was asked; None for a pool that cannot be swapped with."""


class Now(NamedTuple):
    """What a pool with ticks is at a block, but for its ticks. ``first`` and ``second`` mean what the kind says."""

    sqrt_price: int
    tick: int
    liquidity: int
    unlocked: bool
    first: int
    second: int


class TickedKind(Kind):
    """A kind whose liquidity is between ticks, of which only those around the price are read."""

    @abstractmethod
    def lens_record(self, pool: Pool, /) -> bytes:
        """Return what names the pool to the lens: its flavour (1 byte), contract (20) and ID (32)."""

    @abstractmethod
    def now_reads(self, pool: Pool, /) -> tuple[StateRead, ...]: ...

    @abstractmethod
    def now(self, pool: Pool, answers: Sequence[bytes], /) -> Now: ...

    @abstractmethod
    def word_read(self, pool: Pool, word: int, /) -> StateRead:
        """Read a word of the bitmap of initialised ticks; the answer is the word."""

    @abstractmethod
    def tick_read(self, pool: Pool, tick: int, /) -> StateRead: ...

    @abstractmethod
    def net(self, data: bytes, /) -> int:
        """Return the net liquidity in an answer to ``tick_read``."""

    @abstractmethod
    def ticked_state(
        self, pool: Pool, now: Now, nets: Mapping[int, int], first_word: int, last_word: int, /
    ) -> PoolState | None:
        """Put a state together; None for a pool that cannot be swapped with."""


def address_in(answer: bytes | None) -> str | None:
    """Read an address; None for a revert, the zero address, or an account without code (which answers nothing)."""
    if answer is None or len(answer) != 32 or not any(answer):
        return None
    return checksummed(answer[12:])
