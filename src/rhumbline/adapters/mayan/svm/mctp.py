"""MCTP from Solana: Circle's first version, and a message of Wormhole that a relayer sends with it.

Source as in ``draft``. Three forms, as from EVM chains.
"""

from dataclasses import replace
from struct import Struct

from rhumbline.adapters.mayan.amounts import fitting, on_the_way
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
from rhumbline.adapters.mayan.wire import MctpSaid
from rhumbline.gateways.svm.address import anchor_name, encode_address
from rhumbline.gateways.svm.programs import SYSTEM

BRIDGE, CREATE = anchor_name("global", "init_bridge_ledger_gasless"), anchor_name("global", "init_order_ledger_gasless")
BRIDGE_FORM = Struct("<8s32sQQQQH32sB")
ORDER_FORM = Struct("<8s32sQQQQH32sB32sQQ32sB")
WITH_FEE, LOCKED_FEE, SWAPPED = 1, 2, 3
_KEY = 32


def order(said: MctpSaid, terms: Terms) -> Order:
    """Return the order that a quote describes; raise UpstreamFailed for one that cannot be made."""
    expect_unswapped(said, said.mctp_input_contract)
    fee, before = on_the_way(said.redeem_relayer_fee, USDC_DECIMALS), solana_fee(said)
    burnt, key = burnt_of(terms, before), terms.random(_KEY)
    drop = on_the_way(said.gas_drop, terms.there.native_decimals)
    begun = (terms.destination, fitting(terms.amount), drop, fee, before, terms.there.wormhole_id, key)
    if said.has_auction:
        minimum = on_the_way(said.min_amount_out, said.to_token.decimals)
        ends = (terms.token_out, minimum, deadline_of(said), terms.referrer, said.referrer_bps or 0)
        data = ORDER_FORM.pack(CREATE, *begun, SWAPPED, *ends)
        # Mayan's share comes off after the minimum is measured.
        guaranteed = without_share(terms.guaranteed(minimum), said)
    else:
        mode = LOCKED_FEE if said.cheaper_chain == said.from_chain else WITH_FEE
        data = BRIDGE_FORM.pack(BRIDGE, *begun, mode)
        guaranteed = max(0, burnt - fee)
    return replace(
        order_of(said, terms, data, guaranteed, burnt, fee),
        contract=said.mctp_mayan_contract or terms.here.mctp[0],
        most=most_of(said, terms, burnt) if said.has_auction else guaranteed,
        relayer_fee=fee + before,
        start_fee=before,
        ledger=_ledger(said, terms, key, data),
    )


def _ledger(said: MctpSaid, terms: Terms, key: bytes, data: bytes) -> Ledger:
    program, wallet, usdc = terms.here.mctp[0], encode_address(terms.trader), said.mctp_input_contract
    address = ledger_address(terms.trader, key, program, swapped=said.has_auction)
    holder = holder_of(address, usdc)
    # The program stands for a payload, and the System Program for a referrer, of which there are none.
    payload, referrer = ((), ()) if said.has_auction else ((program,), (SYSTEM,))
    named = (wallet, address, holder, *payload, usdc, SYSTEM, wallet, *referrer)
    return Ledger(address, call_of(terms, program, data, named, address), kept(LARGEST_LEDGER))
