"""Native of the destination with a transfer: Relay calls it a gas top-up.

Source: https://docs.relay.link (features/gas-top-up, references/api/get-quote-v2), read 2026-11-28. The amount is asked
for in dollars, whose number of decimals the documentation gives in two ways (``100000 = $1``, by default ``2000000
($2)``); so a first answer shows how much native it stands for. How the signed order names the native is not
documented. It counts only as a payment of the order's own, beside the output's: no other word of Relay's binds the
solver, and without one there is no offer.
"""

import asyncio
from collections.abc import Awaitable, Callable
from fractions import Fraction

from rhumbline.adapters.relay.deployments import Deployment
from rhumbline.adapters.relay.order import protocol_of
from rhumbline.adapters.relay.wire import Order, Payout, QuoteAnswer
from rhumbline.domain.amount import mul_div_up, share_down
from rhumbline.domain.arrival import GasOnArrival
from rhumbline.domain.errors import NoRoute, UpstreamFailed
from rhumbline.domain.expectations import expect, expect_at_least, expect_at_most, same
from rhumbline.domain.fee import FeeItem, FeeType
from rhumbline.domain.quote import QuoteRequest

Question = Callable[[int], Awaitable[QuoteAnswer]]
"""Asks for a quote with a top-up in Relay's own units, 0 for none; raises an AdapterError."""
FIRST = 100_000
"""The top-up that is asked for first, in Relay's units: ten cents, or a dollar."""
MORE = Fraction(101, 100)
NEAR = Fraction(105, 100)
"""About so much of what is wanted is asked for, and at most so much of it is taken."""
_TRIES = 2


async def answers(
    ask: Question, request: QuoteRequest, places: tuple[Deployment, Deployment]
) -> tuple[QuoteAnswer, QuoteAnswer]:
    """Return the answer with the native that a request wants, and the one without, whose fees say what the rest costs.

    It is asked until the order guarantees at least that native, and little more. Raise an AdapterError.
    """
    if not request.destination_gas:
        answer = await ask(0)
        return answer, answer
    plain, answer = await asyncio.gather(ask(0), ask(FIRST))
    wish, asked, least = request.destination_gas, FIRST, _guaranteed(answer, request, places)
    for _ in range(_TRIES):
        asked = mul_div_up(asked, wish * MORE.numerator, least * MORE.denominator)
        answer = await ask(asked)
        least = _guaranteed(answer, request, places)
        if wish <= least <= wish * NEAR:
            return answer, plain
    raise NoRoute("does not bring the native that is wanted on arrival, or nearly that")


def _guaranteed(answer: QuoteAnswer, request: QuoteRequest, places: tuple[Deployment, Deployment]) -> int:
    _, gas = payouts(protocol_of(answer).order_data, request, places)
    if gas is None or not gas.minimum_amount:
        raise UpstreamFailed("answered an order that guarantees no native on arrival")
    return gas.minimum_amount


def payouts(order: Order, request: QuoteRequest, places: tuple[Deployment, Deployment]) -> tuple[Payout, Payout | None]:
    """Return an order's payments on the destination: the output's, and that of native where it is wanted beside it.

    Raise UpstreamFailed for others.
    """
    found = order.output.payments
    if not request.destination_gas:
        if len(found) != 1:
            raise UpstreamFailed("answered an order of another kind")
        return found[0], None
    native = [each for each in found if same(each.currency, places[1].native)]
    output = [each for each in found if not same(each.currency, places[1].native)]
    if len(output) != 1 or len(native) != 1:
        raise UpstreamFailed("answered an order without the native that is wanted on arrival")
    gas, kept = native[0], 1 - request.slippage
    expect("receiver of native on arrival", gas.recipient, request.receiver)
    # What is promised counts, so no more of it may be lost than of the output.
    expect_at_least("minimum of native on arrival", gas.minimum_amount, share_down(gas.expected_amount, kept))
    expect_at_most("minimum of native on arrival", gas.minimum_amount, gas.expected_amount)
    return output[0], gas


def brought(gas: Payout | None, request: QuoteRequest) -> tuple[GasOnArrival | None, tuple[FeeItem, ...]]:
    """Return what the receiver gets of native, and its item among the fees.

    The item is in native: the price is a part of what the output is less by, and nobody says which.
    """
    if gas is None:
        return None, ()
    item = FeeItem(FeeType.DESTINATION_GAS, gas.expected_amount, request.destination.native)
    return GasOnArrival(gas.expected_amount, gas.minimum_amount), (item,)
