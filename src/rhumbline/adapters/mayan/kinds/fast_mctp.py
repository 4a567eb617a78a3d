"""FAST_MCTP: version 2 of Circle's transfer protocol. Its message itself names the receiver.

Source, read 2026-11-21: swap-sdk 15.2.0 and FastMCTP.sol of https://github.com/mayan-finance/swap-bridge. Two forms: an
order, which a solver swaps on the destination into anything but USDC, and a bridge. An order that nobody swaps before
its deadline is paid out in USDC, less ``refundFee``, to the destination address on the destination.
"""

from dataclasses import replace

from rhumbline.adapters.mayan.amounts import fitting, protocol_units
from rhumbline.adapters.mayan.kinds.order import (
    USDC_DECIMALS,
    Kind,
    Order,
    Terms,
    least_middle,
    share_of,
    without_share,
)
from rhumbline.adapters.mayan.wire import FastMctpQuote
from rhumbline.domain.errors import UpstreamFailed
from rhumbline.gateways.evm.calldata import Function

CREATE = Function(
    "createOrder(address,uint256,uint256,uint32,uint32,"
    "(uint8,bytes32,bytes32,uint64,uint64,uint64,uint64,uint64,bytes32,uint8))"
)
BRIDGE = Function("bridge(address,uint256,uint64,uint256,uint64,bytes32,uint32,bytes32,uint8,uint8,uint32,bytes)")
PLAIN = 1
ORDER = 3


def order(reply: FastMctpQuote, terms: Terms) -> Order:
    """Return the call that a quote describes; raise UpstreamFailed for one that cannot be made."""
    token, domain = reply.fast_mctp_input_contract, terms.there.cctp_domain
    swaps = token.lower() != reply.from_token.contract.lower()
    least = least_middle(reply, USDC_DECIMALS) if swaps else 0
    burnt = fitting(least if swaps else terms.amount)
    fee = protocol_units(reply.redeem_relayer_fee, USDC_DECIMALS)
    if domain is None:
        raise UpstreamFailed("answered a FAST_MCTP quote to a chain that Circle does not serve")
    refund_fees = 0
    if reply.has_auction:
        data, guaranteed, refund_fee = _created(reply, terms, fee)
        refund_fees = refund_fee + reply.circle_max_fee64
    else:
        drop = protocol_units(reply.gas_drop, terms.there.native_decimals)
        data = BRIDGE.encode(
            token, terms.amount, fee, reply.circle_max_fee64, drop, terms.destination,
            domain, terms.referrer, reply.referrer_bps or 0, PLAIN, reply.fast_mctp_min_finality, b"",
        )  # fmt: skip
        guaranteed = without_share(max(0, burnt - fee - reply.circle_max_fee64), reply)
    return replace(
        order_of(reply, terms, data, guaranteed, burnt, fee),
        min_middle=least,
        refund_fees=refund_fees,
        most=None if reply.has_auction or swaps else guaranteed,
    )


def order_of(reply: FastMctpQuote, terms: Terms, data: bytes, guaranteed: int, burnt: int, fee: int) -> Order:
    """Return what an order is on any origin, but for a refund's fees; ``fee`` is the relayer's on the destination."""
    return Order(
        kind=Kind.FAST_MCTP,
        contract=reply.fast_mctp_mayan_contract,
        input_token=reply.fast_mctp_input_contract,
        amount=terms.amount,
        data=data,
        guaranteed=guaranteed,
        deadline=reply.deadline64 if reply.has_auction else None,
        carried=burnt,
        refund_fees=0,
        left=burnt - fee - reply.circle_max_fee64,
        decimals=USDC_DECIMALS,
        relayer_fee=fee,
        circle_fee=reply.circle_max_fee64,
        protocol_bps=share_of(reply),
    )


def _created(reply: FastMctpQuote, terms: Terms, fee: int) -> tuple[bytes, int, int]:
    """Return the order's call, what it guarantees (the contract takes shares before it measures), a refund's fee."""
    if reply.deadline64 is None or reply.refund_relayer_fee64 is None:
        raise UpstreamFailed("answered a FAST_MCTP order without what it needs")
    refund = fitting(reply.refund_relayer_fee64)
    minimum = protocol_units(reply.min_amount_out, reply.to_token.decimals)
    payload = (
        ORDER, terms.destination, terms.token_out, minimum, protocol_units(reply.gas_drop, terms.there.native_decimals),
        fee, refund, fitting(reply.deadline64), terms.referrer, reply.referrer_bps or 0,
    )  # fmt: skip
    data = CREATE.encode(
        reply.fast_mctp_input_contract, terms.amount, reply.circle_max_fee64, terms.there.cctp_domain,
        reply.fast_mctp_min_finality, payload,
    )  # fmt: skip
    return data, terms.guaranteed(minimum), refund
