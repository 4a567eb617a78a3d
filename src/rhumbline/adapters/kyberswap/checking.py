"""The checks of KyberSwap's answers. Pure."""

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
    """Return the call of a build; raise UpstreamFailed unless all of both is what was requested."""
    pair, value = request.pair(place.native), request.amount if request.sells_native else 0
    expect("router", built.router_address, place.router)
    expect("native value", built.transaction_value, value)
    expect("amount", built.amount_in, request.amount)
    swap = read_swap(built.data)
    check_swap(swap, request, pair, value)
    # More than it would bring only fails, and costs the wallet its gas.
    expect_at_most("minimum", swap.minimum, built.amount_out)
    return swap


def check_swap(swap: RouterSwap, request: QuoteRequest, pair: tuple[str, str], value: int) -> None:
    """Raise UpstreamFailed unless a call sells exactly that, for that receiver, without a fee or a permit.

    ``pair`` are the tokens as KyberSwap names them, ``value`` the wei that go with the call. Its minimum is the
    caller's to judge.
    """
    expect("input token", swap.token_in, pair[0])
    expect("output token", swap.token_out, pair[1])
    expect("amount", swap.amount, request.amount)
    expect("amount sent", sum(swap.sent), request.amount - value)
    expect("receiver", swap.receiver, request.payout_address)
    expect("approval", swap.approve_target, NOBODY)
    expect("permit", swap.permit, b"")
    expect_at_most("number of fees", len(swap.fee_receivers), 0)
    expect_at_most("set of flags", swap.flags & ~HARMLESS, 0)
