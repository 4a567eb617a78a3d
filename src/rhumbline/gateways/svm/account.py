"""Accounts as a node tells them, and what they cost to keep."""

from dataclasses import dataclass, field

_OVERHEAD = 128


@dataclass(frozen=True, slots=True)
class Account:
    """An account: its balance in lamports, the program that owns it, its data, and whether it is a program."""

    lamports: int
    owner: str
    data: bytes = field(repr=False)
    executable: bool = False


@dataclass(frozen=True, slots=True)
class Rent:
    """What an account must hold to be kept: ``lamports_per_byte``, for its data and 128 bytes more.

    Since every account must hold it at the end of a transaction that changes it (or be empty), a transfer that leaves
    a wallet with less fails as a whole. The rate is asked of the node: it was 6,960 for years, and has been proposed
    to be lowered by steps (SIMD-0436). Source: solana.com/docs/core/accounts, read 2026-11-22.
    """

    lamports_per_byte: int

    def minimum(self, size: int) -> int:
        """Return the lamports that an account with ``size`` bytes of data must hold."""
        return (_OVERHEAD + size) * self.lamports_per_byte

    def keeps(self, balance: int, size: int = 0) -> bool:
        """Tell whether a transaction may leave an account with such a balance; nothing at all is allowed."""
        return balance == 0 or balance >= self.minimum(size)

    @classmethod
    def of_nothing(cls, lamports: int) -> "Rent":
        """Read the rate off the minimum of an account without data; ValueError when that is no multiple of 128."""
        rate, rest = divmod(lamports, _OVERHEAD)
        if rest or rate < 0:
            raise ValueError("the minimum of an account without data is no multiple of its overhead")
        return cls(rate)
