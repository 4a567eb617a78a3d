"""What an answer still has to be believed in, and how far its trade moves the price. Pure."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from rhumbline.domain.quote import Quote
from rhumbline.domain.simulation import ExecutionStatus, Simulation
from rhumbline.routing.fees import PriceReader, fresh_price
from rhumbline.routing.ranking import usd
from rhumbline.routing.slippage import lost_share

_BPS = 10_000
UNSEEN_THERE = (
    "What arrives on the destination chain cannot be simulated: the output is an estimate, and the bridge is believed "
    "to keep to the minimum."
)
MAY_RECOVER = (
    "The swap on the destination chain brings the minimum or is undone: pools that move meanwhile, or whoever fills the"
    " deposit, can make it fail. Then the receiver has the bridged token there instead, and the status is recovered."
)
UNMEASURED = "No simulation has measured the output: it is the adapter's estimate, and only the minimum is held."
NOT_RUN = "The transaction has not been seen to succeed in a simulation."


def trust_assumptions(
    named: Sequence[str], simulation: Simulation | None, *, crossing: bool, recovers: bool = False
) -> tuple[str, ...]:
    """Return what nothing of ours has seen or holds, in sentences; ``named`` are the adapter's own.

    ``recovers`` tells that a swap on the destination follows, which may fail by itself.
    """
    found = list(named)
    if recovers:
        found.append(MAY_RECOVER)
    if crossing:
        found.append(UNSEEN_THERE)
    elif simulation is None or simulation.measured_output is None:
        found.append(UNMEASURED)
    if simulation is None or simulation.result.status is not ExecutionStatus.SUCCESS:
        found.append(NOT_RUN)
    return tuple(found)


def price_impact(quote: Quote[Any], prices: PriceReader) -> Fraction | None:
    """Return the share of its value that the trade loses, negative for a gain; None where nobody can tell.

    It is what the adapter says, else what fresh prices say of output and upstream's input.
    """
    if quote.price_impact_bps is not None:
        return Fraction(quote.price_impact_bps, _BPS)
    asked = quote.request
    paid, got = fresh_price(asked.origin_token, prices), fresh_price(asked.destination_token, prices)
    if paid is None or got is None:
        return None
    received = usd(quote.output_amount, asked.destination_token, got)
    return lost_share(usd(asked.amount, asked.origin_token, paid), received)
