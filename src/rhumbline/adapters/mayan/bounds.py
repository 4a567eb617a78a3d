"""Bounds for the numbers in a quote on which a contract, program or relayer acts. They do not depend on Mayan.

Whoever cancels, refunds or forwards an order is paid by a number in it, whatever the actual cost: so each is bounded by
the cost of gas and a small share of the amount. Published quotes stay far below: a refund of SWIFT takes half a cent of
10 USDC, a relayer on Ethereum 4.90 USDC, one on Solana 0.004 USDC (2025-12), and 0.2 % where one was found on chain.
"""

from rhumbline.adapters.mayan.amounts import normalised
from rhumbline.adapters.mayan.bytes32 import NATIVE
from rhumbline.adapters.mayan.deployments import Deployment
from rhumbline.adapters.mayan.kinds.order import Kind, Order
from rhumbline.adapters.mayan.wire import FastMctpQuote, MayanQuote, WormholeQuote
from rhumbline.domain.chain import Chain
from rhumbline.domain.errors import UpstreamFailed
from rhumbline.domain.expectations import expect_within, same

SHORTEST_S = 60
LONGEST_S = 2 * 24 * 3600
"""How many seconds ahead an order's deadline must be: money must not be locked for longer."""
LARGEST_REFUND_SHARE = 20
"""The largest part of an unfilled transfer that a refund may cost: a twentieth."""
USUAL_REFUND_SHARE = 200
DEAREST_REFUND_DOLLARS = 5
CHEAPEST_NATIVE = 500
"""The largest cost of a refund: half a percent, or five dollars, or 1/500 of a native coin.

Refunds of SWIFT and FAST_MCTP pay whoever triggers them, so a large fee makes a failure profitable; it should pay for
gas.
"""
REFUND_CEILING = 10
"""A refund never costs more than ten times those dollars, or that part of a native coin, for any amount."""
DEAREST_START_DOLLARS = 1
START_CEILING_DOLLARS = 25
"""What a relayer on Solana may take before USDC is burnt: a dollar or half a percent, never more than this."""
DEAREST_REDEMPTION_DOLLARS = 100
"""What a relayer may take on the destination: the gas of Ethereum in a bad hour. It is deducted from the promise."""
DEAREST_CIRCLE_SHARE = 500
"""Circle takes up to 14 basis points for speed (developers.circle.com/cctp/concepts/fees, read 2026-11-23); here 20."""
FASTEST, FINAL = 1000, 2000
"""Circle's two thresholds: when it is confirmed, and when it is final (the same pages)."""
LARGEST_SHARE_BPS = 100
"""The most that Mayan's contracts allow its fee manager of an output (swap-bridge, read 2026-11-21)."""


def expect_terms(reply: MayanQuote) -> None:
    """Raise UpstreamFailed for a number of a quote that the protocols know no such value of."""
    expect_within("share for Mayan in basis points", reply.protocol_bps or 0, 0, LARGEST_SHARE_BPS)
    # WORMHOLE's minimum does not have the relayer's fee deducted yet, the expected output does.
    beside = reply.redeem_relayer_fee if isinstance(reply, WormholeQuote) else 0
    if reply.min_amount_out > reply.expected_amount_out + beside:
        # Nobody fills it: it stays until its deadline, and comes back less the refund's cost.
        raise UpstreamFailed("answered with a minimum above the output that it expects")
    if isinstance(reply, FastMctpQuote):
        expect_within("finality threshold", reply.fast_mctp_min_finality, FASTEST, FINAL)


def expect_deadline(order: Order, now: int) -> None:
    """Raise UpstreamFailed for an order that ends too soon for anybody, or not for days."""
    if order.deadline is not None:
        expect_within("deadline", order.deadline, now + SHORTEST_S, now + LONGEST_S)


def expect_fees(order: Order, origin: Chain, here: Deployment) -> None:
    """Raise UpstreamFailed for a fixed fee larger than the possible cost of what it pays for."""
    expect_within("fee off a refund", order.refund_fees, 0, dearest_refund(order, origin, here))
    expect_within("fee of the relayer on the origin", order.start_fee, 0, dearest_start(order))
    expect_within("fee for Circle", order.circle_fee, 0, order.carried // DEAREST_CIRCLE_SHARE)
    if order.kind is not Kind.SWIFT:
        most = DEAREST_REDEMPTION_DOLLARS * _one(order)
        expect_within("fee of the relayer on the destination", order.relayer_fee - order.start_fee, 0, most)


def dearest_refund(order: Order, origin: Chain, here: Deployment) -> int:
    """Return the most that fixed fees may take off a refund, in the protocol's units, rounded down."""
    one, usual = _one(order), order.carried // USUAL_REFUND_SHARE
    gas = 0
    if any(same(order.input_token, each) for each in here.dollars):
        gas = DEAREST_REFUND_DOLLARS * one
    elif is_native(order.input_token, origin):
        gas = one // CHEAPEST_NATIVE
    most = min(max(usual, gas), gas * REFUND_CEILING) if gas else usual
    return min(order.carried // LARGEST_REFUND_SHARE, most)


def dearest_start(order: Order) -> int:
    """Return the most that a relayer may take of an amount in USDC before it is burnt, rounded down."""
    one = _one(order)
    most = min(max(order.amount // USUAL_REFUND_SHARE, DEAREST_START_DOLLARS * one), START_CEILING_DOLLARS * one)
    return min(order.amount // LARGEST_REFUND_SHARE, most)


def is_native(token: str, chain: Chain) -> bool:
    """Return whether a token is a chain's native asset, in Mayan's spelling or ours, or its wrapped token."""
    known = (NATIVE, chain.native.address, chain.wrapped_native)
    return any(each is not None and same(token, each) for each in known)


def _one(order: Order) -> int:
    """Return a whole token of what the protocol takes, in its units."""
    return normalised(10**order.decimals, order.decimals)
