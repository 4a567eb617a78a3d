"""MCTP from Solana: version 1 of Circle's transfer protocol, and a Wormhole message that a relayer sends with it.

Source as in ``draft``. Three forms, as from EVM chains.
"""

from dataclasses import replace
from struct import Struct

from rhumbline.adapters.mayan.amounts import fitting, protocol_units
from rhumbline.adapters.mayan.kinds.mctp import order_of
from rhumbline.adapters.mayan.kinds.order import USDC_DECIMALS, Ledger, Order, Terms, without_share
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
from rhumbline.adapters.mayan.wire import MctpQuote
from rhumbline.gateways.svm.address import anchor_name, encode_address
from rhumbline.gateways.svm.programs import SYSTEM

BRIDGE, CREATE = anchor_name("global", "init_bridge_ledger_gasless"), anchor_name("global", "init_order_ledger_gasless")
BRIDGE_FORM = Struct("<8s32sQQQQH32sB")
ORDER_FORM = Struct("<8s32sQQQQH32sB32sQQ32sB")
WITH_FEE, LOCKED_FEE, SWAPPED = 1, 2, 3
_KEY = 32


def order(reply: MctpQuote, terms: Terms) -> Order:
    """Return the order that a quote describes; raise UpstreamFailed for one that cannot be made."""
    expect_unswapped(reply, reply.mctp_input_contract)
    fee, before = protocol_units(reply.redeem_relayer_fee, USDC_DECIMALS), solana_fee(reply)
    burnt, key = burnt_of(terms, before), terms.random(_KEY)
    drop = protocol_units(reply.gas_drop, terms.there.native_decimals)
    begun = (terms.destination, fitting(terms.amount), drop, fee, before, terms.there.wormhole_id, key)
    if reply.has_auction:
        minimum = protocol_units(reply.min_amount_out, reply.to_token.decimals)
        ends = (terms.token_out, minimum, deadline_of(reply), terms.referrer, reply.referrer_bps or 0)
        data = ORDER_FORM.pack(CREATE, *begun, SWAPPED, *ends)
        # Mayan's share comes off after the minimum is measured.
        guaranteed = without_share(terms.guaranteed(minimum), reply)
    else:
        mode = LOCKED_FEE if reply.cheaper_chain == reply.from_chain else WITH_FEE
        data = BRIDGE_FORM.pack(BRIDGE, *begun, mode)
        guaranteed = max(0, burnt - fee)
    return replace(
        order_of(reply, terms, data, guaranteed, burnt, fee),
        contract=reply.mctp_mayan_contract or terms.here.mctp[0],
        most=most_of(reply, terms, burnt) if reply.has_auction else guaranteed,
        relayer_fee=fee + before,
        start_fee=before,
        ledger=_ledger(reply, terms, key, data),
    )


def _ledger(reply: MctpQuote, terms: Terms, key: bytes, data: bytes) -> Ledger:
    program, wallet, usdc = terms.here.mctp[0], encode_address(terms.sender), reply.mctp_input_contract
    address = ledger_address(terms.sender, key, program, swapped=reply.has_auction)
    holder = holder_of(address, usdc)
    # The program's address marks a missing payload, the System Program a missing referrer.
    payload, referrer = ((), ()) if reply.has_auction else ((program,), (SYSTEM,))
    named = (wallet, address, holder, *payload, usdc, SYSTEM, wallet, *referrer)
    return Ledger(address, call_of(terms, program, data, named, address), kept(LARGEST_LEDGER))
