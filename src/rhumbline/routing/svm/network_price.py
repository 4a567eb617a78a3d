"""What the network takes on Solana: a fee for each signature, and a price for each unit that a transaction may use.

Source: solana.com/docs/core/fees, read 2026-11-22.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from rhumbline.domain.gas import GasTerms
from rhumbline.gateways.svm.answers import PriorityFee
from rhumbline.gateways.svm.network_fee import LAMPORTS_PER_SIGNATURE

LARGEST_PRICE = 1_000_000
"""In millionths of a lamport: with the most units that there are 0.0014 SOL. A node may tell anything."""
_MICRO = 1_000_000


@dataclass(frozen=True, slots=True)
class SvmNetworkPrice:
    """``micro_lamports`` is the price of a unit, in millionths of a lamport."""

    micro_lamports: int

    def cost(self, units: int) -> int:
        """Return the lamports of one signature and so many units, rounded up."""
        return LAMPORTS_PER_SIGNATURE - (-units * self.micro_lamports // _MICRO)

    def terms(self, limit: int | None = None) -> GasTerms | None:
        """Tell nothing: the transaction itself says it."""
        return None


def unit_price(paid: Sequence[PriorityFee]) -> int:
    """Return what three quarters of the recent slots took at the most, bounded; nothing where none tells."""
    prices = sorted(each.micro_lamports for each in paid)
    return min(prices[len(prices) * 3 // 4], LARGEST_PRICE) if prices else 0
