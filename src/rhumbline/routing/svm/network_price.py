"""What the network takes on Solana: a fee for each signature, and a price for each unit that a transaction may use.

Source: solana.com/docs/core/fees, read 2026-11-22.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from rhumbline.domain.errors import NodeRefused
from rhumbline.domain.gas import GasTerms
from rhumbline.gateways.nodes.svm.answers import PriorityFee
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from rhumbline.gateways.nodes.svm.shared_state import SharedState
from rhumbline.gateways.svm.compute_budget import LAMPORTS_PER_SIGNATURE

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


@dataclass(frozen=True, slots=True)
class UnitPrices:
    """Between what the price of a unit lies, in millionths of a lamport, whatever a node tells of others' prices.

    A node tells the least that each slot took, which is 0 where slots are not full, and then one that pays nothing
    waits behind all who pay. 10,000 is the tenth percentile of what is paid (0.000002 SOL for 200,000 units;
    quicknode.com/docs/solana/qn_estimatePriorityFees, an example's percentiles, read 2026-11-23).
    """

    least: int = 10_000
    most: int = 1_000_000

    def chosen(self, paid: Sequence[PriorityFee]) -> int:
        """Return what three quarters of the recent slots took at the most, within the bounds."""
        prices = sorted(each.micro_lamports for each in paid)
        told = prices[len(prices) * 3 // 4] if prices else 0
        return min(max(told, self.least), self.most)


async def recently_paid(rpc: SvmRpc, locked: Sequence[str] = ()) -> Sequence[PriorityFee]:
    """Return what was paid of late; nothing where the node does not have the method, so that the least price counts."""
    try:
        return await SharedState(rpc).priority_fees(locked)
    except NodeRefused:
        return ()
