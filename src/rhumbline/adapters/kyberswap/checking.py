"""What is compared before anything of KyberSwap's leaves. Pure."""

from rhumbline.adapters.kyberswap.calldata import HARMLESS, NOBODY, RouterSwap, read_swap
from rhumbline.adapters.kyberswap.deployments import Deployment
from rhumbline.adapters.kyberswap.wire import BuildData, RouteData
from rhumbline.domain.errors import UpstreamFailed
from rhumbline.domain.expectations import expect, expect_at_most
from rhumbline.domain.quote import QuoteRequest


def check_route(terms: RouteData, request: QuoteRequest, place: Deployment) -> None:
    """Raise UpstreamFailed unless a route is of exactly that, through the pinned router, without a fee."""
    summary, (token_in, token_out) = terms.route_summary, request.pair(place.native)
    expect("router", terms.router_address, place.router)
    expect("input token", summary.token_in, token_in)
    expect("output token", summary.token_out, token_out)
    expect("amount", summary.amount_in, request.amount)
    fee = summary.extra_fee
    if fee is not None and (fee.fee_receiver or fee.fee_amount.strip("0,")):
        raise UpstreamFailed("answered a route with a fee that nobody asked for")


def check_build(built: BuildData, request: QuoteRequest, place: Deployment) -> RouterSwap:
    """Return the call of a build; raise UpstreamFailed unless all of both is what was asked."""
    expect("router", built.router_address, place.router)
    expect("native value", built.transaction_value, request.amount if request.sells_native else 0)
    expect("amount", built.amount_in, request.amount)
    swap = read_swap(built.data)
    check_swap(swap, request, place)
    # More than it would bring only fails, and costs the wallet its gas.
    expect_at_most("minimum", swap.minimum, built.amount_out)
    return swap


def check_swap(swap: RouterSwap, request: QuoteRequest, place: Deployment) -> None:
    """Raise UpstreamFailed unless a call sells exactly that, for that receiver, without a fee or a permit.

    Its minimum is the caller's to judge.
    """
    token_in, token_out = request.pair(place.native)
    expect("input token", swap.token_in, token_in)
    expect("output token", swap.token_out, token_out)
    expect("amount", swap.amount, request.amount)
    expect("amount sent", sum(swap.sent), 0 if request.sells_native else request.amount)
    expect("receiver", swap.receiver, request.payout_address)
    expect("approval", swap.approve_target, NOBODY)
    expect("permit", swap.permit, b"")
    expect_at_most("number of fees", len(swap.fee_receivers), 0)
    expect_at_most("set of flags", swap.flags & ~HARMLESS, 0)
