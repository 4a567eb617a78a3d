"""An amount that is named as enough is asked for once before it is named: upstreams' own minima are not always true."""

from collections.abc import Awaitable, Callable, Collection
from dataclasses import replace

from rhumbline.domain.quote import Refusal
from rhumbline.domain.route import AdapterFilter, RouteRequest
from rhumbline.routing.refusing import GrossFor

MOST_ASKED = 3
"""So many adapters' minima are tried, the smallest first."""


async def confirmed(
    refusals: Collection[Refusal], gross_for: GrossFor, works: Callable[[str, int], Awaitable[bool]]
) -> int | None:
    """Return the smallest minimum, before fees, at which its own adapter has an executable quote; None without one.

    ``works`` tells that of an adapter's key and an amount.
    """
    told = sorted(
        (gross_for(refusal.adapter, refusal.minimum), refusal.adapter)
        for refusal in refusals
        if refusal.minimum is not None
    )
    for amount, adapter in told[:MOST_ASKED]:
        if await works(adapter, amount):
            return amount
    return None


def only(request: RouteRequest, adapter: str, amount: int) -> RouteRequest:
    keys = frozenset({adapter})
    return replace(request, amount=amount, adapters=AdapterFilter(include_bridges=keys, include_exchanges=keys))
