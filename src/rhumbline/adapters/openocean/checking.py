"""The checks of OpenOcean's answers, including the exchange's call, which is decoded again. Pure.

OpenOceanExchange (published source, read 2026-11-21). ``swap`` takes ``amount`` of ``srcToken`` from its caller to
``srcReceiver`` if the flags say so, or native value, lets ``caller`` make the calls, and reverts unless ``dstReceiver``
gained ``minReturnAmount`` of ``dstToken``. The input's receiver does not matter for safety.
"""

from dataclasses import dataclass

from rhumbline.adapters.openocean.deployments import Deployment
from rhumbline.adapters.openocean.wire import SwapData
from rhumbline.domain.errors import NoRoute, UpstreamFailed
from rhumbline.domain.expectations import expect
from rhumbline.domain.quote import QuoteRequest
from rhumbline.gateways.evm.abi import MalformedAnswer
from rhumbline.gateways.evm.calldata import Function

_DESCRIPTION = "(address,address,address,address,uint256,uint256,uint256,uint256,address,bytes)"
SWAP = Function(f"swap(address,{_DESCRIPTION},(uint256,uint256,uint256,bytes)[])")
"""Selector 0x90411a32."""
CLAIM = 0x02
"""The exchange takes the input from its caller. The only other flag allows partial fills."""


@dataclass(frozen=True, slots=True)
class ExchangeSwap:
    """A decoded call of the exchange: addresses in lower case, amounts in raw units."""

    token_in: str
    token_out: str
    receiver: str
    amount: int
    minimum: int
    flags: int
    permit: bytes


def check_answer(found: SwapData, request: QuoteRequest, place: Deployment) -> ExchangeSwap:
    """Return the call of an answer; raise UpstreamFailed unless all of both is what was requested, NoRoute for RFQ.

    The caller checks its minimum.
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


def _echoed(answered: str, requested: str, place: Deployment) -> str:
    """Return the token in an answer: the native asset has a second name on some chains."""
    return requested if requested == place.native and answered == place.native_too else answered


def read_swap(data: bytes) -> ExchangeSwap:
    """Read a call of ``swap``; raise UpstreamFailed for any other call, and for one not canonically encoded."""
    try:
        _, description, _ = SWAP.decode(data)
    except MalformedAnswer:
        raise UpstreamFailed("answered calldata that is not a call of its exchange's swap") from None
    token_in, token_out, _, receiver, amount, minimum, _, flags, _, permit = description
    return ExchangeSwap(token_in, token_out, receiver, amount, minimum, flags, permit)
