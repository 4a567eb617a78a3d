"""Both fees of a transfer, checked against the amount and the promised output.

Synthesis and Portal (verified sources, read 2026-11-22) take ``stableBridgingFee`` from the call, unchecked: the first
from the synthetic tokens minted on the host chain, the second from the output of the burn. With a fee above the amount
the subtraction reverts there, and the tokens stay in the portal until Symbiosis reverts the transfer; a lower fee is
lost, whatever becomes of the swap. The vendor's fees are the gas of its relayers: 0.1 to 0.6 % of 500 dollars in its
examples. Both tokens of a pool are of one kind, so fees, input and output can be compared.
"""

from fractions import Fraction
from math import ceil

from rhumbline.adapters.symbiosis.calldata import Crossing
from rhumbline.adapters.symbiosis.deployments import ETH_POOL
from rhumbline.domain.errors import BelowMinimum, UpstreamFailed
from rhumbline.domain.quote import QuoteRequest

LARGEST_SHARE = Fraction(1, 5)
"""The largest share of the amount for both fees together: if they are more, the amount is too small."""
LARGEST = (250, Fraction(1, 10))
"""Both fees together, in dollars and in ether: gas in a bad hour, for any amount."""
LARGEST_BONUS = Fraction(1, 100)
"""By how much a pool that lacks the input may pay more than it gets."""


def expect_fees(crossing: Crossing, request: QuoteRequest, output: int) -> None:
    """Raise UpstreamFailed for impossible fees, or a promised ``output`` that they do not leave.

    ``output`` is in raw units of the destination token; the pool's least output is in the call. Raise BelowMinimum,
    with the least amount for such fees, if they are too large a share of the amount.
    """
    unit_in, unit_out = 10**request.origin_token.decimals, 10**request.destination_token.decimals
    paid = Fraction(crossing.amount, unit_in)
    fee_in, fee_out = Fraction(crossing.fee, unit_in), Fraction(crossing.burn.fee, unit_out)
    most = (paid - fee_in) * (1 + LARGEST_BONUS)
    promised = Fraction(max(output + crossing.burn.fee, crossing.swap.minimum), unit_out)
    if promised > most:
        raise UpstreamFailed("answered with a larger output than its own fees leave of the amount")
    if fee_in + fee_out > LARGEST[crossing.swap.pool == ETH_POOL]:
        raise UpstreamFailed("answered with larger fees than a crossing can cost")
    if fee_in + fee_out > paid * LARGEST_SHARE:
        least = ceil((fee_in + fee_out) / LARGEST_SHARE * unit_in)
        raise BelowMinimum("the fees are too large a part of the amount", least)
