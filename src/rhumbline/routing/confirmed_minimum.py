"""An amount that is named as enough is asked for once before it is named: upstreams' own minima are not always true."""

from collections.abc import Awaitable, Callable, Collection

from rhumbline.domain.quote import Refusal
from rhumbline.routing.refusals import GrossFor

MOST_ASKED = 3
"""So many adapters' minima are tried, the smallest first."""


async def confirmed(
    refusals: Collection[Refusal], gross_for: GrossFor, works: Callable[[str, int], Awaitable[bool]]
) -> int | None:
    """Return the smallest minimum, before fees, that ``works`` for its own adapter, by key and amount; None without."""
    told = sorted(
        (gross_for(refusal.adapter, refusal.minimum), refusal.adapter)
        for refusal in refusals
        if refusal.minimum is not None
    )
    for amount, adapter in told[:MOST_ASKED]:
        if await works(adapter, amount):
            return amount
    return None
