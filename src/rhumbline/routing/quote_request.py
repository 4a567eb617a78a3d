"""A caller's request as a question to adapters, before fees and forms. Pure."""

from fractions import Fraction

from rhumbline.domain.quote import QuoteRequest
from rhumbline.domain.route import RouteRequest
from rhumbline.routing.quote_context import TokenPair
from rhumbline.routing.slippage import permitted_loss

_MOST_SLIPPAGE = Fraction(9_999, 10_000)
"""What upstreams are asked for at the most: with all of it a minimum of nothing would be promised, which is none."""


def wallets_own(request: RouteRequest, pair: TokenPair, deadline: int) -> QuoteRequest:
    """Return the question for a wallet that makes the upstream's transaction itself; ``deadline`` in Unix seconds."""
    return QuoteRequest(
        origin=request.origin,
        destination=request.destination,
        origin_token=pair.origin,
        destination_token=pair.destination,
        amount=request.amount,
        sender=request.sender,
        receiver=request.receiver,
        taker=request.sender,
        payout_address=request.receiver,
        slippage=min(permitted_loss(request, pair.kind, None), _MOST_SLIPPAGE),
        deadline=deadline,
    )
