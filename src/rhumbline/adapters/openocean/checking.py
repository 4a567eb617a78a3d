"""What is compared before anything of OpenOcean's leaves. Pure."""

from rhumbline.adapters.openocean.calldata import CLAIM, ExchangeSwap, read_swap
from rhumbline.adapters.openocean.deployments import Deployment
from rhumbline.adapters.openocean.wire import SwapData
from rhumbline.domain.errors import NoRoute
from rhumbline.domain.expectations import expect
from rhumbline.domain.quote import QuoteRequest


def check_answer(found: SwapData, request: QuoteRequest, place: Deployment) -> ExchangeSwap:
    """Return the call of an answer; raise UpstreamFailed unless all of both is what was asked, NoRoute for RFQ.

    Its minimum is the caller's to judge.
    """
    if found.rfq_deadline:
        raise NoRoute("has only a market maker's offer, which is for one caller and seconds")
    if found.gmx_fee:
        raise NoRoute("has only a route that costs more native value")
    token_in, token_out = request.pair(place.native)
    expect("chain", found.chain_id, request.origin.id)
    expect("input token", _echoed(found.in_token.address, token_in, place), token_in)
    expect("output token", _echoed(found.out_token.address, token_out, place), token_out)
    expect("amount", found.in_amount, request.amount)
    expect("exchange", found.to, place.exchange)
    expect("native value", found.value, request.amount if request.sells_native else 0)
    swap = read_swap(found.data)
    expect("input token", swap.token_in, token_in)
    expect("output token", swap.token_out, token_out)
    expect("amount", swap.amount, request.amount)
    expect("receiver", swap.receiver, request.payout_address)
    expect("set of flags", swap.flags, 0 if request.sells_native else CLAIM)
    expect("permit", swap.permit, b"")
    return swap


def _echoed(said: str, asked: str, place: Deployment) -> str:
    """Return the token that an answer names: the native asset goes by a second name on some chains."""
    return asked if asked == place.native and said == place.native_too else said
