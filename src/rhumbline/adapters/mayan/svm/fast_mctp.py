"""FAST_MCTP from Solana: version 2 of Circle's transfer protocol. Its message itself names the receiver.

Source as in ``draft``. Two forms, as from EVM chains.
"""

from dataclasses import replace
from struct import Struct

from rhumbline.adapters.mayan.amounts import fitting, protocol_units
from rhumbline.adapters.mayan.kinds.fast_mctp import order_of
from rhumbline.adapters.mayan.kinds.order import Ledger, Order, Terms, without_share
from rhumbline.adapters.mayan.svm.draft import expect_unswapped, holder_of, kept
from rhumbline.adapters.mayan.svm.ledgers import (
    LARGEST_LEDGER,
    burnt_of,
    call_of,
    deadline_of,
    ledger_address,
    most_of,
    solana_fee,
)
from rhumbline.adapters.mayan.wire import FastMctpQuote
from rhumbline.domain.errors import UpstreamFailed
from rhumbline.gateways.svm.address import anchor_name, encode_address
from rhumbline.gateways.svm.programs import SYSTEM

BRIDGE, CREATE = anchor_name("global", "init_bridge_ledger"), anchor_name("global", "init_order_ledger")
BRIDGE_FORM = Struct("<8s32sQQQQI32sBHQIB")
ORDER_FORM = Struct("<8s32sQQQQQIHB32sQQ32sBQI")
BRIDGED, SWAPPED = 1, 2
_NUMBERS = 65_000
"""The range from which the SDK draws a ledger's number; a wallet's open ledgers have different ones."""


def order(reply: FastMctpQuote, terms: Terms) -> Order:
    """Return the order that a quote describes; raise UpstreamFailed for one that cannot be made."""
    expect_unswapped(reply, reply.fast_mctp_input_contract)
    domain = terms.there.cctp_domain
    if reply.redeem_relayer_fee64 is None or domain is None:
        raise UpstreamFailed("answered a FAST_MCTP quote without what it needs")
    fee, before, circle = fitting(reply.redeem_relayer_fee64), solana_fee(reply), fitting(reply.circle_max_fee64)
    burnt, number = burnt_of(terms, before), int.from_bytes(terms.random(8)) % _NUMBERS
    begun = (terms.destination, fitting(terms.amount), protocol_units(reply.gas_drop, terms.there.native_decimals), fee)
    referred, refund = (terms.referrer, reply.referrer_bps or 0), 0
    ends = (circle, reply.fast_mctp_min_finality)
    if reply.has_auction:
        minimum, refund = protocol_units(reply.min_amount_out, reply.to_token.decimals), _refund_fee(reply)
        swap = (terms.token_out, minimum, deadline_of(reply), *referred)
        data = ORDER_FORM.pack(CREATE, *begun, refund, before, domain, number, SWAPPED, *swap, *ends)
        guaranteed = terms.guaranteed(minimum)
    else:
        data = BRIDGE_FORM.pack(BRIDGE, *begun, before, domain, *referred, number, *ends, BRIDGED)
        guaranteed = without_share(max(0, burnt - fee - circle), reply)
    return replace(
        order_of(reply, terms, data, guaranteed, burnt, fee),
        contract=reply.fast_mctp_mayan_contract or terms.here.fast_mctp[0],
        refund_fees=refund + circle if reply.has_auction else 0,
        most=most_of(reply, terms, burnt) if reply.has_auction else guaranteed,
        relayer_fee=fee + before,
        start_fee=before,
        ledger=_ledger(reply, terms, number, data),
    )


def _refund_fee(reply: FastMctpQuote) -> int:
    if reply.refund_relayer_fee64 is None:
        raise UpstreamFailed("answered a FAST_MCTP order without what it needs")
    return fitting(reply.refund_relayer_fee64)


def _ledger(reply: FastMctpQuote, terms: Terms, number: int, data: bytes) -> Ledger:
    program, wallet, usdc = terms.here.fast_mctp[0], encode_address(terms.sender), reply.fast_mctp_input_contract
    address = ledger_address(terms.sender, number.to_bytes(2, "little"), program, swapped=reply.has_auction)
    # The program's address marks a missing payload; an order has no place for one.
    payload = () if reply.has_auction else (program,)
    named = (wallet, address, wallet, holder_of(address, usdc), *payload, usdc, SYSTEM)
    return Ledger(address, call_of(terms, program, data, named, address), kept(LARGEST_LEDGER))
