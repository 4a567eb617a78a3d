"""What a caller may choose of a transaction on Solana: its priority fee, a tip, and who pays for it."""

from dataclasses import dataclass
from enum import StrEnum

MOST_PRIORITY = 100_000_000
"""The largest priority fee that may be asked for, in lamports: 0.1 SOL."""
LEAST_TIP, MOST_TIP = 1_000, 100_000_000
"""The bounds of a tip in lamports; Jito's block engine takes no less (docs.jito.wtf, read 2026-11-28)."""


class Priority(StrEnum):
    """The priority fee by the prices that recent slots charged: their 25th, 75th and 95th percentile."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


@dataclass(frozen=True, slots=True)
class SolanaTerms:
    """A caller's choices; None for what is left to the service.

    ``priority`` is a level, or the most lamports that the priority fee may be. ``jito_tip`` is in lamports.
    ``fee_payer`` is a wallet that signs beside the sender, and pays the network's fee, the tip, and the rent of token
    accounts.
    """

    priority: Priority | int | None = None
    jito_tip: int | None = None
    fee_payer: str | None = None

    @property
    def tip(self) -> int:
        return 0 if self.jito_tip is None else self.jito_tip


NOTHING_CHOSEN = SolanaTerms()


@dataclass(frozen=True, slots=True)
class SolanaCosts:
    """What a finished transaction costs by a caller's choices, in lamports.

    ``network_fee`` is of all signatures and includes ``priority_fee``. ``tip_account`` is paid ``tip``.
    ``fee_payer_cost`` is the most by which the balance of ``fee_payer`` falls: the fee, the tip, and ``sponsored_rent``
    of accounts that the transaction makes and keeps. ``signers`` are all, in the order of their signatures.
    """

    network_fee: int
    priority_fee: int
    signers: tuple[str, ...]
    tip: int = 0
    tip_account: str | None = None
    fee_payer: str | None = None
    sponsored_rent: int = 0

    @property
    def fee_payer_cost(self) -> int | None:
        return None if self.fee_payer is None else self.network_fee + self.tip + self.sponsored_rent
