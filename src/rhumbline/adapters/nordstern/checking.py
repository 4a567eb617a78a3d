"""The checks of Nordstern's answers. Pure."""

from rhumbline.adapters.nordstern.calldata import GuardSwap, read_swap
from rhumbline.adapters.nordstern.deployments import Deployment
from rhumbline.adapters.nordstern.wire import SwapAnswer
from rhumbline.domain.expectations import expect
from rhumbline.domain.quote import QuoteRequest


def check_answer(found: SwapAnswer, request: QuoteRequest, place: Deployment) -> GuardSwap:
    """Return the call of an answer; raise UpstreamFailed unless all of both is what was requested.

    The caller checks its minimum.
    """
    token_in, token_out = request.pair(place.native)
    expect("input token", found.src, token_in)
    expect("output token", found.dst, token_out)
    expect("amount", found.from_amount, request.amount)
    expect("receiver", found.tx.paid, request.payout_address)
    expect("guard", found.tx.to, place.guard)
    expect("native value", found.tx.value, request.amount if request.sells_native else 0)
    swap = read_swap(found.tx.data)
    expect("input token", swap.token_in, token_in)
    expect("output token", swap.token_out, token_out)
    expect("amount", swap.amount, request.amount)
    expect("receiver", swap.receiver, request.payout_address)
    if request.sells_native:
        # The guard insists on it, so a call that says otherwise reverts.
        expect("receiver of the native input", swap.first_receiver, swap.executor)
    return swap
