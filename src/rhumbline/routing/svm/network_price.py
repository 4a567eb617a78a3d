"""The network fee on Solana: per signature, and per compute unit that a transaction may use.

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
        """Return nothing: the transaction itself contains its gas terms."""
        return None


@dataclass(frozen=True, slots=True)
class UnitPrices:
    """The bounds of the unit price, in millionths of a lamport, whatever a node reports.

    A node reports the least that each slot accepted, which is 0 if slots are not full; a transaction that pays nothing
    then waits behind all that pay. 10,000 is the tenth percentile of what is paid (0.000002 SOL for 200,000 units;
    quicknode.com/docs/solana/qn_estimatePriorityFees, an example's percentiles, read 2026-11-23).
    """

    least: int = 10_000
    most: int = 1_000_000

    def chosen(self, paid: Sequence[PriorityFee]) -> int:
        """Return the price that three quarters of recent slots charged at most, within the bounds."""
        prices = sorted(each.micro_lamports for each in paid)
        upper_quartile = prices[len(prices) * 3 // 4] if prices else 0
        return min(max(upper_quartile, self.least), self.most)


async def recently_paid(rpc: SvmRpc, locked: Sequence[str] = ()) -> Sequence[PriorityFee]:
    """Return the prices paid recently; none if the node does not have the method, so that the least price is used."""
    try:
        return await SharedState(rpc).priority_fees(locked)
    except NodeRefused:
        return ()
