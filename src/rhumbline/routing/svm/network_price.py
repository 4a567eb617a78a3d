"""The network fee on Solana: per signature, and per compute unit that a transaction may use.

Source: solana.com/docs/core/fees, read 2026-11-22.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from rhumbline.domain.errors import NodeRefused
from rhumbline.domain.gas import GasTerms
from rhumbline.domain.solana_terms import Priority
from rhumbline.gateways.nodes.svm.answers import PriorityFee
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from rhumbline.gateways.nodes.svm.shared_state import SharedState
from rhumbline.gateways.svm.compute_budget import LAMPORTS_PER_SIGNATURE, MOST_UNITS

_MICRO = 1_000_000
_PERCENTILES: Mapping[Priority, int] = MappingProxyType({Priority.LOW: 25, Priority.MEDIUM: 75, Priority.HIGH: 95})


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

    def chosen(self, paid: Sequence[PriorityFee], priority: Priority = Priority.MEDIUM) -> int:
        """Return the price that a share of recent slots charged at most, within the bounds: three quarters by default.

        Of a low priority it is a quarter, of a high one 95 of a hundred, within ten times the upper bound.
        """
        prices = sorted(each.micro_lamports for each in paid)
        price = prices[len(prices) * _PERCENTILES[priority] // 100] if prices else 0
        most = self.most * 10 if priority is Priority.HIGH else self.most
        return min(max(price, self.least), most)


def unit_price(prices: UnitPrices, paid: Sequence[PriorityFee], priority: Priority | int | None) -> int:
    """Return the price of a transaction with the largest limit; ``priority`` is a level, or lamports at most."""
    if isinstance(priority, int):
        return price_within(priority, MOST_UNITS)
    return prices.chosen(paid, Priority.MEDIUM if priority is None else priority)


def price_within(lamports: int, units: int) -> int:
    """Return the price of a unit in µlamports, rounded down: so many units never cost more than the lamports.

    The runtime rounds their cost up, to at most the lamports, because those are whole.
    """
    return lamports * _MICRO // max(units, 1)


async def recently_paid(rpc: SvmRpc, locked: Sequence[str] = ()) -> Sequence[PriorityFee]:
    """Return the prices paid recently; none if the node does not have the method, so that the least price is used."""
    try:
        return await SharedState(rpc).priority_fees(locked)
    except NodeRefused:
        return ()
