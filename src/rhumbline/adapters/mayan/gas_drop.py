"""Native of the destination with a transfer: Mayan calls it a gas drop, and SWIFT's order itself names it.

Source, read 2026-11-28: MayanSwift.sol and its second version, SwiftDest.sol, of
https://github.com/mayan-finance/swap-bridge. Whoever fills an order pays exactly its drop in the same call, or the fill
reverts; an order that nobody fills is refunded on the origin as any other. From Solana it is the same contract, which
makes the order's hash anew of all its fields, the drop among them: the account that the wallet pays into derives from
that hash. The drop is paid by a call whose failure does not count: a contract that takes no native would lose it.
"""

from decimal import Decimal

from rhumbline.adapters.mayan.amounts import MOST_DECIMALS, denormalised, fitting
from rhumbline.adapters.mayan.deployments import Deployment
from rhumbline.adapters.mayan.kinds.order import Kind
from rhumbline.domain.amount import format_amount
from rhumbline.domain.arrival import GasOnArrival
from rhumbline.domain.errors import NoRoute
from rhumbline.domain.fee import FeeItem, FeeType
from rhumbline.domain.quote import QuoteRequest

DROPPING = frozenset({Kind.SWIFT})
"""Kinds whose order names the drop apart from a relayer's fee, and cannot be fulfilled without it."""


def drop_units(request: QuoteRequest, there: Deployment) -> int:
    """Return the drop that a request needs, in the protocol's own units, rounded up; 0 where none is wanted.

    Raise NoRoute for more than Mayan brings to that chain.
    """
    wish, decimals = request.destination_gas, there.native_decimals
    if not wish:
        return 0
    units = -(-wish // denormalised(1, decimals))
    if denormalised(units, decimals) > there.largest_drop:
        native, most = request.destination.native, format_amount(there.largest_drop, decimals)
        raise NoRoute(f"brings at most {most} {native.symbol} to {request.destination.name} with a transfer")
    return fitting(units)


def whole_drop(request: QuoteRequest, there: Deployment) -> Decimal:
    """Return the same in whole native tokens, as requests and answers write it; raise NoRoute as ``drop_units``."""
    return Decimal(drop_units(request, there)).scaleb(-min(MOST_DECIMALS, there.native_decimals))


def brought(request: QuoteRequest, there: Deployment) -> tuple[GasOnArrival | None, tuple[FeeItem, ...]]:
    """Return what the receiver gets by an order that was compared with the request, and its item among the fees.

    The item is in native: the price is a part of what the output is less by, and nobody says which.
    """
    raw = denormalised(drop_units(request, there), there.native_decimals)
    if not raw:
        return None, ()
    return GasOnArrival(raw, raw), (FeeItem(FeeType.DESTINATION_GAS, raw, request.destination.native),)
