"""The bounds of what a quote names and a contract, program or relayer acts on; none of them is Mayan's word.

Whoever cancels, refunds or carries an order on is paid by a number in it, whatever it cost: so each may be what gas
costs, and a small share of what is sent. Published quotes stay far below: a refund of SWIFT takes half a cent of
10 USDC, a relayer on Ethereum 4.90 USDC, one on Solana 0.004 USDC (2025-12), and 0.2 % where one was found on chain.
"""

from rhumbline.adapters.mayan.amounts import normalised
from rhumbline.adapters.mayan.bytes32 import NATIVE
from rhumbline.adapters.mayan.deployments import Deployment
from rhumbline.adapters.mayan.kinds.order import Kind, Order
from rhumbline.adapters.mayan.wire import FastMctpSaid, QuoteSaid, WormholeSaid
from rhumbline.domain.chain import Chain
from rhumbline.domain.errors import UpstreamFailed
from rhumbline.domain.expectations import expect_within, same

SHORTEST_S = 60
LONGEST_S = 2 * 24 * 3600
"""Between how many seconds an order's deadline must lie ahead: for longer, nobody's money is to be locked."""
LARGEST_REFUND_SHARE = 20
"""By which part of itself (a twentieth) a transfer that nobody fills may come back less at most."""
USUAL_REFUND_SHARE = 200
DEAREST_REFUND_DOLLARS = 5
CHEAPEST_NATIVE = 500
"""What may be taken off a refund: half a percent, or five dollars, or a five-hundredth of a native coin.

Refunds of SWIFT and FAST_MCTP pay whoever triggers them, so a large fee is worth a failure; what it pays for is gas.
"""
REFUND_CEILING = 10
"""A refund never costs more than ten times those dollars, or that part of a native coin, however much was sent."""
DEAREST_START_DOLLARS = 1
START_CEILING_DOLLARS = 25
"""What a relayer on Solana may take before USDC is burnt: a dollar or half a percent, never more than this."""
DEAREST_REDEMPTION_DOLLARS = 100
"""What a relayer may take on the destination: the gas of Ethereum in a bad hour. The promise is less by it."""
DEAREST_CIRCLE_SHARE = 500
"""Circle takes up to 14 basis points for speed (developers.circle.com/cctp/concepts/fees, read 2026-11-23); here 20."""
FASTEST, FINAL = 1000, 2000
"""Circle's two thresholds: when it is confirmed, and when it is final (the same pages)."""
LARGEST_SHARE_BPS = 100
"""The most that Mayan's contracts let its fee manager take of an output (swap-bridge, read 2026-11-21)."""


def expect_terms(said: QuoteSaid) -> None:
    """Raise UpstreamFailed for a number of a quote that the protocols know no such value of."""
    expect_within("share for Mayan in basis points", said.protocol_bps or 0, 0, LARGEST_SHARE_BPS)
    # Of WORMHOLE's minimum the relayer's fee is not off yet, of what is expected it is.
    beside = said.redeem_relayer_fee if isinstance(said, WormholeSaid) else 0
    if said.min_amount_out > said.expected_amount_out + beside:
        # Nobody fills it: it lies until its deadline, and comes back less what bringing it back costs.
        raise UpstreamFailed("answered with a minimum above the output that it expects")
    if isinstance(said, FastMctpSaid):
        expect_within("finality threshold", said.fast_mctp_min_finality, FASTEST, FINAL)


def expect_deadline(order: Order, now: int) -> None:
    """Raise UpstreamFailed for an order that ends too soon for anybody, or not for days."""
    if order.deadline is not None:
        expect_within("deadline", order.deadline, now + SHORTEST_S, now + LONGEST_S)


def expect_fees(order: Order, origin: Chain, here: Deployment) -> None:
    """Raise UpstreamFailed for a fixed fee that is larger than what it pays for can cost."""
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
    """Tell whether a token is a chain's native asset, in Mayan's spelling or ours, or its wrapping."""
    known = (NATIVE, chain.native.address, chain.wrapped_native)
    return any(each is not None and same(token, each) for each in known)


def _one(order: Order) -> int:
    """Return a whole token of what the protocol takes, in its units."""
    return normalised(10**order.decimals, order.decimals)
